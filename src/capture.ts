import { types } from 'node:util';
import { getClient, getInnerClient, getIsolationScope } from './context/current-scopes.js';
import { loseCapture } from './context/lost-captures.js';
import { askUserCode } from './context/observed/report-hook.js';
import { readMillis, reportMistake, reportMistakesNow } from './context/observed/report-mistakes.js';
import { nowSeconds } from './internal/clock.js';
import { guardOwn } from './internal/guard.js';
import { uuid4 } from './internal/ids.js';
import { describeUnknown, listUnknown } from './internal/options/unknown-names.js';
import { builtInClassOf } from './internal/values/built-in.js';
import { copyDefined, copyKeys, copyLimited } from './internal/values/copy-own.js';
import { describe, typeOf } from './internal/values/in-message.js';
import { isError } from './internal/values/is-error.js';
import { isArray, isIndexed, isObject } from './internal/values/read.js';
import { type Breadcrumb, type BreadcrumbHint, copyBreadcrumb } from './model/event/breadcrumb.js';
import type { Context, Contexts, Event, Extras, Primitive, User } from './model/event/event.js';
import { type FeedbackParams, feedbackEvent } from './model/event/feedback.js';
import { readSeverityLevel, type SeverityLevel } from './model/event/severity.js';
import type { RawAttributes, SpanAttributeValue } from './model/event/span-json.js';
import {
  type CaptureContext,
  type EventHint,
  type EventProcessor,
  errorAt,
  syntheticFor,
  withStack,
} from './model/hint.js';
import { isNoObject } from './model/scope/check-data.js';
import { appendLateBreadcrumb, Scope } from './model/scope/scope.js';

/**
 * Captures an exception, or any other thrown value. Capturing the same object again has no effect.
 *
 * @param hintOrContext data for this one event
 * @returns the id of the event, 32 hex characters, also when nothing is sent
 */
export function captureException(exception: unknown, hintOrContext?: EventHint | CaptureContext): string {
  const client = getClient();
  if (!client) return loseCapture();
  // Our own handlers always pass a hint; for them, `undefined` is what the application threw, not a mistake.
  if (exception === undefined && !hintOrContext) noteNothing('captureException', 'the exception');
  if (types.isPromise(exception)) {
    reportMistake(
      'captureException',
      'the exception is a promise; its reason is not sent. Await it in a try, and capture what the catch gets',
    );
  }
  return client.captureException(
    exception,
    withStack(toHint('captureException', hintOrContext), syntheticFor(exception, captureException)),
  );
}

/**
 * Captures a message.
 *
 * @param levelOrContext severity (`info` when absent), or data for this one event
 * @returns the id of the event, 32 hex characters, also when nothing is sent
 */
export function captureMessage(message: string, levelOrContext?: SeverityLevel | EventHint | CaptureContext): string {
  const client = getClient();
  if (!client) return loseCapture();
  if (message === undefined) noteNothing('captureMessage', 'the message');
  const isLevel = typeof levelOrContext === 'string';
  const level = isLevel ? readSeverityLevel('captureMessage', levelOrContext) : undefined;
  const hint = isLevel ? {} : toHint('captureMessage', levelOrContext);
  const syntheticException = client.settings.attachStacktrace ? errorAt(captureMessage, message) : undefined;
  return client.captureMessage(message, level, withStack(hint, syntheticException));
}

/**
 * Captures an event made by hand.
 *
 * @returns the id of the event, 32 hex characters, also when nothing is sent
 */
export function captureEvent(event: Event, hintOrContext?: EventHint | CaptureContext): string {
  const client = getClient();
  if (!client) return loseCapture();
  if (!isObject(event) || isArray(event) || isError(event)) {
    const found = isError(event) ? 'an error, which captureException takes' : typeOf(event);
    const problem = `the event must be an object such as { message }, but is ${found}; the event is sent without content`;
    reportMistake('captureEvent', problem);
  }
  return client.captureEvent(event, toHint('captureEvent', hintOrContext));
}

function noteNothing(caller: string, what: string): void {
  reportMistake(caller, `${what} is undefined; the event is sent without it`);
}

