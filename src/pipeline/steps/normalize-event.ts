import { keysOf } from '../../internal/patching/originals.js';
import { copyKeys } from '../../internal/values/copy-own.js';
import { mergeOwn } from '../../internal/values/merge-own.js';
import { MAX_KEY_LENGTH, type NormalizeBounds, Normalizer, type Remembered } from '../../internal/values/normalize.js';
import { digitsOf } from '../../internal/values/placeholders.js';
import { isArray, isObject, readProperty } from '../../internal/values/read.js';
import { setOwn } from '../../internal/values/set-own.js';
import { MAX_BODY_LENGTH, truncate } from '../../internal/values/strings.js';
import type { Breadcrumb } from '../../model/event/breadcrumb.js';
import { type SentBreadcrumb, sentLists, type TrailEntry, trailOf } from '../../model/event/breadcrumb-trail.js';
import { constantOf } from '../../model/event/constant-context.js';
import {
  CONTEXT_DEPTH,
  type Contexts,
  type Event,
  type TraceContext,
  USER_IDENTIFIERS,
} from '../../model/event/event.js';
import { shareBreadcrumbs } from '../../model/event/sent-breadcrumbs.js';
import { isShared, share } from '../../model/event/shared-parts.js';
import {
  MAX_DESCRIPTION_LENGTH,
  MAX_DESCRIPTIONS_LENGTH,
  MAX_OP_LENGTH,
  type SpanJSON,
} from '../../model/event/span-json.js';
import { WrittenSpans } from '../../model/event/written-spans.js';
import type { Settings } from '../../model/options.js';
import { hasSendHooks } from '../../model/send-hooks.js';
import type { Step } from '../step.js';

/** Limits from the settings. */
interface NormalizeLimits extends Pick<NormalizeBounds, 'maxBreadth' | 'maxSize' | 'copy'> {
  /** Levels of nesting kept in attached data; 0 leaves it unchanged. */
  readonly depth: number;
  /** Characters of the message, of each exception's value and of the URL; 0 means all. */
  readonly maxValueLength: number;
}

/** `contexts.flags` is a list of objects, useless if it is cut. */
const FLAGS_DEPTH = 3;
const MIN_DESCRIPTION_LENGTH = 128;

const UNCUT: NormalizeLimits = {
  depth: Number.POSITIVE_INFINITY,
  maxBreadth: Number.POSITIVE_INFINITY,
  maxValueLength: 0,
  copy: true,
};

/** A body that is a string has as many characters at most as the other data has bytes. */
const SMALL: NormalizeLimits = { ...UNCUT, copy: false, maxSize: 128 * 1024 };

/**
 * Normalizes events within the limits of the settings.
 *
 * Hooks may change the event, whose data may be shared with scopes, the application or other events. So hooks get
 * copies, at any depth.
 */
export function createNormalizeEvent(settings: Settings): Step {
  const { normalizeDepth, normalizeMaxBreadth, maxValueLength } = settings;
  const copy = hasSendHooks(settings);
  const asSet = { depth: normalizeDepth, maxBreadth: normalizeMaxBreadth, maxValueLength, copy };
  const limits = normalizeDepth === 0 && copy ? { ...UNCUT, maxValueLength } : asSet;
  return (event) => normalizeEvent(event, limits);
}

/**
 * Cuts an event to the limits: strings to their length, and attached data (`user`, `contexts`, `extra`, `tags`, data of
 * breadcrumbs, spans and the request) to JSON of bounded depth, breadth and size. Span data has its own size limit.
 *
 * @param event sanitized
 * @returns the same event if nothing had to change; never mutates it
 */
export function normalizeEvent(event: Event, limits: NormalizeLimits): Event {
  const draft = new Draft(event);
  truncateTexts(draft, limits.maxValueLength);
  if (limits.depth > 0) normalizeAttached(draft, new Containers(limits));
  limitTrace(draft);
  // Written spans are within the limits.
  if (event.spans && !WrittenSpans.is(event.spans)) normalizeSpans(draft, event.spans, limits);
  return draft.event;
}

function truncateTexts(draft: Draft, maxLength: number): void {
  const cut = (text: string | undefined) => text && truncate(text, maxLength);
  const { message, logentry, request, exception } = draft.event;
  draft.set('message', cut(message));
  if (logentry) draft.set('logentry', withMember(logentry, 'message', cut(logentry.message)));
  if (request) draft.set('request', withMember(request, 'url', cut(request.url)));
  if (exception) {
    const values = mapItems(exception.values, (one) => withMember(one, 'value', cut(one.value)));
    draft.set('exception', withMember(exception, 'values', values));
  }
}

