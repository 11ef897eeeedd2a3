import { randomFillSync } from 'node:crypto';
import { drawSeededHex } from './randomness.js';

const UUID_BYTES = 16;
const TRACE_ID_BYTES = 16;
const SPAN_ID_BYTES = 8;
/** Random bytes drawn at a time, because each call of the system's generator takes a microsecond or more. */
const POOL_BYTES = 4096;

const pool = Buffer.allocUnsafeSlow(POOL_BYTES);
let nextByte = POOL_BYTES;

/** Creates a random UUID v4 without dashes: 32 lowercase hex characters. */
export function uuid4(): string {
  const seeded = drawSeededHex(32);
  if (seeded) return seeded;
  const begin = takeBytes(UUID_BYTES);
  // Version and variant (RFC 9562 §5.4).
  pool[begin + 6] = (pool[begin + 6]! & 0x0f) | 0x40;
  pool[begin + 8] = (pool[begin + 8]! & 0x3f) | 0x80;
  return pool.toString('hex', begin, begin + UUID_BYTES);
}

/** Creates a random trace id: 32 lowercase hex characters. */
export function createTraceId(): string {
  return drawSeededHex(32) ?? drawHex(TRACE_ID_BYTES);
}

/** Creates a random span id: 16 lowercase hex characters. */
export function createSpanId(): string {
  return drawSeededHex(16) ?? drawHex(SPAN_ID_BYTES);
}

function drawHex(bytes: number): string {
  const begin = takeBytes(bytes);
  return pool.toString('hex', begin, begin + bytes);
}

/** @returns where in the pool the bytes begin; each is handed out once */
function takeBytes(count: number): number {
  if (nextByte + count > POOL_BYTES) {
    fillPool();
    nextByte = 0;
  }
  const begin = nextByte;
  nextByte += count;
  return begin;
}

function fillPool(): void {
  try {
    randomFillSync(pool);
  } catch {
    // No generator, or a replaced one. Ids have to be unique, and are no secrets.
    for (let i = 0; i < POOL_BYTES; i++) pool[i] = Math.random() * 256;
  }
}

const ZERO_ID = '0'.repeat(32);
const UUID = /^[0-9a-f]{8}(-?)[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{4}\1[0-9a-f]{12}$/i;

/** Reads a UUID, with or without dashes, as an event id. `undefined` for anything else, and for the nil UUID. */
export function readEventId(value: unknown): string | undefined {
  if (typeof value !== 'string' || !UUID.test(value)) return undefined;
  const id = value.replaceAll('-', '').toLowerCase();
  return id === ZERO_ID ? undefined : id;
}