/**
 * Captures feedback of a user of the application. Event processors see it, `beforeSend` does not.
 *
 * @param hintOrContext data for this one feedback, for example `attachments` that travel with it
 * @returns the id of the feedback, 32 hex characters, also when nothing is sent
 */
export function captureFeedback(params: FeedbackParams, hintOrContext?: EventHint | CaptureContext): string {
  const event = feedbackEvent(params);
  reportMistakesNow();
  return event ? captureEvent(event, hintOrContext) : uuid4();
}

const BEFORE_BREADCRUMB = {
  consequence: 'the breadcrumb was discarded. It must return the breadcrumb, or null to discard it on purpose',
  findProblem: (returned: unknown) =>
    returned === null || (isObject(returned) && !builtInClassOf(returned))
      ? undefined
      : `returned ${builtInClassOf(returned) ?? describe(returned)}`,
};

/**
 * Adds a breadcrumb to the isolation scope, unless `beforeBreadcrumb` returns `null`. Without a client it is dropped.
 *
 * @param hint for `beforeBreadcrumb` only
 */
export function addBreadcrumb(breadcrumb: Breadcrumb, hint: BreadcrumbHint = {}): void {
  const client = getClient();
  if (!client?.settings.enabled || client.settings.maxBreadcrumbs <= 0) return;
  if (isNoObject('addBreadcrumb', breadcrumb)) return;
  const { beforeBreadcrumb, maxBreadcrumbs } = client.settings;
  const kept = beforeBreadcrumb
    ? (askUserCode(
        'beforeBreadcrumb',
        () => beforeBreadcrumb({ timestamp: nowSeconds(), ...copyBreadcrumb(breadcrumb) }, hint),
        BEFORE_BREADCRUMB,
        client.settings,
      ) as Breadcrumb | null | undefined)
    : breadcrumb;
  if (!isObject(kept)) return;
  client.emit('beforeAddBreadcrumb', kept, hint);
  guardOwn('addBreadcrumb', () => getIsolationScope().addBreadcrumb(kept, maxBreadcrumbs));
}

/**
 * Like `addBreadcrumb`, for a breadcrumb that takes long to make: it is made when an event contains it, or at once if user
 * code sees each breadcrumb.
 *
 * @param create called once at most; sets the `timestamp`
 */
export function addLateBreadcrumb(create: () => Breadcrumb, hint: BreadcrumbHint): void {
  const client = getInnerClient();
  if (!client?.settings.enabled || client.settings.maxBreadcrumbs <= 0) return;
  const { beforeBreadcrumb, maxBreadcrumbs } = client.settings;
  if (beforeBreadcrumb || client.listens('beforeAddBreadcrumb')) addBreadcrumb(create(), hint);
  else guardOwn('addBreadcrumb', () => appendLateBreadcrumb(getIsolationScope(), create, maxBreadcrumbs));
}

/** Sets the user on the isolation scope; `null` unsets it. */
export function setUser(user: User | null): void {
  getIsolationScope().setUser(user);
}

/** Sets a tag on the isolation scope. @see {@link Scope.setTag} */
export function setTag(key: string, value: Primitive): void {
  getIsolationScope().setTag(key, value);
}

/** Sets several tags on the isolation scope and keeps the others. */
export function setTags(tags: Record<string, Primitive>): void {
  getIsolationScope().setTags(tags);
}

/** Sets arbitrary data on the isolation scope. @see {@link Scope.setExtra} */
export function setExtra(key: string, extra: unknown): void {
  getIsolationScope().setExtra(key, extra);
}

/** Sets several extras on the isolation scope and keeps the others. */
export function setExtras(extras: Extras): void {
  getIsolationScope().setExtras(extras);
}

/** Sets a context on the isolation scope; `null` removes it. */
export function setContext(key: string, context: Context | null): void {
  getIsolationScope().setContext(key, context);
}

/** Sets several contexts on the isolation scope and keeps the others. */
export function setContexts(contexts: Contexts): void {
  getIsolationScope().setContexts(contexts);
}

/** Sets an attribute on the isolation scope. @see {@link Scope.setAttribute} */
export function setAttribute(key: string, value: SpanAttributeValue | undefined): void {
  getIsolationScope().setAttribute(key, value);
}

