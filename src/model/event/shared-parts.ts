import { createPrivateSlot } from '../../internal/collections/private-slot.js';
import { type MeasuredJson, measure, stringify } from '../../internal/values/json.js';
import { isObject, isObjectOrFunction } from '../../internal/values/read.js';
import { setOwn } from '../../internal/values/set-own.js';
import { constantOf } from './constant-context.js';
import type { Event } from './event.js';
import { type Exception, mapFrames } from './exception.js';
import { WrittenSpans } from './written-spans.js';

interface SharedPart {
  readonly toJson: () => MeasuredJson;
  /** Set when it is first needed. */
  json: MeasuredJson | undefined;
  /** About how many characters of JSON it has; 0 if it is not large. */
  readonly size: number;
}

/**
 * Parts that many events have in common: breadcrumbs, frames with their source lines, facts about the process, versions of
 * packages. Nothing changes them, so that each is serialized once; user code gets copies.
 */
const shared = createPrivateSlot<SharedPart>();

/** Declares that an object holds nothing but JSON values and never changes again. */
export function share<T extends object>(part: T): T {
  return shareLarge(part, 0, () => measure(stringify(part)));
}

/** Like `share`, for a part that may be large. */
export function shareLarge<T extends object>(part: T, size: number, toJson: () => MeasuredJson): T {
  shared.set(part, { toJson, json: undefined, size });
  return part;
}

export function sizeOfShared(part: object): number {
  return shared.get(part)?.size ?? 0;
}

export function isShared(part: unknown): boolean {
  return isObjectOrFunction(part) && shared.get(part) !== undefined;
}

/** The JSON of a value; a shared part is serialized and measured once. */
export function stringifyPart(part: unknown): MeasuredJson {
  const known = isObjectOrFunction(part) ? shared.get(part) : undefined;
  if (known === undefined) return measure(stringify(part));
  known.json ??= known.toJson();
  return known.json;
}

/** The event with copies of its shared and constant parts, for user code, which may change them. */
export function withOwnParts(event: Event): Event {
  const { breadcrumbs, contexts, exception, modules, sdk, spans } = event;
  const own: Event = { ...event };
  if (breadcrumbs) own.breadcrumbs = copyShared(breadcrumbs);
  if (contexts) own.contexts = mapMembers(contexts, copyShared);
  if (exception?.values) own.exception = { ...exception, values: exception.values.map(withOwnFrames) };
  if (modules) own.modules = copyShared(modules);
  if (sdk) own.sdk = copyShared(sdk);
  if (WrittenSpans.is(spans)) own.spans = spans.toJSON();
  return own;
}

function withOwnFrames(exception: Exception): Exception {
  const hasShared = exception.stacktrace?.frames?.some(isShared);
  return hasShared ? mapFrames(exception, (frames) => frames.map(copyShared)) : exception;
}

function copyShared<T>(part: T): T {
  return isShared(part) || constantOf(part) ? copyJson(part) : part;
}

function copyJson<T>(value: T): T {
  if (!isObject(value)) return value;
  return (Array.isArray(value) ? value.map(copyJson) : mapMembers(value, copyJson)) as T;
}

function mapMembers<T extends object>(source: T, change: (member: unknown) => unknown): T {
  const copy = { ...source };
  for (const [name, member] of Object.entries(source)) setOwn(copy, name, change(member));
  return copy;
}
