import { joinList, quote, stringify } from '../../internal/values/json.js';
import type { Event } from '../event/event.js';
import type { Exception } from '../event/exception.js';
import { isShared, stringifyPart } from '../event/shared-parts.js';
import { WrittenSpans } from '../event/written-spans.js';

/** The JSON of an event's payload, in which shared parts are serialized once for all events. Changes the order of members. */
export function stringifyEvent({ breadcrumbs, contexts, exception, modules, sdk, spans, ...rest }: Event): string {
  return stringifyWith(rest, [
    member('exception', exception, stringifyExceptions),
    member('contexts', contexts, stringifyContexts),
    member('breadcrumbs', breadcrumbs, stringifyList),
    member('modules', modules),
    member('sdk', sdk),
    member('spans', spans, stringifySpans),
  ]);
}

function stringifySpans(spans: NonNullable<Event['spans']>): string {
  return WrittenSpans.is(spans) ? spans.json : stringify(spans);
}

function stringifyExceptions({ values, ...rest }: NonNullable<Event['exception']>): string {
  return stringifyWith(rest, [member('values', values, (list) => joinList(list, stringifyException))]);
}

function stringifyException({ stacktrace, ...rest }: Exception): string {
  const toJson = ({ frames, ...others }: NonNullable<Exception['stacktrace']>) =>
    stringifyWith(others, [member('frames', frames, stringifyList)]);
  return stringifyWith(rest, [member('stacktrace', stacktrace, toJson)]);
}

function stringifyContexts(contexts: NonNullable<Event['contexts']>): string {
  let json = '{';
  for (const name of Object.keys(contexts)) json = append(json, member(name, contexts[name]));
  return `${json}}`;
}

function stringifyList(list: readonly unknown[]): string {
  return !isShared(list) && list.some(isShared) ? joinList(list, stringifyPart) : stringifyPart(list);
}

/** The JSON of an object, with further members. Only appends, so that long strings are copied once, when they are complete. */
function stringifyWith(object: object, members: readonly string[]): string {
  const own = stringify(object);
  if (!own.startsWith('{')) return own;
  let json = own.slice(0, -1);
  for (const one of members) json = append(json, one);
  return `${json}}`;
}

/** @param json of an object, without its closing brace. @param member empty for none */
function append(json: string, member: string): string {
  if (member === '') return json;
  return json + (json.length === 1 ? member : `,${member}`);
}

/** A member in JSON; empty if the value is `undefined`. */
function member<T>(name: string, value: T | undefined, toJson: (value: T) => string = stringifyPart): string {
  return value === undefined ? '' : `${quote(name)}:${toJson(value)}`;
}
