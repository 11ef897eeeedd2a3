import { copyOwn, guard } from '../internal/guard.js';
import { isError } from '../internal/is-error.js';
import { isArray, readList, readProperty, readString } from '../internal/read.js';
import { readOptions } from '../internal/read-options.js';
import { MAX_STRING_LENGTH, truncate } from '../internal/strings.js';
import type { Integration } from '../model/contracts.js';
import type { Context } from '../model/event.js';
import { maskText } from '../scrubbing/credentials.js';
import { FILTERED, isSecretField } from '../scrubbing/sensitive-names.js';

/** Options of {@link extraErrorDataIntegration}. */
export interface ExtraErrorDataOptions {
  /** Adds the error's `cause`. @default true */
  captureErrorCause?: boolean | undefined;
  /** Adds what the error's `toJSON` returns. @default true */
  includeToJSON?: boolean | undefined;
}

/** Standard properties of errors, some of them in other engines only; and `toJSON`, which is called instead. */
const NATIVE_KEYS = new Set([
  'name',
  'message',
  'stack',
  'line',
  'column',
  'fileName',
  'lineNumber',
  'columnNumber',
  'cause',
  'toJSON',
]);
/** Removed by the system-error integration, because they reveal paths and program arguments. */
const PRIVATE_SYSTEM_KEYS = new Set(['path', 'dest', 'spawnargs', 'cmd']);
const MAX_FILTERED_DEPTH = 4;
const MAX_KEYS = 100;
const MAX_NAME_LENGTH = 256;

/**
 * Adds an error's custom properties (`error.orderId = …`) to its event, as a context named after the error. Credentials
 * are filtered; without `sendDefaultPii`, paths and commands of system errors are filtered too.
 */
export function extraErrorDataIntegration(options?: ExtraErrorDataOptions): Integration {
  const { captureErrorCause = true, includeToJSON = true } = readOptions(options, {
    captureErrorCause: 'boolean',
    includeToJSON: 'boolean',
  });
  return {
    name: 'ExtraErrorData',
    processEvent(event, { originalException: error }, { settings }) {
      if (event.type !== undefined || !isError(error)) return event;
      const data = [
        ...ownDataOf(error, settings.sendDefaultPii),
        ...(captureErrorCause ? causeOf(error) : []),
        ...(includeToJSON ? jsonOf(error) : []),
      ];
      const name = nameOf(error);
      // Events are found by their trace; an error named `trace` must not overwrite it.
      if (data.length === 0 || name === 'trace') return event;
      const present = event.contexts?.[name];
      event.contexts = { ...event.contexts, [name]: { ...toContext(data, settings.sendDefaultPii), ...present } };
      return event;
    },
  };
}

type Entry = readonly [key: string, value: unknown];

function ownDataOf(error: object, sendDefaultPii: boolean): Entry[] {
  const isPrivate = (key: string) => !sendDefaultPii && isSystemError(error) && PRIVATE_SYSTEM_KEYS.has(key);
  return entriesOf(error).filter(([key]) => !NATIVE_KEYS.has(key) && !isPrivate(key));
}

function isSystemError(error: object): boolean {
  return typeof readProperty(error, 'errno') === 'number' || readString(error, 'cmd') !== undefined;
}

function causeOf(error: object): Entry[] {
  const cause = readProperty(error, 'cause');
  return cause === undefined ? [] : [['cause', cause]];
}

function jsonOf(error: object): Entry[] {
  if (typeof readProperty(error, 'toJSON') !== 'function') return [];
  const json = guard('toJSON of an error', () => (error as { toJSON(): unknown }).toJSON(), undefined);
  return typeof json === 'object' && json !== null ? entriesOf(json) : [];
}

function entriesOf(source: object): Entry[] {
  return Object.entries(copyOwn(source)).slice(0, MAX_KEYS);
}

function toContext(data: readonly Entry[], sendDefaultPii: boolean): Context {
  return Object.fromEntries(data.map(([key, value]) => [key, filterMember(key, value, sendDefaultPii)]));
}

/** Masks credentials, by member name and inside strings, down to the maximum depth that is sent. */
function filterMember(name: string, value: unknown, sendDefaultPii: boolean, depth = MAX_FILTERED_DEPTH): unknown {
  if (isSecretField(name)) return FILTERED;
  if (typeof value === 'string') return maskText(truncate(value, MAX_STRING_LENGTH));
  if (isError(value)) return summarizeError(value, sendDefaultPii);
  if (isArray(value)) {
    return depth > 0 ? readList(value).map((one) => filterMember('', one, sendDefaultPii, depth - 1)) : value;
  }
  if (!isPlainObject(value) || depth === 0) return value;
  return Object.fromEntries(
    entriesOf(value).map(([key, member]) => [key, filterMember(key, member, sendDefaultPii, depth - 1)]),
  );
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return guard('an object on an error', () => Object.getPrototypeOf(value) === Object.prototype, false);
}

function summarizeError(error: Error, sendDefaultPii: boolean): string {
  const message = readString(error, 'message') ?? '';
  // Messages of system errors contain paths and commands.
  if (!sendDefaultPii && isSystemError(error)) return `${nameOf(error)}: ${readString(error, 'code') ?? ''}`;
  return maskText(`${nameOf(error)}: ${truncate(message, MAX_STRING_LENGTH)}`);
}

function nameOf(error: Error): string {
  const name = readString(error, 'name') || readString(readProperty(error, 'constructor'), 'name') || 'Error';
  return name.slice(0, MAX_NAME_LENGTH);
}
