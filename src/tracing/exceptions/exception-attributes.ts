import type { SpanKind } from '@opentelemetry/api';
import { readString } from '../../internal/values/read.js';
import type { Client } from '../../model/contracts.js';
import type { Extras } from '../../model/event/event.js';
import type { Mechanism } from '../../model/event/exception.js';
import type { ExceptionStrings } from '../../model/event/recorded-exception.js';
import type { SpanAttributes } from '../../model/event/span-json.js';
import { namesOf } from '../../scrubbing/sensitive-names.js';
import { filterAttributes } from '../../scrubbing/span-attributes.js';

/** @see https://opentelemetry.io/docs/specs/semconv/registry/attributes/exception/ */
const PREFIX = 'exception.';

/** Type, message and stack from `exception.*` attributes; `undefined` when there are none. */
export function exceptionStringsOf(attributes: object): ExceptionStrings | undefined {
  const type = readString(attributes, 'exception.type');
  const message = readString(attributes, 'exception.message');
  const stack = readString(attributes, 'exception.stacktrace');
  return type || message || stack ? { type, message, stack } : undefined;
}

/** The other attributes, scrubbed; `undefined` when there are none. */
export function extraOf(attributes: object, { settings }: Client, kind?: SpanKind): Extras | undefined {
  const others = Object.entries(attributes).filter(([key]) => !key.startsWith(PREFIX));
  if (others.length === 0) return undefined;
  const extra: SpanAttributes = Object.fromEntries(others);
  filterAttributes(extra, kind, namesOf(settings));
  return extra;
}

/**
 * An exception with `exception.escaped` counts as unhandled.
 *
 * @param isUnhandled whether it was recorded where only errors arrive that the application did not handle
 */
export function mechanismOf(
  type: string,
  attributes: Readonly<Record<string, unknown>>,
  isUnhandled = false,
): Mechanism {
  return { type, handled: !isUnhandled && attributes['exception.escaped'] !== true };
}
