import { copyOwn } from '../internal/guard.js';
import { createSpanId, createTraceId } from '../internal/ids.js';

/**
 * Facts about a trace that travel with it, so that every service samples alike. All values are strings, as on the wire.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/traces/dynamic-sampling-context/
 */
export interface DynamicSamplingContext {
  /** 32 hex characters. */
  trace_id?: string | undefined;
  /** From the DSN of the service that began the trace, as all members are that service's. */
  public_key?: string | undefined;
  /** `0` to `1`. */
  sample_rate?: string | undefined;
  /** From `0` up to, but not including, `1`; sampled is what is below the rate. */
  sample_rand?: string | undefined;
  /** `true` or `false`; absent while it is not decided. */
  sampled?: string | undefined;
  release?: string | undefined;
  environment?: string | undefined;
  /** Name of the root span, unless it is a raw URL. */
  transaction?: string | undefined;
  org_id?: string | undefined;
  [member: string]: string | undefined;
}

/** The trace that a scope belongs to while no span is active. */
export interface PropagationContext {
  /** 32 hex characters. */
  traceId: string;
  /** The trace's random number in [0, 1), the same in every service; absent where it is that of the trace id. */
  sampleRand?: number | undefined;
  /** Span of the upstream service, 16 hex characters; absent when the trace began here. */
  parentSpanId?: string | undefined;
  /** The upstream decision; `undefined` leaves it to us. */
  sampled?: boolean | undefined;
  /** What came in with the trace, passed on unchanged; empty when a trace came without it. */
  dsc?: DynamicSamplingContext | undefined;
  /** Span id given to events and outgoing requests while there is no span, 16 hex characters. */
  spanId?: string | undefined;
}

/** A trace that begins here. */
export function createPropagationContext(): PropagationContext {
  const traceId = createTraceId();
  return { traceId, spanId: createSpanId(), sampleRand: sampleRandOf(traceId) };
}

const TRACE_ID = /^(?!0{32})[0-9a-f]{32}$/;
const SPAN_ID = /^(?!0{16})[0-9a-f]{16}$/;

function isTraceId(value: unknown): value is string {
  return typeof value === 'string' && TRACE_ID.test(value);
}

function isSpanId(value: unknown): value is string {
  return typeof value === 'string' && SPAN_ID.test(value);
}

/**
 * The trace that a caller describes, without those members that cannot be what they are to be; without a trace id a trace
 * that begins here.
 */
export function readPropagationContext(given: unknown): PropagationContext {
  const { traceId, sampleRand, parentSpanId, sampled, dsc, spanId, ...others } = copyOwn(given);
  if (!isTraceId(traceId)) return createPropagationContext();
  const context: PropagationContext = { ...others, traceId };
  if (isSpanId(spanId)) context.spanId = spanId;
  if (isSpanId(parentSpanId)) context.parentSpanId = parentSpanId;
  if (typeof sampleRand === 'number' && sampleRand >= 0 && sampleRand < 1) context.sampleRand = sampleRand;
  if (typeof sampled === 'boolean') context.sampled = sampled;
  if (dsc !== undefined) context.dsc = textsOf(dsc);
  return context;
}

/** The members of a dynamic sampling context; servers refuse one with anything else in it than texts. */
export function textsOf(dsc: unknown): DynamicSamplingContext {
  const texts: DynamicSamplingContext = {};
  for (const [member, value] of Object.entries(copyOwn(dsc))) {
    if (typeof value === 'string') texts[member] = value;
    else if (typeof value === 'number' || typeof value === 'boolean') texts[member] = String(value);
  }
  return texts;
}

const SAMPLE_RAND_STEPS = 1_000_000;
const UINT32_RANGE = 2 ** 32;

/**
 * The random number of a trace that came without one: a hash of its id, so that nothing has to be stored and every part
 * of the process that asks gets the same answer. Hashed rather than cut out of the id, because other samplers compare
 * the id's own bits with their ratio and the decisions must not correlate.
 *
 * @returns a number in [0, 1) with at most six decimals, rounded down
 */
export function sampleRandOf(traceId: string): number {
  // FNV-1a over the characters, then murmur3's finalizer to spread the last ones.
  let hash = 0x811c9dc5;
  for (let i = 0; i < traceId.length; i++) {
    hash = Math.imul(hash ^ traceId.charCodeAt(i), 0x01000193);
  }
  hash ^= hash >>> 16;
  hash = Math.imul(hash, 0x85ebca6b);
  hash ^= hash >>> 13;
  hash = Math.imul(hash, 0xc2b2ae35);
  hash ^= hash >>> 16;
  return Math.floor(((hash >>> 0) / UINT32_RANGE) * SAMPLE_RAND_STEPS) / SAMPLE_RAND_STEPS;
}
