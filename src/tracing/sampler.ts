import {
  type Attributes,
  type Context,
  INVALID_TRACEID,
  isSpanContextValid,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  trace,
} from '@opentelemetry/api';
import { type Sampler, SamplingDecision, type SamplingResult } from '@opentelemetry/sdk-trace-base';
import { getClient } from '../context/storage.js';
import { isTracingEnabled, localRootOf, rememberUnrecorded, type TraceDecision } from '../context/trace.js';
import { beginsUnit, createUnit, rememberUnit } from '../context/unit-of-work.js';
import type { Client } from '../model/contracts.js';
import { decideRoot } from './root-decision.js';
import { segmentsOf } from './segments.js';

const NOT_RECORD: SamplingResult = Object.freeze({ decision: SamplingDecision.NOT_RECORD });
const RECORD_AND_SAMPLED: SamplingResult = Object.freeze({ decision: SamplingDecision.RECORD_AND_SAMPLED });

/**
 * Decides at the root of each trace in this process whether it becomes a transaction; every child here and downstream
 * inherits the decision.
 *
 * Beside a sampler of the host, that one alone decides OTel's sampled flag: a trace that only we want is recorded
 * without being sampled, which exporters of the host skip.
 */
export class FaultlineSampler implements Sampler {
  readonly #client: Client | undefined;
  readonly #host: Sampler | undefined;

  /**
   * @param client whose settings decide; without it, the current one at each decision
   * @param options `sampler`: the host's own sampler, asked first
   */
  constructor(client?: Client, { sampler }: { sampler?: Sampler } = {}) {
    this.#client = client;
    this.#host = sampler;
  }

  shouldSample(
    context: Context,
    traceId: string,
    spanName: string,
    spanKind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const client = this.#client ?? getClient();
    const parent = localParentOf(context);
    const isWanted =
      client?.settings.enabled === true &&
      isTracingEnabled(client) &&
      (parent
        ? localRootOf(parent)?.sampled === true
        : this.#decide(client, context, traceId, spanName, spanKind, attributes));
    const result = this.#askHost(isWanted, context, traceId, spanName, spanKind, attributes, links);
    if (
      !parent &&
      result.decision === SamplingDecision.NOT_RECORD &&
      client?.settings.enabled &&
      beginsUnit(spanKind)
    ) {
      rememberUnit(traceId, createUnit(context));
    }
    return result;
  }

  #askHost(isWanted: boolean, ...args: Parameters<Sampler['shouldSample']>): SamplingResult {
    if (!this.#host) return isWanted ? RECORD_AND_SAMPLED : NOT_RECORD;
    const result = this.#host.shouldSample(...args);
    if (!isWanted || result.decision !== SamplingDecision.NOT_RECORD) return result;
    return { ...result, decision: SamplingDecision.RECORD };
  }

  toString(): string {
    return this.#host ? `FaultlineSampler{${this.#host.toString()}}` : 'FaultlineSampler';
  }

  #decide(
    client: Client,
    context: Context,
    traceId: string,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
  ): boolean {
    const parentContext = trace.getSpanContext(context);
    const remoteParent = parentContext?.isRemote && isSpanContextValid(parentContext) ? parentContext : undefined;
    const decision = decideRoot(client, { context, traceId, name, kind, attributes, remoteParent });
    const sampled = decision.sampled === true;
    // The host's sampler may record what we do not want: its processor must then not decide again.
    if (sampled || this.#host) segmentsOf(client).announce({ ...decision, traceId });
    if (!sampled && !isToldFromSettings(client, decision, remoteParent)) rememberUnrecorded(traceId, decision);
    return sampled;
  }
}

/** The parent in this process. It is of OTel's own making: comparing with the one invalid id is enough. */
function localParentOf(context: Context): Span | undefined {
  const parent = trace.getSpan(context);
  const parentContext = parent?.spanContext();
  const isLocal = parentContext && !parentContext.isRemote && parentContext.traceId !== INVALID_TRACEID;
  return isLocal ? parent : undefined;
}

/** Whether a root that does not record was decided by nothing but the fixed rate. */
function isToldFromSettings(client: Client, decision: TraceDecision, remoteParent: SpanContext | undefined): boolean {
  return (
    decision.sampled === false && remoteParent === undefined && decision.sampleRate === client.settings.tracesSampleRate
  );
}
