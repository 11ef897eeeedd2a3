import { types } from 'node:util';
import { exceptionFromError, framesOf } from '../errors/thrown.js';
import { guard } from '../internal/guard.js';
import { copyDefined } from '../internal/values/copy-own.js';
import { isError } from '../internal/values/is-error.js';
import { mergeOwn } from '../internal/values/merge-own.js';
import { Normalizer, normalize } from '../internal/values/normalize.js';
import { classNameOf, digitsOf, placeholderOf, UNREADABLE } from '../internal/values/placeholders.js';
import { isAccessor, isObject, isObjectOrFunction, readProperty, readString } from '../internal/values/read.js';
import { MAX_STRING_LENGTH, truncate } from '../internal/values/strings.js';
import { ERROR_TYPE, type Event } from '../model/event/event.js';
import type { Exception, Mechanism } from '../model/event/exception.js';
import { parametersOf } from '../model/event/parameterize.js';
import type { RecordedException } from '../model/event/recorded-exception.js';
import type { SeverityLevel } from '../model/event/severity.js';
import type { EventHint } from '../model/hint.js';
import type { Settings } from '../model/options.js';
import { maskText } from '../scrubbing/credentials.js';
import { maskJson } from '../scrubbing/mask-json.js';
import { credentialNames, type SensitiveNames } from '../scrubbing/sensitive-names.js';
import { sanitizePartialMechanism } from './sanitize/event-schema.js';

/** The settings that shape an event. */
type EventSettings = Pick<Settings, 'attachStacktrace' | 'normalizeDepth' | 'normalizeMaxBreadth' | 'scrubbing'>;

const DEFAULT_MECHANISM: Mechanism = { type: 'generic', handled: true };
/** How many properties of a thrown object are searched for errors and listed in the event's message. */
const MAX_KEYS = 100;
const MAX_KEY_LENGTH = 40;
/** Keys are searched for credentials before they are cut: half a credential is not recognized. */
const MAX_SEARCHED_KEY = 1024;
const MAX_SERIALIZED_LENGTH = 100 * 1024;
/** Depth when normalization is turned off. */
const DEFAULT_DEPTH = 3;
/** Upper bound, because each level that makes the string too long costs another attempt. */
const MAX_DEPTH = 10;

/**
 * Creates the event for any thrown value. A value that is not an error gets the stack of `hint.syntheticException`; an
 * object is also attached as `extra.__serialized__`, with secret fields filtered. Sets no level, so that scopes can set
 * it. Never throws.
 */
export function eventFromException(exception: unknown, hint: EventHint, settings: EventSettings): Event {
  if (isError(exception)) return eventOf(exceptionFromError(exception), hint);
  if (!isObject(exception)) return syntheticEventOf(stringifyPrimitive(exception), hint);
  const keys = firstKeysOf(exception);
  const inner = keys.map((key) => readData(exception, key)).find(isError);
  if (inner) return eventOf(exceptionFromError(inner), hint, true);
  const serialized = serialize(exception, settings);
  const names = credentialNames(settings.scrubbing);
  return {
    ...syntheticEventOf(describeObject(exception, keys, serialized, names), hint),
    extra: { __serialized__: maskJson(serialized, names) },
  };
}

/**
 * Creates the event for an exception recorded with OpenTelemetry: from the error if known, else from its recorded
 * strings.
 */
export function eventFromRecorded(
  { thrown, strings: { type = 'Error', message = '', stack = '' }, about }: RecordedException,
  hint: EventHint,
  settings: EventSettings,
): Event {
  // The minimum that `isError` accepts.
  const error = isError(thrown) || (isObject(thrown) && saysNothing(message)) ? thrown : { name: type, message, stack };
  const event = eventFromException(error, hint, settings);
  return { ...event, ...about, extra: about.extra ? { ...event.extra, ...about.extra } : event.extra };
}

/** Whether a message is empty, or what `String(object)` returns. */
function saysNothing(message: string): boolean {
  return message === '' || /^\[object \w+\]$/.test(message);
}

/**
 * Creates the event for a message, with the stack of `hint.syntheticException` if `attachStacktrace` is set. An object
 * or function passed as the message is treated as an exception. Sets no level unless the caller passed one. Never
 * throws.
 */
export function eventFromMessage(
  message: unknown,
  level: SeverityLevel | undefined,
  hint: EventHint,
  settings: EventSettings,
): Event {
  const parameterized = parametersOf(message);
  if (!parameterized && isObjectOrFunction(message)) {
    return { ...eventFromException(message, hint, settings), level };
  }
  const event: Event = { type: ERROR_TYPE, message: truncate(stringifyPrimitive(message), MAX_STRING_LENGTH), level };
  if (parameterized) {
    const normalizer = new Normalizer({ maxBreadth: MAX_KEYS, maxSize: MAX_SERIALIZED_LENGTH });
    event.logentry = {
      message: truncate(parameterized.template, MAX_STRING_LENGTH),
      params: normalizer.normalize(parameterized.params, DEFAULT_DEPTH + 1) as unknown[],
    };
  }
  const frames = settings.attachStacktrace ? framesOf(hint.syntheticException) : [];
  if (frames.length === 0) return event;
  return { ...event, ...eventOf({ value: event.message, stacktrace: { frames } }, hint, true) };
}

