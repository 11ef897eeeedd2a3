import { randomBytes, randomUUID } from 'node:crypto';

const SPAN_ID_BYTES = 8;

/** Creates a random UUID v4 without dashes: 32 lowercase hex characters. */
export function uuid4(): string {
  return randomUUID().replaceAll('-', '');
}

/** Creates a random trace id: 32 lowercase hex characters. */
export const createTraceId = uuid4;

/** Creates a random span id: 16 lowercase hex characters. */
export function createSpanId(): string {
  return randomBytes(SPAN_ID_BYTES).toString('hex');
}

const ZERO_ID = '0'.repeat(32);
const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i;

/** Reads a UUID, with or without dashes, as an event id. `undefined` for anything else, and for the nil UUID. */
export function readEventId(value: unknown): string | undefined {
  if (typeof value !== 'string' || !UUID.test(value)) return undefined;
  const id = value.replaceAll('-', '').toLowerCase();
  return id === ZERO_ID ? undefined : id;
}