/** Span names are often database statements, which may be long, and a transaction may have a thousand spans. */
function normalizeSpans(draft: Draft, spans: SpanJSON[], limits: NormalizeLimits): void {
  const containers = new Containers({ ...limits, isOwnData: true });
  let charactersLeft = MAX_DESCRIPTIONS_LENGTH;
  const describe = (text: string | undefined) => {
    if (text === undefined) return text;
    const cut = truncate(text, charactersLeft > 0 ? MAX_DESCRIPTION_LENGTH : MIN_DESCRIPTION_LENGTH);
    charactersLeft -= cut.length;
    return cut;
  };
  const normalized = mapItems(spans, (span) => {
    const data = limits.depth > 0 ? containers.normalize(span.data) : span.data;
    return limitLabels(withMember(withMember(span, 'data', data), 'description', describe(span.description)));
  });
  draft.set('spans', normalized);
}

function limitTrace(draft: Draft): void {
  const { contexts } = draft.event;
  if (contexts?.trace) draft.set('contexts', withMember(contexts, 'trace', limitLabels(contexts.trace)));
}

function limitLabels<T extends SpanJSON | TraceContext>(span: T): T {
  const limit = (label: string | undefined) => label && truncate(label, MAX_OP_LENGTH);
  return withMember(withMember(span, 'op', limit(span.op)), 'status', limit(span.status));
}

function normalizeAttached(draft: Draft, containers: Containers): void {
  const { contexts, user, tags, request, extra, breadcrumbs, spans } = draft.event;
  // If the SDK wrote the spans, it also made the attributes of their root.
  if (contexts) draft.set('contexts', containers.normalizeContexts(contexts, WrittenSpans.is(spans)));
  if (user) draft.set('user', containers.normalize(withDigits(user, USER_IDENTIFIERS)));
  if (tags) draft.set('tags', containers.normalize(withDigits(tags, Object.keys(tags)), 1));
  if (request) draft.set('request', withMember(request, 'data', containers.normalizeBody(request.data)));
  if (extra) draft.set('extra', containers.normalize(extra));
  if (breadcrumbs) draft.set('breadcrumbs', containers.normalizeBreadcrumbs(breadcrumbs));
}

/** Replaces bigints, which may be ids, by their digits. */
function withDigits<T extends Record<string, unknown>>(source: T, members: readonly string[]): T {
  let result: Record<string, unknown> = source;
  for (const member of members) {
    const value = readProperty(result, member);
    if (typeof value !== 'bigint') continue;
    if (result === source) result = { ...source };
    setOwn(result, member, digitsOf(value));
  }
  return result as T;
}

/**
 * Copies attached data within an event. Called when the event starts to wait for a promise: changes that the
 * application makes to the attached objects meanwhile must not be sent.
 */
export function detachFromApplication(event: Event): void {
  Object.assign(event, normalizeEvent(event, UNCUT));
}

/** Cuts attached data to a fraction of what servers accept, for one that finds the event too large. */
export function withLessData(event: Event): Event {
  return normalizeEvent(event, SMALL);
}

/** An event with copy on write. */
class Draft {
  event: Event;
  readonly #original: Event;

  constructor(event: Event) {
    this.event = event;
    this.#original = event;
  }

  set<Member extends keyof Event>(member: Member, value: Event[Member]): void {
    if (value === this.event[member]) return;
    if (this.event === this.#original) this.event = mergeOwn<Event>(this.event);
    this.event[member] = value;
  }
}

/** Normalizes the data of one event within a shared size limit. */
class Containers {
  readonly #limits: NormalizeLimits;
  readonly #normalizer: Normalizer;

  constructor(limits: NormalizeLimits & Pick<NormalizeBounds, 'isOwnData'>) {
    this.#limits = limits;
    this.#normalizer = new Normalizer(limits);
  }

  normalizeBody(body: unknown): unknown {
    const { maxSize = MAX_BODY_LENGTH } = this.#limits;
    return typeof body === 'string' ? truncate(body, maxSize) : this.#normalizer.normalize(body, this.#limits.depth);
  }

  /** The result must be an object: servers reject events with any other value here. */
  normalize<T>(container: T, depth = this.#limits.depth): T {
    return this.#toObject(container, this.#normalizer.normalize(container, depth));
  }

  #toObject<T>(container: T, normalized: unknown): T {
    if (typeof container !== 'object') return normalized as T;
    if (typeof normalized === 'string') return { ERROR: normalized } as T;
    // `toJSON` may return anything.
    if (normalized === undefined) return {} as T;
    return (isObject(normalized) && !isArray(normalized) ? normalized : { value: normalized }) as T;
  }

