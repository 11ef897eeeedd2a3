import { randomBytes, randomUUID } from 'node:crypto';

const SPAN_ID_BYTES = 8;

/** A random UUID v4 without dashes: 32 lowercase hex characters. */
export function uuid4(): string {
  return randomUUID().replaceAll('-', '');
}

/** A random trace id: 32 lowercase hex characters. */
export const createTraceId = uuid4;

/** A random span id: 16 lowercase hex characters. */
export function createSpanId(): string {
  return randomBytes(SPAN_ID_BYTES).toString('hex');
}