/**
 * Completes the mechanism of the caught exception, which is the last one of the event. `mechanism` overrides the
 * exception's own mechanism, which overrides the default (`generic`, handled). Replaces the event's lists and never
 * mutates them.
 */
export function applyMechanism(event: Event, mechanism: EventHint['mechanism']): void {
  const values = event.exception?.values;
  const caught = values?.at(-1);
  if (!values || !caught) return;
  const completed: Exception = { ...caught, mechanism: mergeMechanisms(caught.mechanism, mechanism) };
  event.exception = { ...event.exception, values: [...values.slice(0, -1), completed] };
}

function mergeMechanisms(present: Mechanism | undefined, added: EventHint['mechanism']): Mechanism {
  const merged = mergeOwn<Mechanism>(DEFAULT_MECHANISM, present, copyDefined(added));
  if (present?.data && added?.data) merged.data = { ...present.data, ...added.data };
  return merged;
}

function eventOf(exception: Exception, hint: EventHint, synthetic?: true): Event {
  const ofData = sanitizePartialMechanism(readProperty(hint.data, 'mechanism')) as EventHint['mechanism'];
  const mechanism = mergeMechanisms(undefined, ofData);
  if (synthetic) mechanism.synthetic = true;
  return { type: ERROR_TYPE, exception: { values: [mergeOwn(exception, { mechanism })] } };
}

function syntheticEventOf(message: string, hint: EventHint): Event {
  const value = truncate(message, MAX_STRING_LENGTH);
  const frames = framesOf(hint.syntheticException);
  const exception: Exception = { type: 'Error', value };
  if (frames.length > 0) exception.stacktrace = { frames };
  return eventOf(exception, hint, true);
}

function stringifyPrimitive(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return digitsOf(value);
    case 'function':
      return placeholderOf(value as () => unknown);
    default:
      return String(value);
  }
}

/** Reads a property, unless that calls a getter. */
function readData(value: object, key: string): unknown {
  return hasGetter(value, key) ? undefined : readProperty(value, key);
}

function hasGetter(value: object, key: string): boolean {
  return guard('a property of a thrown object', () => isAccessor(value, key), false);
}

/** @param serialized supplies the values of getters, so that each getter is called once */
function describeObject(value: object, keys: readonly string[], serialized: unknown, names: SensitiveNames): string {
  const read = (key: string) => {
    const string = readString(hasGetter(value, key) ? serialized : value, key);
    return string?.startsWith(UNREADABLE) ? undefined : string;
  };
  const name = read('name');
  const ownMessage = read('message') ?? '';
  const message = saysNothing(ownMessage) ? undefined : ownMessage;
  if (name) return `'${name}' captured as exception${message ? ` with message '${message}'` : ''}`;
  if (message) return message;
  const listed = keys.map((key) => truncate(maskText(truncate(key, MAX_SEARCHED_KEY), names), MAX_KEY_LENGTH)).sort();
  return `${kindOf(value)} captured as exception with keys: ${listed.join(', ') || '[object has no keys]'}`;
}

function kindOf(value: object): string {
  try {
    const name = classNameOf(value) ?? 'Object';
    return name === 'Object' ? name : `'${name}'`;
  } catch {
    return 'Object';
  }
}

/** The first keys of an object. Keys of lists are generated from the length, because listing them all may be slow. */
function firstKeysOf(value: object): string[] {
  try {
    if (Array.isArray(value) || ArrayBuffer.isView(value) || types.isStringObject(value)) {
      const { length = 0 } = value as { length?: number };
      return Array.from({ length: Math.min(length, MAX_KEYS) }, (_, index) => String(index));
    }
    return Object.keys(value).slice(0, MAX_KEYS);
  } catch {
    return [];
  }
}

/** Normalizes to the configured depth, or to a lower one if the result would be too long. */
function serialize(value: object, { normalizeDepth, normalizeMaxBreadth }: EventSettings): unknown {
  let depth = Math.min(normalizeDepth || DEFAULT_DEPTH, MAX_DEPTH);
  let normalized = normalize(value, depth, normalizeMaxBreadth);
  while (depth > 0 && lengthOf(normalized) > MAX_SERIALIZED_LENGTH) {
    depth--;
    normalized = normalize(depth > 0 ? normalized : value, depth, normalizeMaxBreadth);
  }
  return normalized;
}

function lengthOf(normalized: unknown): number {
  try {
    return JSON.stringify(normalized)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
