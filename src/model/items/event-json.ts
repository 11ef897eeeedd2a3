import { joinList, quote, stringify } from '../../internal/json.js';
import type { Event } from '../event.js';
import type { Exception } from '../exception.js';
import { isShared, stringifyPart } from '../shared-parts.js';
import { WrittenSpans } from '../written-spans.js';

/** The JSON of an event's payload, in which shared parts are serialized once for all events. Changes the order of members. */
export function stringifyEvent({ breadcrumbs, contexts, exception, modules, sdk, spans, ...rest }: Event): string {
  return stringifyWith(
    rest,
    member('exception', exception, stringifyExceptions) +
      member('contexts', contexts, stringifyContexts) +
      member('breadcrumbs', breadcrumbs, stringifyList) +
      member('modules', modules) +
      member('sdk', sdk) +
      member('spans', spans, stringifySpans),
  );
}

function stringifySpans(spans: NonNullable<Event['spans']>): string {
  return WrittenSpans.is(spans) ? spans.json : stringify(spans);
}

function stringifyExceptions({ values, ...rest }: NonNullable<Event['exception']>): string {
  return stringifyWith(
    rest,
    member('values', values, (list) => joinList(list, stringifyException)),
  );
}

function stringifyException({ stacktrace, ...rest }: Exception): string {
  return stringifyWith(
    rest,
    member('stacktrace', stacktrace, ({ frames, ...others }) =>
      stringifyWith(others, member('frames', frames, stringifyList)),
    ),
  );
}

function stringifyContexts(contexts: NonNullable<Event['contexts']>): string {
  let members = '';
  for (const name of Object.keys(contexts)) members += member(name, contexts[name]);
  return `{${members.slice(1)}}`;
}

function stringifyList(list: readonly unknown[]): string {
  return list.some(isShared) ? joinList(list, stringifyPart) : stringifyPart(list);
}

/** The JSON of an object, with further members; each of these begins with a comma. */
function stringifyWith(object: object, members: string): string {
  const json = stringify(object);
  if (members === '' || !json.startsWith('{')) return json;
  return json === '{}' ? `{${members.slice(1)}}` : `${json.slice(0, -1)}${members}}`;
}

/** A member in JSON, with a comma before it; empty if the value is `undefined`. */
function member<T>(name: string, value: T | undefined, toJson: (value: T) => string = stringifyPart): string {
  return value === undefined ? '' : `,${quote(name)}:${toJson(value)}`;
}
