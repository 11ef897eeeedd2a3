import { stringify } from '../../internal/json.js';
import type { Event } from '../event.js';
import type { Exception } from '../exception.js';
import { isShared, stringifyPart } from '../shared-parts.js';

/** The JSON of an event's payload, except for the order of members, and cheaper where the event has shared parts. */
export function stringifyEvent(event: Event): string {
  const { breadcrumbs, contexts, exception, modules, sdk, ...rest } = event;
  let json = stringify(rest);
  if (!json.startsWith('{')) return json;
  json = withMember(json, 'exception', exception, stringifyExceptions);
  json = withMember(json, 'contexts', contexts, stringifyMembers);
  json = withMember(json, 'breadcrumbs', breadcrumbs, stringifyList);
  json = withMember(json, 'modules', modules);
  return withMember(json, 'sdk', sdk);
}

/** Adds a member to the JSON of an object; `undefined` is left out, as in any JSON. */
function withMember<T>(
  json: string,
  name: string,
  value: T | undefined,
  toJson: (value: T) => string = stringifyPart,
): string {
  if (value === undefined) return json;
  return `${json.slice(0, -1)}${json.length > '{}'.length ? ',' : ''}${stringify(name)}:${toJson(value)}}`;
}

function stringifyExceptions(exception: NonNullable<Event['exception']>): string {
  const { values, ...rest } = exception;
  return withMember(stringify(rest), 'values', values, (list) => `[${list.map(stringifyException).join(',')}]`);
}

function stringifyException({ stacktrace, ...rest }: Exception): string {
  return withMember(stringify(rest), 'stacktrace', stacktrace, ({ frames, ...others }) =>
    withMember(stringify(others), 'frames', frames, stringifyList),
  );
}

function stringifyMembers(contexts: object): string {
  const entries = Object.entries(contexts);
  if (!entries.some(([, value]) => isShared(value))) return stringify(contexts);
  return entries.reduce((json, [name, value]) => withMember(json, name, value), '{}');
}

function stringifyList(list: readonly unknown[]): string {
  return list.some(isShared) ? `[${list.map(stringifyPart).join(',')}]` : stringifyPart(list);
}
