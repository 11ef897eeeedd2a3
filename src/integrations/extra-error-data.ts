import { copyOwn, guard } from '../internal/guard.js';
import { isError } from '../internal/is-error.js';
import { readProperty, readString } from '../internal/read.js';
import { readOptions } from '../internal/read-options.js';
import type { Integration } from '../model/contracts.js';
import type { Context } from '../model/event.js';

/** Options of {@link extraErrorDataIntegration}. */
export interface ExtraErrorDataOptions {
  /** Adds the error's `cause`. @default true */
  captureErrorCause?: boolean | undefined;
  /** Adds what the error's `toJSON` returns. @default true */
  includeToJSON?: boolean | undefined;
}

/** What every error has, some of it in other engines only; and `toJSON`, whose result is asked for instead. */
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
const MAX_KEYS = 100;
const MAX_NAME_LENGTH = 256;

/**
 * Adds what an application put on an error (`error.orderId = …`) to its event, as a context named after the error. It
 * is cut like any other context, and holds whatever the error holds: secrets, too.
 */
export function extraErrorDataIntegration(options?: ExtraErrorDataOptions): Integration {
  const { captureErrorCause = true, includeToJSON = true } = readOptions(options, {
    captureErrorCause: 'boolean',
    includeToJSON: 'boolean',
  });
  return {
    name: 'ExtraErrorData',
    processEvent(event, { originalException: error }) {
      if (event.type !== undefined || !isError(error)) return event;
      const data = [
        ...ownDataOf(error),
        ...(captureErrorCause ? causeOf(error) : []),
        ...(includeToJSON ? jsonOf(error) : []),
      ];
      const name = nameOf(error);
      // An event is found by its trace; an error of that name must not hide it.
      if (data.length === 0 || name === 'trace') return event;
      const present = event.contexts?.[name];
      event.contexts = { ...event.contexts, [name]: { ...toContext(data), ...present } };
      return event;
    },
  };
}

type Entry = readonly [key: string, value: unknown];

function ownDataOf(error: object): Entry[] {
  return entriesOf(error).filter(([key]) => !NATIVE_KEYS.has(key));
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

function toContext(data: readonly Entry[]): Context {
  return Object.fromEntries(data.map(([key, value]) => [key, isError(value) ? summarizeError(value) : value]));
}

function summarizeError(error: Error): string {
  return `${nameOf(error)}: ${readString(error, 'message') ?? ''}`;
}

function nameOf(error: Error): string {
  const name = readString(error, 'name') || readString(readProperty(error, 'constructor'), 'name') || 'Error';
  return name.slice(0, MAX_NAME_LENGTH);
}
