import { types } from 'node:util';
import { exceptionFromError, framesOf } from '../errors/thrown.js';
import { copyGiven } from '../internal/guard.js';
import { isError } from '../internal/is-error.js';
import { isArray, readProperty, readString } from '../internal/read.js';
import { MAX_TEXT_LENGTH, truncate } from '../internal/text.js';
import type { Event } from '../model/event.js';
import type { Exception, Mechanism } from '../model/exception.js';
import type { EventHint } from '../model/hint.js';
import type { Settings } from '../model/options.js';
import { ParameterizedString } from '../model/parameterize.js';
import type { RecordedException } from '../model/recorded-exception.js';
import type { SeverityLevel } from '../model/severity.js';
import { maskText } from '../scrubbing/credentials.js';
import { FILTERED, isSecretField } from '../scrubbing/sensitive-names.js';
import { classNameOf, describeValue, digitsOf } from './describe-value.js';
import { sanitizePartialMechanism } from './event-sanitizer.js';
import { normalize } from './normalize-value.js';

/** The settings that shape an event. */
export type EventSettings = Pick<Settings, 'attachStacktrace' | 'normalizeDepth' | 'normalizeMaxBreadth'>;

const DEFAULT_MECHANISM: Mechanism = { type: 'generic', handled: true };
/** Properties of a thrown object that are looked at, for errors in it and for its description. */
const MAX_KEYS = 100;
const MAX_KEY_LENGTH = 40;
const MAX_SERIALIZED_LENGTH = 100 * 1024;
/** Where normalization is turned off. */
const DEFAULT_DEPTH = 3;
/** Each level that turns out to be too much costs another try. */
const MAX_DEPTH = 10;

/**
 * The event for a thrown value of any kind. What is no error gets the stack of `hint.syntheticException`, and an object
 * goes along as `extra.__serialized__`, without what is a secret by its name. The level is left open, so that scopes
 * can set it; never throws.
 */
export function eventFromException(exception: unknown, hint: EventHint, settings: EventSettings): Event {
  if (isError(exception)) return eventOf(exceptionFromError(exception), hint);
  if (typeof exception !== 'object' || exception === null) return syntheticEventOf(stringifyPrimitive(exception), hint);
  const keys = keysOf(exception);
  const inner = keys.map((key) => readProperty(exception, key)).find(isError);
  if (inner) return eventOf(exceptionFromError(inner), hint, true);
  return {
    ...syntheticEventOf(describeObject(exception, keys), hint),
    extra: { __serialized__: withoutSecrets(serialize(exception, settings)) },
  };
}

/** The event for an exception that was told to OpenTelemetry: from the error itself where it is there, else from its text. */
export function eventFromRecorded(
  { thrown, text: { type = 'Error', message = '', stack = '' }, about }: RecordedException,
  hint: EventHint,
  settings: EventSettings,
): Event {
  // As little as makes an error.
  const error = isError(thrown) || (isObject(thrown) && saysNothing(message)) ? thrown : { name: type, message, stack };
  const event = eventFromException(error, hint, settings);
  return { ...event, ...about, extra: about.extra ? { ...event.extra, ...about.extra } : event.extra };
}

/** What `String` makes of an object. */
function saysNothing(message: string): boolean {
  return message === '' || /^\[object \w+\]$/.test(message);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

/**
 * The event for a message, with the stack of `hint.syntheticException` where the settings ask for one. An object or
 * function in place of the text is treated as an exception. A missing level is left open; never throws.
 */
export function eventFromMessage(
  message: unknown,
  level: SeverityLevel | undefined,
  hint: EventHint,
  settings: EventSettings,
): Event {
  const text = ParameterizedString.is(message) ? message : undefined;
  if (!text && ((typeof message === 'object' && message !== null) || typeof message === 'function')) {
    return { ...eventFromException(message, hint, settings), level };
  }
  const event: Event = { message: truncate(stringifyPrimitive(message), MAX_TEXT_LENGTH), level };
  if (text)
    event.logentry = {
      message: text.template,
      params: text.params.map((one) => normalize(one, DEFAULT_DEPTH, MAX_KEYS)),
    };
  const frames = settings.attachStacktrace ? framesOf(hint.syntheticException) : [];
  if (frames.length === 0) return event;
  return { ...event, ...eventOf({ value: event.message, stacktrace: { frames } }, hint, true) };
}

/**
 * Completes the mechanism of the caught exception, the last one of the event. `mechanism` wins over what the exception
 * says already, and that over the default (`generic`, handled). Replaces the event's lists, never writes into them.
 */
export function applyMechanism(event: Event, mechanism: EventHint['mechanism']): void {
  const values = event.exception?.values;
  const caught = values?.at(-1);
  if (!values || !caught) return;
  const completed: Exception = { ...caught, mechanism: mergeMechanisms(caught.mechanism, mechanism) };
  event.exception = { ...event.exception, values: [...values.slice(0, -1), completed] };
}

function mergeMechanisms(present: Mechanism | undefined, added: EventHint['mechanism']): Mechanism {
  const merged = { ...DEFAULT_MECHANISM, ...present, ...copyGiven(added) };
  if (present?.data && added?.data) merged.data = { ...present.data, ...added.data };
  return merged;
}

function eventOf(exception: Exception, hint: EventHint, synthetic?: true): Event {
  const ofData = sanitizePartialMechanism(readProperty(hint.data, 'mechanism')) as EventHint['mechanism'];
  const mechanism = mergeMechanisms(undefined, ofData);
  if (synthetic) mechanism.synthetic = true;
  return { exception: { values: [{ ...exception, mechanism }] } };
}

function syntheticEventOf(text: string, hint: EventHint): Event {
  const value = truncate(text, MAX_TEXT_LENGTH);
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
      return describeValue(value as () => unknown);
    default:
      return String(value);
  }
}

function describeObject(value: object, keys: readonly string[]): string {
  const name = readString(value, 'name');
  const text = readString(value, 'message') ?? '';
  const message = saysNothing(text) ? undefined : text;
  if (name) return `'${name}' captured as exception${message ? ` with message '${message}'` : ''}`;
  if (message) return message;
  const listed = keys.map((key) => truncate(key, MAX_KEY_LENGTH)).sort();
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

/** The first keys of an object. Those of lists are counted rather than listed: they may be many. */
function keysOf(value: object): string[] {
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

/** The object as deep as the settings allow, or less deep where that makes too much text. */
function serialize(value: object, { normalizeDepth, normalizeMaxBreadth }: EventSettings): unknown {
  for (let depth = Math.min(normalizeDepth || DEFAULT_DEPTH, MAX_DEPTH); depth > 0; depth--) {
    const normalized = normalize(value, depth, normalizeMaxBreadth);
    if (lengthOf(normalized) <= MAX_SERIALIZED_LENGTH) return normalized;
  }
  return normalize(value, 0, normalizeMaxBreadth);
}

/** @param normalized data of bounded depth, which is not changed */
function withoutSecrets(normalized: unknown): unknown {
  if (typeof normalized === 'string') return maskText(normalized);
  if (typeof normalized !== 'object' || normalized === null) return normalized;
  if (isArray(normalized)) return normalized.map(withoutSecrets);
  const members = Object.entries(normalized).map(([name, value]) => [
    name,
    isSecretField(name) ? FILTERED : withoutSecrets(value),
  ]);
  return Object.fromEntries(members);
}

function lengthOf(normalized: unknown): number {
  try {
    return JSON.stringify(normalized)?.length ?? 0;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