/** Sets many attributes on the isolation scope; the others stay. */
export function setAttributes(attributes: RawAttributes): void {
  getIsolationScope().setAttributes(attributes);
}

/** Adds an event processor to the isolation scope. It runs after those added before, and before `beforeSend`. */
export function addEventProcessor(callback: EventProcessor): void {
  getIsolationScope().addEventProcessor(callback);
}

/** Returns the id of the last error event of the isolation scope, 32 hex characters, also if it was not sent. */
export function lastEventId(): string | undefined {
  return getIsolationScope().lastEventId();
}

/**
 * Waits until everything captured so far is delivered or discarded.
 *
 * @param timeoutMillis how long to wait at most; 0 does not wait; without it, until done
 * @returns false when time was up, when something captured since the last flush was lost, and without a client; never
 *   rejects
 */
export async function flush(timeoutMillis?: number): Promise<boolean> {
  return (await getClient()?.flush(readMillis('flush', timeoutMillis))) ?? false;
}

/**
 * Flushes and closes the client. Later captures return ids, but nothing is sent.
 *
 * @param timeoutMillis how long to wait at most; 0 does not wait; without it, until done
 * @returns false when time was up, when something captured since the last flush was lost, and without a client; never
 *   rejects
 */
export async function close(timeoutMillis?: number): Promise<boolean> {
  return (await getClient()?.close(readMillis('close', timeoutMillis))) ?? false;
}

/** Whether there is a client, it is enabled, and it has a destination. */
export function isEnabled(): boolean {
  const client = getClient();
  return client?.settings.enabled === true && client.getTransport() !== undefined;
}

/** Whether `init` has been called. */
export function isInitialized(): boolean {
  return getClient() !== undefined;
}

const CONTEXT_MEMBERS = [
  'user',
  'level',
  'extra',
  'contexts',
  'tags',
  'fingerprint',
  'propagationContext',
  'attributes',
  'conversationId',
] as const;
const HINT_MEMBERS = [
  'event_id',
  'mechanism',
  'syntheticException',
  'originalException',
  'data',
  'integrations',
] as const;
const KNOWN_MEMBERS = [...CONTEXT_MEMBERS, ...HINT_MEMBERS, 'attachments', 'captureContext'];

/**
 * The second argument of the capture functions is a hint, a capture context, or has members of both. An object with
 * nothing but `attachments` could be either, and both mean the same.
 */
function toHint(caller: string, hintOrContext: EventHint | CaptureContext | undefined): EventHint {
  if (typeof hintOrContext === 'function' || Scope.is(hintOrContext)) return { captureContext: hintOrContext };
  const found = findNoHint(hintOrContext);
  if (found !== undefined)
    reportMistake(caller, `its second argument must be an object, such as { level: 'fatal' }, but is ${found}`);
  if (found !== undefined || !isObject(hintOrContext)) return {};
  const members = copyLimited(hintOrContext);
  reportUnknown(caller, members);
  if (!CONTEXT_MEMBERS.some((member) => Object.hasOwn(members, member))) return members;
  // Here, so that the message names the function that was called.
  if (readSeverityLevel(caller, members['level']) === undefined) delete members['level'];
  const { captureContext } = members as EventHint;
  const both = (scope: Scope) => scope.update(captureContext).update(members);
  return { ...copyDefined(copyKeys(members, HINT_MEMBERS)), captureContext: captureContext ? both : members };
}

/** What somebody passed by mistake, and what becomes of it; `undefined` for an object, and for nothing. */
function findNoHint(value: unknown): string | undefined {
  if (isError(value))
    return "an error, which is not sent. Make it the cause of the first: new Error('what failed', { cause: error })";
  if (typeof value !== 'string' && !isIndexed(value)) return undefined;
  return `${builtInClassOf(value) ?? 'a string'}; it is ignored`;
}

function reportUnknown(caller: string, members: object): void {
  const unknown = listUnknown('member', '', members, KNOWN_MEMBERS);
  if (unknown.length === 0) return;
  const advice = 'Put what is to be sent into tags, extra or contexts, and what hooks need into data';
  reportMistake(caller, `${describeUnknown(unknown, 'it is not sent')}. ${advice}`);
}
