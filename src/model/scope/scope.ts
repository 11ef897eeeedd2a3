import type { PrivateSlot } from '../../internal/collections/private-slot.js';
import { guardOwn } from '../../internal/guard.js';
import { uuid4 } from '../../internal/ids.js';
import { append } from '../../internal/patching/originals.js';
import { copyLimited } from '../../internal/values/copy-own.js';
import { isObject, isPlainObject, readProperty } from '../../internal/values/read.js';
import { setOwn } from '../../internal/values/set-own.js';
import { SDK_MAJOR } from '../../internal/version.js';
import { hasClientBrand } from '../client-brand.js';
import type { Client } from '../contracts.js';
import type { Attachment } from '../event/attachment.js';
import { type Breadcrumb, readBreadcrumb } from '../event/breadcrumb.js';
import { BreadcrumbTrail } from '../event/breadcrumb-trail.js';
import type { Context, Contexts, Event, Extras, Primitive, SdkProcessingMetadata, User } from '../event/event.js';
import { readSeverityLevel, type SeverityLevel } from '../event/severity.js';
import type { RawAttributes, SpanAttributeValue } from '../event/span-json.js';
import { type CaptureContext, type EventHint, type EventProcessor, errorAt, syntheticFor, withStack } from '../hint.js';
import { isSession, type Session, updateSession } from '../session.js';
import { createPropagationContext, type PropagationContext, readPropagationContext } from '../trace.js';
import { isNoFunction, isNoKey, isNoObject, noteTagValue, readAttachments } from './check-data.js';
import { readFingerprint } from './fingerprint.js';
import { readCaptureContext, type ScopeContext } from './scope-context.js';
import {
  adoptLists,
  createScopeState,
  DEFAULT_MAX_BREADCRUMBS,
  type MapMember,
  ownList,
  ownMap,
  ownState,
  type ScopeData,
  type ScopeState,
  scopeContextOf,
  scopeDataOf,
  shareState,
  UNSET_USER,
} from './scope-state.js';

/** The method by which copies of this package recognize each other's scopes. */
const IS_SCOPE = Symbol.for(`faultline.v${SDK_MAJOR}.isScope`);

/** Set by `init`, because only the context knows which scope holds its client. */
let findDefaultClient: (scope: Scope) => Client | undefined = () => undefined;

export function setDefaultClientLookup(find: (scope: Scope) => Client | undefined): void {
  findDefaultClient = find;
}

/** From a scope to the context that it was forked for. A private field, because each span forks a scope. */
export let forkContexts: PrivateSlot<object>;

/** Begins a trace on a scope. Its ids are drawn when somebody asks for them, which most requests never do. */
export let beginTrace: (scope: Scope) => void;

/** Like `addBreadcrumb` of a scope, for a breadcrumb that takes long to make: it is made when somebody reads it. */
export let appendLateBreadcrumb: (scope: Scope, create: () => Breadcrumb, maxBreadcrumbs: number) => void;

/** The scope on which a session was set. Forks of that scope share the session. A map, because few scopes have one. */
export const sessionScopes = new WeakMap<Session, Scope>();

/**
 * Data merged into each event captured while the scope is current: user, tags, breadcrumbs and more. Setters return the
 * scope.
 *
 * Cloning shares the state and copies nothing; the first write to a member afterwards copies it once.
 */
export class Scope {
  #state: ScopeState;
  /** The context that this scope was forked for. */
  #context: object | undefined = undefined;
  /** Not in the state, which would be copied at each capture: the event before shares it. */
  #lastEventId: string | undefined = undefined;

  constructor();
  /**
   * @param shared for clones: the initial state
   * @internal
   */
  constructor(shared?: ScopeState);
  constructor(shared?: ScopeState) {
    this.#state = shared ?? createScopeState(undefined);
  }

