import { type Context, type SpanContext, TraceFlags, trace } from '@opentelemetry/api';
import { getClient, scopesIn } from '../../context/current-scopes.js';
import { processWide } from '../../context/process-wide.js';
import { withForkedScope } from '../../context/scope-span.js';
import { hasExistingSetup, organizationOf } from '../../context/trace/trace.js';
import {
  type HeaderValue,
  parseBaggageDsc,
  parseSentryTrace,
  parseTraceparent,
} from '../../context/trace/trace-headers.js';
import { drawRandom } from '../../internal/randomness.js';
import {
  type DynamicSamplingContext,
  type PropagationContext,
  readFraction,
  readSampleRand,
  sampleRandOf,
} from '../../model/trace.js';

/** Headers of a request that continues a trace. */
export interface IncomingHeaders {
  /** Of `sentry-trace`. */
  readonly sentryTrace?: HeaderValue;
  /** The same under the name of the header, as `getTraceData` returns it; used only if `sentryTrace` is absent. */
  readonly 'sentry-trace'?: HeaderValue;
  /** Supplies the dynamic sampling context; members of other vendors are ignored. */
  readonly baggage?: HeaderValue;
  /** Used only if both are absent or name no span. */
  readonly traceparent?: HeaderValue;
}

/** Options for reading headers. */
interface ContinuationRules {
  /** Keeps the context's existing parent of spans. @default false */
  readonly keepsParent?: boolean;
  /** Whether the application's sampler sets OTel's sampled flag. @default with `skipOpenTelemetrySetup` */
  readonly hasExistingSampler?: boolean;
}

/**
 * Returns a context in which new root spans, events and outgoing requests continue the trace of the headers.
 *
 * @returns `undefined` if the headers contain no trace, or a trace of another organization
 */
export function continueFrom(
  context: Context,
  headers: IncomingHeaders,
  { keepsParent = false, hasExistingSampler = isBesideExistingSetup() }: ContinuationRules = {},
): Context | undefined {
  const propagation = readPropagation(headers, hasExistingSampler);
  if (!propagation) return undefined;
  const { current, isolation } = scopesIn(context);
  const fork = current.clone().setPropagationContext(propagation);
  if (keepsParent) return withForkedScope(context, fork, isolation);
  const parent = hasExistingSampler ? parentForExistingSampler(propagation, headers) : ownParent(propagation);
  return withForkedScope(trace.setSpanContext(context, parent), fork, isolation);
}

/** Whether the application sets OpenTelemetry up. */
export function isBesideExistingSetup(): boolean {
  const client = getClient();
  return client !== undefined && hasExistingSetup(client);
}

function readPropagation(
  { 'sentry-trace': named, sentryTrace = named, baggage, traceparent }: IncomingHeaders,
  hasExistingSampler: boolean,
): PropagationContext | undefined {
  const ours = parseSentryTrace(sentryTrace);
  // A trace id without a span id names no parent.
  const incoming = ours?.parentSpanId ? ours : parseTraceparent(traceparent);
  if (!incoming?.parentSpanId) return undefined;
  const { traceId, parentSpanId } = incoming;
  const received = parseBaggageDsc(baggage);
  // Beside an unusable header of ours, the baggage may be that of another trace than that of `traceparent`.
  const isOfAnother = incoming !== ours && received?.trace_id !== undefined && received.trace_id !== traceId;
  const dsc = isOfAnother ? undefined : received;
  if (!isOurOrganization(received)) return undefined;
  // With only a W3C header, the application's sampler decided upstream, but Faultline's did not: the decision is open.
  const isUndecided = incoming !== ours && hasExistingSampler;
  // Not derived from the trace id, which the caller has chosen.
  if (!trustsSamplingOf(dsc)) return { traceId, parentSpanId, sampleRand: drawRandom() };
  const sampled = isUndecided ? undefined : incoming.sampled;
  const sampleRand = chooseSampleRand(traceId, sampled, dsc);
  return { traceId, parentSpanId, sampled, sampleRand, dsc: dsc ?? (isUndecided ? undefined : {}) };
}

function ownParent({ traceId, parentSpanId, sampled }: PropagationContext): SpanContext {
  return {
    traceId,
    spanId: parentSpanId!,
    isRemote: true,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  };
}

/** If the application has its own sampler: only a W3C header carries that sampler's upstream decision. */
function parentForExistingSampler(propagation: PropagationContext, { traceparent }: IncomingHeaders): SpanContext {
  const w3c = parseTraceparent(traceparent);
  const isKnown = w3c?.traceId === propagation.traceId;
  return isKnown ? ownParent({ ...propagation, sampled: w3c.sampled }) : undecidedParent(propagation);
}

/** A remote parent without a known upstream decision of the user's sampler. */
export function undecidedParent(propagation: PropagationContext): SpanContext {
  const parent = ownParent({ ...propagation, sampled: undefined });
  processWide().undecidedParents.set(parent, true);
  return parent;
}

/** Whether a remote parent came only with our headers: its flag is then no decision of the application's sampler. */
export function isUndecidedParent(parent: SpanContext): boolean {
  return parent.isRemote === true && processWide().undecidedParents.get(parent) === true;
}

/** The largest number below 1: rounding must not reach 1, which no service accepts as a random number. */
const MAX_SAMPLE_RAND = 1 - Number.EPSILON / 2;

/**
 * The incoming random number, or else one that agrees with the incoming decision: below the rate if the trace was
 * sampled, above the rate if it was not.
 */
function chooseSampleRand(
  traceId: string,
  sampled: boolean | undefined,
  dsc: DynamicSamplingContext | undefined,
): number {
  const incoming = readSampleRand(dsc?.sample_rand);
  if (incoming !== undefined) return incoming;
  const rand = sampleRandOf(traceId);
  const rate = readFraction(dsc?.sample_rate);
  if (rate === undefined || sampled === undefined) return rand;
  return Math.min(sampled ? rand * rate : rate + rand * (1 - rate), MAX_SAMPLE_RAND);
}

function isOurOrganization(dsc: DynamicSamplingContext | undefined): boolean {
  const client = getClient();
  if (!client) return true;
  const own = organizationOf(client);
  const theirs = dsc?.org_id;
  if (own === theirs) return true;
  if (own !== undefined && theirs !== undefined) return false;
  return !client.settings.strictTraceContinuation;
}

/** Whether to trust the decision that came with a dynamic sampling context. */
function trustsSamplingOf(dsc: DynamicSamplingContext | undefined): boolean {
  const client = getClient();
  switch (client?.settings.trustIncomingSampling) {
    case 'never':
      return false;
    case 'own': {
      const organization = organizationOf(client);
      const isOwnOrganization = organization !== undefined && dsc?.org_id === organization;
      return isOwnOrganization || (client.dsn !== undefined && dsc?.public_key === client.dsn.publicKey);
    }
    default:
      return true;
  }
}