  /** @param isOwnTrace whether the SDK made the trace context */
  normalizeContexts(contexts: Contexts, isOwnTrace: boolean): Contexts {
    const names = keysOf(contexts);
    // A copy, from the first context that changes.
    let changed: Contexts | undefined;
    for (let i = 0; i < names.length; i++) {
      const name = names[i]!;
      const context = contexts[name];
      // `contexts.trace` is required.
      const isTaken = name === 'trace' || this.#normalizer.take(name.length);
      const normalized = isTaken ? this.#normalizeContext(name, context, isOwnTrace) : undefined;
      const key = truncate(name, MAX_KEY_LENGTH);
      if (!changed && isTaken && normalized === context && key === name) continue;
      changed ??= copyKeys(contexts, names.slice(0, i)) as Contexts;
      // Not assigned: a context named `__proto__` would become the prototype.
      if (isTaken) setOwn(changed, key, normalized);
    }
    return changed ?? contexts;
  }

  /** Breadcrumbs of a scope are normalized once, for the first event that has them. */
  normalizeBreadcrumbs(breadcrumbs: Breadcrumb[]): Breadcrumb[] | undefined {
    if (isShared(breadcrumbs)) return breadcrumbs;
    const entries = this.#limits.copy ? undefined : trailOf(breadcrumbs);
    if (!entries) return mapItems(breadcrumbs, (one) => withMember(one, 'data', this.normalize(one.data)));
    const known = sentLists.get(breadcrumbs);
    if (this.#isUsable(known)) return known.value;
    const { sizeLeft } = this.#normalizer;
    const sent = new Array<SentBreadcrumb>(entries.length);
    // In the order of `mapItems`.
    for (let i = entries.length - 1; i >= 0; i--) sent[i] = this.#sentOf(entries[i]!);
    const value = shareBreadcrumbs(sent);
    if (this.#isWhole) sentLists.set(breadcrumbs, { value, limits: this.#limits, size: this.#sizeSince(sizeLeft) });
    return value;
  }

  #sentOf(entry: TrailEntry): SentBreadcrumb {
    const known = entry.sent;
    if (this.#isUsable(known)) return known;
    const { sizeLeft } = this.#normalizer;
    const { data } = entry.breadcrumb;
    // A copy, because the application may change its object.
    const own = this.#toObject(data, this.#normalizer.copy(data, this.#limits.depth));
    const value = { ...entry.breadcrumb, data: own };
    const sent = { value, limits: this.#limits, size: this.#sizeSince(sizeLeft), json: undefined };
    if (this.#isWhole) entry.sent = sent;
    return sent;
  }

  #normalizeContext<T extends Contexts[string]>(name: string, context: T, isOwnTrace: boolean): T {
    if (name === 'flags') return this.normalize(context, FLAGS_DEPTH);
    if (name !== 'trace' || !context) return this.#normalizeOther(context);
    const trace: TraceContext = context;
    const data = isOwnTrace
      ? this.#toObject(trace.data, this.#normalizer.normalizeOwn(trace.data, this.#limits.depth))
      : this.normalize(trace.data);
    return withMember(trace, 'data', data) as T;
  }

  /** A constant context is normalized once, for the first event that has it. */
  #normalizeOther<T extends Contexts[string]>(context: T): T {
    const constant = constantOf(context);
    const known = constant?.normalized;
    if (this.#isUsable(known)) return known.value as T;
    const { sizeLeft } = this.#normalizer;
    const normalized = this.normalize(context, ownDepthOf(context) ?? Math.max(this.#limits.depth - 1, 1));
    if (!constant || !normalized || !this.#isWhole) return normalized;
    constant.normalized = { value: share(normalized), limits: this.#limits, size: this.#sizeSince(sizeLeft) };
    return normalized;
  }

  /** Whether this event may have what was normalized for an earlier one. */
  #isUsable<Known extends Remembered<unknown>>(known: Known | undefined): known is Known {
    return known?.limits === this.#limits && this.#normalizer.take(known.size);
  }

  /** Whether nothing was cut for the size limit. What did not fit into this event may fit into the next one. */
  get #isWhole(): boolean {
    return this.#normalizer.sizeLeft > 0;
  }

  #sizeSince(sizeLeft: number): number {
    return sizeLeft - this.#normalizer.sizeLeft;
  }
}

function ownDepthOf(context: unknown): number | undefined {
  const depth = readProperty(context, CONTEXT_DEPTH);
  return typeof depth === 'number' ? depth : undefined;
}

/** Starts at the last item, so that the size limit cuts the oldest breadcrumbs. */
function mapItems<T>(items: T[] | undefined, change: (item: T) => T): T[] | undefined {
  let result = items;
  for (let i = (items?.length ?? 0) - 1; i >= 0; i--) {
    const changed = change(items![i]!);
    if (changed === items![i]) continue;
    if (result === items) result = [...items!];
    result![i] = changed;
  }
  return result;
}

function withMember<T extends object, Member extends keyof T>(item: T, member: Member, value: T[Member]): T {
  return item[member] === value ? item : { ...item, [member]: value };
}
