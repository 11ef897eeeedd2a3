import { createSpanId, createTraceId } from '../internal/ids.js';
import { copyOwn } from '../internal/values/copy-own.js';

/**
 * Data about a trace from its first service. Propagated with the trace, so that all services sample alike. All values
 * are strings, as in the `baggage` header.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/traces/dynamic-sampling-context/
 */
export interface DynamicSamplingContext {
  /** 32 hex characters. */
  trace_id?: string | undefined;
  /** Public key from the DSN of the service that began the trace. */
  public_key?: string | undefined;
  /** `0` to `1`. */
  sample_rate?: string | undefined;
  /** In [0, 1). The trace is sampled when this is below `sample_rate`. */
  sample_rand?: string | undefined;
  /** `true` or `false`; absent before the decision. */
  sampled?: string | undefined;
  release?: string | undefined;
  environment?: string | undefined;
  /** Name of the root span, unless it is a raw URL. */
  transaction?: string | undefined;
  org_id?: string | undefined;
  [member: string]: string | undefined;
}

/** A scope's trace while no span is active. */
export interface PropagationContext {
  /** 32 hex characters. */
  traceId: string;
  /** The trace's random number in [0, 1), the same in every service. Absent when it is derived from the trace id. */
  sampleRand?: number | undefined;
  /** Span of the upstream service, 16 hex characters; absent when the trace began here. */
  parentSpanId?: string | undefined;
  /** The upstream decision; `undefined` means that this process decides. */
  sampled?: boolean | undefined;
  /** The incoming dynamic sampling context, passed on unchanged; empty when the incoming trace had none. */
  dsc?: DynamicSamplingContext | undefined;
  /** Span id of events and outgoing requests while no span is active, 16 hex characters. */
  spanId?: string | undefined;
}

/** Begins a trace in this process. */
export function createPropagationContext(): PropagationContext {
  const traceId = createTraceId();
  return { traceId, spanId: createSpanId(), sampleRand: sampleRandOf(traceId) };
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

/** An id as it leaves the process: servers and W3C headers have lower case, and OTel accepts ids in upper case. */
export function toWireId(id: string): string {
  return /[A-F]/.test(id) ? id.toLowerCase() : id;
}

/** A valid trace id as it leaves the process: 32 hex characters, not all of them zero. */
export function readTraceId(value: unknown): string | undefined {
  return readId(value, TRACE_ID);
}

/** A valid span id as it leaves the process: 16 hex characters, not all of them zero. */
export function readSpanId(value: unknown): string | undefined {
  return readId(value, SPAN_ID);
}

function readId(value: unknown, pattern: RegExp): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (pattern.test(value)) return value;
  const id = toWireId(value);
  return pattern.test(id) ? id : undefined;
}

/** Whether a value is a valid trace id, in either case. */
export function isTraceId(value: unknown): value is string {
  return readTraceId(value) !== undefined;
}

/** Whether a value is a valid span id, in either case. */
export function isSpanId(value: unknown): value is string {
  return readSpanId(value) !== undefined;
}

/**
 * Sanitizes a propagation context of the caller: invalid members are omitted. Without a valid trace id, a new trace
 * begins.
 */
export function readPropagationContext(value: unknown): PropagationContext {
  const { traceId: anyTraceId, sampleRand, parentSpanId, sampled, dsc, spanId, ...others } = copyOwn(value);
  const traceId = readTraceId(anyTraceId);
  if (traceId === undefined) return createPropagationContext();
  const context: PropagationContext = { ...others, traceId };
  if (isSpanId(spanId)) context.spanId = toWireId(spanId);
  if (isSpanId(parentSpanId)) context.parentSpanId = toWireId(parentSpanId);
  if (typeof sampleRand === 'number' && sampleRand >= 0 && sampleRand < 1) context.sampleRand = sampleRand;
  if (typeof sampled === 'boolean') context.sampled = sampled;
  if (dsc !== undefined) context.dsc = sanitizeDsc(dsc);
  return context;
}

/** A copy of a dynamic sampling context with strings only: numbers and booleans become strings, others are omitted. */
export function sanitizeDsc(dsc: unknown): DynamicSamplingContext {
  const sanitized: DynamicSamplingContext = {};
  const copy = copyOwn(dsc);
  for (const member in copy) {
    const value = copy[member];
    if (typeof value === 'string') sanitized[member] = value;
    else if (typeof value === 'number' || typeof value === 'boolean') sanitized[member] = String(value);
  }
  return sanitized;
}

/** Reads a rate or a random number; `undefined` if it is not a number from 0 to 1. */
export function readFraction(raw: string | undefined): number | undefined {
  const value = Number(raw);
  // `Number(' ')` is 0.
  return raw?.trim() && value >= 0 && value <= 1 ? value : undefined;
}

/** Parses the random number of a trace: a fraction below 1. */
export function readSampleRand(raw: string | undefined): number | undefined {
  const value = readFraction(raw);
  return value === 1 ? undefined : value;
}

const SAMPLE_RAND_STEPS = 1_000_000;
const UINT32_RANGE = 2 ** 32;

/**
 * Derives the random number of a trace that has none: a hash of the trace id, so that nothing has to be stored and
 * every part of the process computes the same number. The id's own bits are unsuitable: other samplers compare them
 * with their ratio, and the two decisions must not correlate.
 *
 * @returns a number in [0, 1) with at most six decimals, rounded down
 */
export function sampleRandOf(traceId: string): number {
  // FNV-1a over the characters, then murmur3's finalizer to spread the last ones.
  const id = toWireId(traceId);
  let hash = 0x811c9dc5;
  for (let i = 0; i < id.length; i++) hash = Math.imul(hash ^ id.charCodeAt(i), 0x01000193);
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return Math.floor(((hash >>> 0) / UINT32_RANGE) * SAMPLE_RAND_STEPS) / SAMPLE_RAND_STEPS;
}
