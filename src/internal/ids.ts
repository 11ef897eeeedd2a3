import { randomFillSync, randomUUID } from 'node:crypto';
import { drawSeededHex } from './randomness.js';

const SPAN_ID_BYTES = 8;
/** Random bytes are drawn so many at a time, because each call of the system's generator takes a microsecond or more. */
const POOL_BYTES = 4096;

const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
let nextByte = POOL_BYTES;

/** Creates a random UUID v4 without dashes: 32 lowercase hex characters. */
export function uuid4(): string {
  const seeded = drawSeededHex(32);
  if (seeded) return seeded;
  const uuid = randomUUID();
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18) + uuid.slice(19, 23) + uuid.slice(24);
}

/** Creates a random trace id: 32 lowercase hex characters. */
export const createTraceId = uuid4;

/** Creates a random span id: 16 lowercase hex characters. */
export function createSpanId(): string {
  const seeded = drawSeededHex(16);
  if (seeded) return seeded;
  if (nextByte === POOL_BYTES) {
    randomFillSync(pool);
    nextByte = 0;
  }
  const begin = nextByte;
  nextByte += SPAN_ID_BYTES;
  return pool.toString('hex', begin, nextByte);
}

const ZERO_ID = '0'.repeat(32);
const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i;

/** Reads a UUID, with or without dashes, as an event id. `undefined` for anything else, and for the nil UUID. */
export function readEventId(value: unknown): string | undefined {
  if (typeof value !== 'string' || !UUID.test(value)) return undefined;
  const id = value.replaceAll('-', '').toLowerCase();
  return id === ZERO_ID ? undefined : id;
}
