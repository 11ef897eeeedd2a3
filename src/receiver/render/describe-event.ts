import { isObject, toList, toNumber, toObject, toObjects, toText } from '../read-json.js';
import type { Json } from '../received.js';

/** What the terminal and the page say of an event. Events come from anybody: each member may have any type. */

/** The exceptions of an event, the caught one first, then its causes. */
export function exceptionsIn(event: Json): Json[] {
  const exception = toObject(event['exception']);
  return toObjects(exception['values'] ?? event['exception']).reverse();
}

/** Frames, the innermost call first. */
export function framesIn(exception: Json | undefined): Json[] {
  return toObjects(toObject(exception?.['stacktrace'])['frames']).reverse();
}

/** The innermost frame of the application's own code, or else the innermost frame. */
export function culpritOf(exception: Json | undefined): Json | undefined {
  const frames = framesIn(exception);
  return frames.find(({ in_app }) => in_app === true) ?? frames[0];
}

/** `CardError: expired`, or the message. */
export function titleOf(event: Json): string {
  const [caught] = exceptionsIn(event);
  if (caught !== undefined) return titleOfException(caught);
  return messageOf(event) || '(no message)';
}

export function titleOfException({ type, value }: Json): string {
  return [toText(type) || 'Error', toText(value)].filter((part) => part !== '').join(': ');
}

/** The message of an event that has no exception. */
export function messageOf({ message, logentry }: Json): string {
  const entry = toObject(logentry);
  const own = isObject(message) ? message['formatted'] : message;
  return toText(own) || toText(entry['formatted']) || toText(entry['message']);
}

export function levelOf({ level }: Json): string {
  return toText(level) || 'error';
}

/** Whether events of a level are errors, and not just worth knowing. */
export function isErrorLevel(level: string): boolean {
  return level === 'error' || level === 'fatal';
}

/** The number of events by level: `2 errors`, `1 info`. */
export function countLevels(levels: readonly string[]): string[] {
  const others = levels.filter((level) => !isErrorLevel(level));
  const counts = [...new Set(others)].map((level) => `${others.filter((one) => one === level).length} ${level}`);
  return [plural(levels.length - others.length, 'error'), ...counts];
}

/** Whether nobody caught the exception. */
export function isUnhandled(event: Json): boolean {
  return exceptionsIn(event).some(({ mechanism }) => toObject(mechanism)['handled'] === false);
}

export function traceContextOf({ contexts }: Json): Json {
  return toObject(toObject(contexts)['trace']);
}

export function traceOf(event: Json): { traceId: string; spanId: string; parentId: string } {
  const { trace_id, span_id, parent_span_id } = traceContextOf(event);
  return { traceId: toText(trace_id), spanId: toText(span_id), parentId: toText(parent_span_id) };
}

/** The service that sent an event, as far as it says. */
export function serviceOf(event: Json): string {
  const resource = toObject(toObject(toObject(event['contexts'])['otel'])['resource']);
  return toText(event['server_name']) || toText(resource['service.name']);
}

/** `getUser (src/users.js:12:15)` */
export function describeFrame(frame: Json, folder = ''): string {
  const position = [frame['lineno'], frame['colno']].filter((number) => toNumber(number) !== undefined);
  const place = [shortenPath(fileOf(frame), folder), ...position].join(':');
  return `${functionOf(frame)} (${place})`;
}

/** With Node's word for a function without a name: the protocol's is a question mark, as in `Server.?`. */
export function functionOf(frame: Json): string {
  return toText(frame['function']).replace(/^$|\?$/, '<anonymous>');
}

export function fileOf(frame: Json): string {
  return toText(frame['abs_path']) || toText(frame['filename']) || toText(frame['module']) || '<unknown>';
}

/** A path below the folder without it. */
export function shortenPath(path: string, folder: string): string {
  const start = folder === '' || folder.endsWith('/') ? folder : `${folder}/`;
  return start !== '' && path.startsWith(start) ? path.slice(start.length) : path;
}

/** The source lines around the call of a frame, `count` before and after; empty when the event has none. */
export function sourceOf(frame: Json, count: number): { number: number; code: string; isCulprit: boolean }[] {
  const number = toNumber(frame['lineno']);
  if (number === undefined || typeof frame['context_line'] !== 'string') return [];
  const before = toList(frame['pre_context']).slice(-count);
  const lines = [...before, frame['context_line'], ...toList(frame['post_context']).slice(0, count)];
  return lines.map(toText).map((code, index) => ({
    number: number - before.length + index,
    code,
    isCulprit: index === before.length,
  }));
}

/** Breadcrumbs, oldest first. */
export function breadcrumbsOf({ breadcrumbs }: Json): Json[] {
  return toObjects(toObject(breadcrumbs)['values'] ?? breadcrumbs);
}

export function describeBreadcrumb(breadcrumb: Json) {
  const data = toObject(breadcrumb['data']);
  const request = [data['method'] ?? data['http.request.method'], data['url'] ?? data['url.full']].map(toText);
  const status = toText(data['status_code'] ?? data['http.response.status_code']);
  const words = [toText(breadcrumb['message']), ...request, status && `[${status}]`];
  const text = words.filter((word) => word !== '').join(' ');
  return {
    timeMillis: toMillis(breadcrumb['timestamp']),
    category: toText(breadcrumb['category']) || toText(breadcrumb['type']) || 'default',
    level: toText(breadcrumb['level']) || 'info',
    text: text || describePairs(data),
  };
}

/** Unix milliseconds, of Unix seconds or an ISO date. */
export function toMillis(value: unknown): number | undefined {
  const millis = typeof value === 'string' ? Date.parse(value) : (toNumber(value) ?? Number.NaN) * 1000;
  return Math.abs(millis) <= 8.64e15 ? millis : undefined;
}

/** `12:01:33.950`, in the local time zone. */
export function formatTime(millis: number | undefined): string {
  if (millis === undefined) return '--:--:--.---';
  const date = new Date(millis);
  const parts = [date.getHours(), date.getMinutes(), date.getSeconds()].map((part) => String(part).padStart(2, '0'));
  return `${parts.join(':')}.${String(date.getMilliseconds()).padStart(3, '0')}`;
}

export function formatDuration(millis: number): string {
  if (millis >= 10_000) return `${(millis / 1000).toFixed(1)} s`;
  return `${millis.toFixed(1)} ms`;
}

/** `1 span`, `2 spans` */
export function plural(quantity: number, noun: string): string {
  return `${quantity} ${noun}${quantity === 1 ? '' : 's'}`;
}

/** `cart=cart-7 plan=free` */
export function describePairs(values: unknown): string {
  return Object.entries(toObject(values))
    .map(([key, value]) => `${key}=${toText(value)}`)
    .join(' ');
}
