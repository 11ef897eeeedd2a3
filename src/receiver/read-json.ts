import type { Discard, Json, ReceivedItem } from './received.js';

/** Readers of JSON that anybody may have sent: what has another type counts as absent. */

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function toObject(value: unknown): Json {
  return isObject(value) ? value : {};
}

export function toList(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of a list. */
export function toObjects(value: unknown): Json[] {
  return toList(value).filter(isObject);
}

/** Strings as they are, other values as JSON, nothing as an empty string. */
export function toText(value: unknown): string {
  if (typeof value === 'string') return value;
  try {
    return value === undefined || value === null ? '' : (JSON.stringify(value) ?? '');
  } catch {
    // More levels than the stack has room for.
    return '[unreadable]';
  }
}

export function toNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The discards that client reports name. */
export function discardsIn(items: readonly ReceivedItem[]): Discard[] {
  const reports = items.filter(({ headers }) => headers.type === 'client_report');
  return reports.flatMap(({ json }) => toList(json?.['discarded_events']).filter(isDiscard));
}

function isDiscard(value: unknown): value is Discard {
  const { reason, category, quantity } = toObject(value);
  return typeof reason === 'string' && typeof category === 'string' && typeof quantity === 'number';
}
