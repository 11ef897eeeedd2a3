import { joinList, type MeasuredJson, measure, quote, stringify } from '../../internal/values/json.js';
import type { Event } from '../event/event.js';
import type { Exception } from '../event/exception.js';
import { isShared, stringifyPart } from '../event/shared-parts.js';
import { WrittenSpans } from '../event/written-spans.js';

/** Nothing, for a member without a value. */
const ABSENT: MeasuredJson = { text: '', bytes: 0 };
const EMPTY_OBJECT: MeasuredJson = { text: '{}', bytes: 2 };

/** The JSON of an event's payload, in which shared parts are serialized once for all events. Changes the order of members. */
export function stringifyEvent(event: Event): string {
  return measureEvent(event).text;
}

/** Like `stringifyEvent`. */
export function measureEvent({ breadcrumbs, contexts, exception, modules, sdk, spans, ...rest }: Event): MeasuredJson {
  return stringifyWith(rest, [
    member('exception', exception, stringifyExceptions),
    member('contexts', contexts, stringifyContexts),
    member('breadcrumbs', breadcrumbs, stringifyList),
    member('modules', modules),
    member('sdk', sdk),
    member('spans', spans, stringifySpans),
  ]);
}

function stringifySpans(spans: NonNullable<Event['spans']>): MeasuredJson {
  return measure(WrittenSpans.is(spans) ? spans.json : stringify(spans));
}

function stringifyExceptions({ values, ...rest }: NonNullable<Event['exception']>): MeasuredJson {
  return stringifyWith(rest, [member('values', values, (list) => joinList(list, stringifyException))]);
}

function stringifyException({ stacktrace, ...rest }: Exception): MeasuredJson {
  const toJson = ({ frames, ...others }: NonNullable<Exception['stacktrace']>) =>
    stringifyWith(others, [member('frames', frames, stringifyList)]);
  return stringifyWith(rest, [member('stacktrace', stacktrace, toJson)]);
}

function stringifyContexts(contexts: NonNullable<Event['contexts']>): MeasuredJson {
  const members = Object.keys(contexts).map((name) => member(name, contexts[name]));
  return append(EMPTY_OBJECT, members);
}

function stringifyList(list: readonly unknown[]): MeasuredJson {
  return !isShared(list) && list.some(isShared) ? joinList(list, stringifyPart) : stringifyPart(list);
}

/** The JSON of an object, which is often empty, with further members. */
function stringifyWith(object: object, members: readonly MeasuredJson[]): MeasuredJson {
  return append(Object.keys(object).length === 0 ? EMPTY_OBJECT : measure(stringify(object)), members);
}

/**
 * Only appends, so that long strings are copied once, when they are complete.
 *
 * @param json of an object; anything else stays as it is
 */
function append(json: MeasuredJson, members: readonly MeasuredJson[]): MeasuredJson {
  if (!json.text.startsWith('{')) return json;
  let text = json.text.slice(0, -1);
  let { bytes } = json;
  for (const one of members) {
    if (one === ABSENT) continue;
    const separator = text === '{' ? '' : ',';
    text += separator + one.text;
    bytes += separator.length + one.bytes;
  }
  return { text: `${text}}`, bytes };
}

/** A member in JSON. */
function member<T>(
  name: string,
  value: T | undefined,
  toJson: (value: T) => MeasuredJson = stringifyPart,
): MeasuredJson {
  if (value === undefined) return ABSENT;
  const key = quote(name);
  const json = toJson(value);
  return { text: `${key}:${json.text}`, bytes: Buffer.byteLength(key) + 1 + json.bytes };
}