  /** Whether a value is a scope; false for a proxy of one. */
  static is(value: unknown): value is Scope {
    return isObject(value) && (#state in value || isScopeOfAnotherCopy(value));
  }

  static {
    forkContexts = {
      get: (scope) => (#context in scope ? scope.#context : undefined),
      set(scope, context) {
        if (#context in scope) scope.#context = context;
      },
    };
    beginTrace = (scope) => {
      if (#state in scope) scope.#own().propagation = {};
      else (scope as Scope).setPropagationContext(createPropagationContext());
    };
    appendLateBreadcrumb = (scope, create, maxBreadcrumbs) => {
      if (!(#state in scope)) (scope as Scope).addBreadcrumb(create(), maxBreadcrumbs);
      else {
        const state = scope.#own();
        state.breadcrumbs = state.breadcrumbs.appendLate(() => readBreadcrumb(create()), maxBreadcrumbs);
        state.maxBreadcrumbs = maxBreadcrumbs;
      }
    };
    const isScope = function (this: object) {
      return #state in this;
    };
    Object.defineProperty(Scope.prototype, IS_SCOPE, { value: isScope });
  }

  /** A scope with the same data; later changes to either do not affect the other. */
  clone(): Scope {
    const clone = new Scope(shareState(this.#state));
    clone.#lastEventId = this.#lastEventId;
    return clone;
  }

  /**
   * `null` unsets the user, even one set on an outer scope. A session keeps the first user that is set on its own scope. Users
   * set on forks, such as those of requests, do not change it.
   */
  setUser(user: User | null): this {
    if (isNoObject('user', user)) return this;
    const state = this.#own();
    state.user = user === null ? UNSET_USER : user;
    if (state.session && sessionScopes.get(state.session) === this) updateSession(state.session, { user });
    return this;
  }

  /** `undefined` if no user is set or it was unset. */
  getUser(): User | undefined {
    const { user } = this.#state;
    return user === UNSET_USER ? undefined : user;
  }

  /** @param value `undefined` hides the tag of outer scopes */
  setTag(key: string, value: Primitive): this {
    return this.#set('tags', key, value);
  }

  /** Sets several tags; others stay. */
  setTags(tags: Record<string, Primitive>): this {
    return this.#setAll('tags', tags);
  }

  /** @param extra any value; cut by `normalizeDepth` and `normalizeMaxBreadth` when an event is sent */
  setExtra(key: string, extra: unknown): this {
    return this.#set('extra', key, extra);
  }

  /** Sets several extras; others stay. */
  setExtras(extras: Extras): this {
    return this.#setAll('extra', extras);
  }

  /**
   * @param key for example `os`, `device`, `app`, or one of your own
   * @param context `null` removes it
   */
  setContext(key: string, context: Context | null): this {
    if (isNoKey('contexts', key) || isNoObject('contexts', context)) return this;
    if (context !== null) return this.#set('contexts', key, context);
    delete ownMap(this.#own(), 'contexts')[key];
    return this;
  }

  /** Sets several contexts; others stay. */
  setContexts(contexts: Contexts): this {
    if (isNoObject('contexts', contexts)) return this;
    for (const [key, context] of Object.entries(copyLimited(contexts))) this.setContext(key, context as Context | null);
    return this;
  }

  /** Attributes stay on the scope and are not added to events. */
  setAttribute(key: string, value: SpanAttributeValue | undefined): this {
    return this.#set('attributes', key, value);
  }

  /** Sets several attributes; others stay. */
  setAttributes(attributes: RawAttributes): this {
    return this.#setAll('attributes', attributes);
  }

  /** The level of events captured without one; `undefined` unsets it. */
  setLevel(level: SeverityLevel | undefined): this {
    if (level === undefined || readSeverityLevel('setLevel', level)) this.#own().level = level;
    return this;
  }

  /** Groups events; added to their own fingerprint. `{{ default }}` stands for the server's default grouping. */
  setFingerprint(fingerprint: string[]): this {
    this.#own().fingerprint = readFingerprint(fingerprint);
    return this;
  }

  /** Sets the transaction name of error events; transactions keep their own name. */
  setTransactionName(name: string | undefined): this {
    if (name === undefined || typeof name === 'string') this.#own().transactionName = name;
    return this;
  }

  /** Id of a conversation with a language model, added to its spans. `null` removes it from this scope. */
  setConversationId(conversationId: string | null | undefined): this {
    this.#own().conversationId = typeof conversationId === 'string' ? conversationId : undefined;
    return this;
  }

  /**
   * @param breadcrumb copied; a missing timestamp becomes now; the message is cut to 2048 characters
   * @param maxBreadcrumbs how many of the newest breadcrumbs the scope keeps; 0 adds none. @default 100
   */
  addBreadcrumb(breadcrumb: Breadcrumb, maxBreadcrumbs?: number): this {
    const max = typeof maxBreadcrumbs === 'number' ? Math.floor(maxBreadcrumbs) : DEFAULT_MAX_BREADCRUMBS;
    if (!(max > 0) || isNoObject('addBreadcrumb', breadcrumb) || !isObject(breadcrumb)) return this;
    const state = this.#own();
    state.breadcrumbs = state.breadcrumbs.append(readBreadcrumb(breadcrumb), max);
    if (maxBreadcrumbs !== undefined) state.maxBreadcrumbs = max;
    return this;
  }

  /** The newest breadcrumb. */
  getLastBreadcrumb(): Breadcrumb | undefined {
    return this.#state.breadcrumbs.last;
  }

  /** Clears the breadcrumbs of this scope only. */
  clearBreadcrumbs(): this {
    this.#own().breadcrumbs = BreadcrumbTrail.EMPTY;
    return this;
  }

  /** Runs after the existing processors, on each event of the scope, before `beforeSend`. */
  addEventProcessor(callback: EventProcessor): this {
    if (isNoFunction('addEventProcessor', callback)) return this;
    append(ownList(this.#own(), 'eventProcessors'), callback);
    return this;
  }

  /** Sent with each event of the scope. */
  addAttachment(attachment: Attachment): this {
    if (isNoObject('attachments', attachment) || !isObject(attachment)) return this;
    append(ownList(this.#own(), 'attachments'), attachment);
    return this;
  }

  /** Clears everything but the client, and begins a new trace. */
  clear(): this {
    this.#state = createScopeState(this.#state.client);
    this.#lastEventId = undefined;
    return this;
  }

  /** The scope's trace while no span is active; a new one if none was set. */
  getPropagationContext(): PropagationContext {
    const { propagation } = this.#state;
    propagation.context ??= createPropagationContext();
    return propagation.context;
  }

  /** @param context copied */
  setPropagationContext(context: PropagationContext): this {
    this.#own().propagation = { context: readPropagationContext(context) };
    return this;
  }

  /** Data for the SDK's own steps, merged two levels deep; never sent. */
  setSDKProcessingMetadata(metadata: SdkProcessingMetadata): this {
    const target = ownMap(this.#own(), 'sdkProcessingMetadata');
    for (const [key, value] of Object.entries(copyLimited(metadata))) {
      const present = target[key];
      const isMerged = isPlainObject(present) && isPlainObject(value);
      setOwn(target, key, isMerged ? { ...copyLimited(present), ...copyLimited(value) } : value);
    }
    return this;
  }

  /** Removes an attribute. */
  removeAttribute(key: string): this {
    if (typeof key === 'string') delete ownMap(this.#own(), 'attributes')[key];
    return this;
  }

  /** Captures an exception with this scope as the current one. @returns the id of the event */
  captureException(exception: unknown, hint?: EventHint): string {
    const ownHint = withStack(hint, syntheticFor(exception, captureOwnException));
    return this.getClient()?.captureException(exception, ownHint, this) ?? uuid4();
  }

  /** Captures a message with this scope as the current one. @returns the id of the event */
  captureMessage(message: string, level?: SeverityLevel, hint?: EventHint): string {
    const client = this.getClient();
    const syntheticException = client?.settings.attachStacktrace ? errorAt(captureOwnMessage, message) : undefined;
    return client?.captureMessage(message, level, withStack(hint, syntheticException), this) ?? uuid4();
  }

  /** Captures an event with this scope as the current one. @returns the id of the event */
  captureEvent(event: Event, hint?: EventHint): string {
    return this.getClient()?.captureEvent(event, hint, this) ?? uuid4();
  }

  /** The client used while the scope is current; `undefined` means the client of `init`. */
  setClient(client: Client | undefined): this {
    if (client === undefined || hasClientBrand(client)) this.#own().client = client;
    return this;
  }

  /** The client set on this scope, else that of the last `init`. */
  getClient(): Client | undefined {
    return this.#state.client ?? findDefaultClient(this);
  }

  /** Without an argument, removes the session. */
  setSession(session?: Session): this {
    if (session !== undefined && !isSession(session)) return this;
    this.#own().session = session;
    if (session) sessionScopes.set(session, this);
    return this;
  }

  /** The session in which error events of the scope are counted. */
  getSession(): Session | undefined {
    return this.#state.session;
  }

  /** Called by each capture of an error event. */
  setLastEventId(eventId: string | undefined): this {
    this.#lastEventId = eventId;
    return this;
  }

  /** Id of the last error event captured under this isolation scope, 32 hex characters. */
  lastEventId(): string | undefined {
    return this.#lastEventId;
  }

  /**
   * Merges a capture context: maps by key, lists concatenated, other members replaced if present. A function is called
   * with this scope, and its result is merged. From another scope, members that this one already has are not added
   * again, for example if it was cloned from this scope.
   */
  update(captureContext?: CaptureContext): this {
    const source = readCaptureContext(captureContext, this);
    if (!source) return this;
    const other = Scope.is(source) ? source.snapshot() : undefined;
    if (other) adoptLists(this.#own(), other);
    if (other?.transactionName) this.setTransactionName(other.transactionName);
    const context: Partial<ScopeContext> = other ? scopeContextOf(other) : copyLimited(source);
    const { user } = context;
    if (context.tags) this.setTags(context.tags);
    if (context.extra) this.setExtras(context.extra);
    if (context.contexts) this.setContexts(context.contexts);
    if (context.attributes) this.setAttributes(context.attributes);
    if (user === null || (user && (!isObject(user) || Object.keys(copyLimited(user)).length > 0))) this.setUser(user);
    if (context.level) this.setLevel(context.level);
    const fingerprint = readFingerprint(context.fingerprint);
    if (fingerprint.length > 0) this.setFingerprint(fingerprint);
    if (context.propagationContext) this.setPropagationContext(context.propagationContext);
    if (context.conversationId) this.setConversationId(context.conversationId);
    for (const attachment of readAttachments(context.attachments)) this.addAttachment(attachment);
    return this;
  }

  /** A copy of all data of the scope. */
  getScopeData(): ScopeData {
    return scopeDataOf(this.#state, this.getPropagationContext());
  }

  /**
   * Read-only snapshot of the state; costs nothing, and later writes do not affect it.
   *
   * @internal
   */
  snapshot(): Readonly<ScopeState> {
    return shareState(this.#state);
  }

  #own(): ScopeState {
    this.#state = ownState(this.#state);
    return this.#state;
  }

  #set(member: MapMember, key: string, value: unknown): this {
    if (isNoKey(member, key)) return this;
    if (member === 'tags') noteTagValue(key, value);
    setOwn(ownMap(this.#own(), member), key, value);
    return this;
  }

  #setAll(member: MapMember, values: object): this {
    if (isNoObject(member, values)) return this;
    for (const [key, value] of Object.entries(copyLimited(values))) this.#set(member, key, value);
    return this;
  }
}

/** On the stack of each capture, also when somebody has replaced the methods by others that call them. */
const { captureException: captureOwnException, captureMessage: captureOwnMessage } = Scope.prototype;

function isScopeOfAnotherCopy(value: object): boolean {
  const isScope = readProperty(value, IS_SCOPE);
  return typeof isScope === 'function' && guardOwn('a scope', () => isScope.call(value), false) === true;
}
