import { keysOf } from '../../internal/patching/originals.js';
import { joinList, type MeasuredJson, measure, quote, stringify } from '../../internal/values/json.js';
import { setOwn } from '../../internal/values/set-own.js';
import type { Event } from '../event/event.js';
import type { Exception, Stacktrace } from '../event/exception.js';
import { isShared, stringifyPart } from '../event/shared-parts.js';
import { WrittenSpans } from '../event/written-spans.js';

/** The JSON of an event's payload, in which shared parts are serialized once for all events. Changes the order of members. */
export function stringifyEvent(event: Event): string {
  return measureEvent(event).text;
}

/** Members of an event that are serialized apart. */
const PARTS = ['breadcrumbs', 'contexts', 'exception', 'modules', 'sdk', 'spans'];

/** Like `stringifyEvent`. */
export function measureEvent(event: Event): MeasuredJson {
  const { breadcrumbs, contexts, exception, modules, sdk, spans } = event;
  const json = openObject(event, PARTS);
  if (exception !== undefined) addMember(json, 'exception', stringifyExceptions(exception));
  if (contexts !== undefined) addMember(json, 'contexts', stringifyContexts(contexts));
  if (breadcrumbs !== undefined) addMember(json, 'breadcrumbs', stringifyList(breadcrumbs));
  if (modules !== undefined) addMember(json, 'modules', stringifyPart(modules));
  if (sdk !== undefined) addMember(json, 'sdk', stringifyPart(sdk));
  if (spans !== undefined) addMember(json, 'spans', stringifySpans(spans));
  return close(json);
}

function stringifySpans(spans: NonNullable<Event['spans']>): MeasuredJson {
  return measure(WrittenSpans.is(spans) ? spans.json : stringify(spans));
}

function stringifyExceptions(list: NonNullable<Event['exception']>): MeasuredJson {
  const { values } = list;
  const json = openObject(list, ['values']);
  if (values !== undefined) addMember(json, 'values', joinList(values, stringifyException));
  return close(json);
}

function stringifyException(exception: Exception): MeasuredJson {
  const { stacktrace } = exception;
  const json = openObject(exception, ['stacktrace']);
  if (stacktrace !== undefined) addMember(json, 'stacktrace', stringifyStacktrace(stacktrace));
  return close(json);
}

function stringifyStacktrace(stacktrace: Stacktrace): MeasuredJson {
  const { frames } = stacktrace;
  const json = openObject(stacktrace, ['frames']);
  if (frames !== undefined) addMember(json, 'frames', stringifyList(frames));
  return close(json);
}

function stringifyContexts(contexts: NonNullable<Event['contexts']>): MeasuredJson {
  const json: OpenObject = { text: '{', bytes: 1 };
  for (const name of keysOf(contexts)) {
    const context = contexts[name];
    if (context !== undefined) addMember(json, name, stringifyPart(context));
  }
  return close(json);
}

function stringifyList(list: readonly unknown[]): MeasuredJson {
  return !isShared(list) && list.some(isShared) ? joinList(list, stringifyPart) : stringifyPart(list);
}

/** The JSON of an object without its closing brace. Only appended to, so that long strings are copied once. */
interface OpenObject {
  text: string;
  bytes: number;
}

/**
 * The members of an object without those that are added later. Copied one by one: destructuring would take twice as long.
 *
 * @param parts names of the members that are added later; often the object has no others
 */
function openObject(object: object, parts: readonly string[]): OpenObject {
  const first: object = {};
  for (const name of keysOf(object)) if (!parts.includes(name)) setOwn(first, name, object[name as never]);
  if (keysOf(first).length === 0) return { text: '{', bytes: 1 };
  const { text, bytes } = measure(stringify(first));
  // `stringify` writes `null` for what cannot be serialized.
  return text.startsWith('{') ? { text: text.slice(0, -1), bytes: bytes - 1 } : { text: '{', bytes: 1 };
}

function addMember(json: OpenObject, name: string, { text, bytes }: MeasuredJson): void {
  const key = measure(quote(name));
  const separator = json.bytes > 1 ? ',' : '';
  json.text += `${separator}${key.text}:${text}`;
  json.bytes += separator.length + key.bytes + 1 + bytes;
}

function close({ text, bytes }: OpenObject): MeasuredJson {
  return { text: `${text}}`, bytes: bytes + 1 };
}
