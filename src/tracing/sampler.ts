import {
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
  type SpanKind,
  trace,
} from '@opentelemetry/api';
import { type Sampler, SamplingDecision, type SamplingResult } from '@opentelemetry/sdk-trace-base';
import { getInnerClient, scopesIn } from '../context/current-scopes.js';
import { registerPart } from '../context/parts.js';
import { rememberIsolation, startsRequest } from '../context/request/request-isolation.js';
import { localRootOf, localRootOfClient } from '../context/trace/find-local-root.js';
import { decisionFor, isTracingEnabled, rememberUnrecorded, remoteParentOf } from '../context/trace/trace.js';
import { guard, reportOwnFailure } from '../internal/guard.js';
import { readProperty } from '../internal/values/read.js';
import type { Client } from '../model/contracts.js';
import { type InnerClient, isClient, readClientOption } from '../model/inner-client.js';
import { isUndecidedParent } from './propagation/incoming-trace.js';
import { decideAndCount } from './sampling/decide-root.js';
import { PendingDecision } from './sampling/pending-decision.js';
import type { RootDecision } from './sampling/sampling-rules.js';
import { localParentOf } from './spans/nested-server-span.js';

const NOT_RECORD: SamplingResult = Object.freeze({ decision: SamplingDecision.NOT_RECORD });
const RECORD: SamplingResult = Object.freeze({ decision: SamplingDecision.RECORD });
const RECORD_AND_SAMPLED: SamplingResult = Object.freeze({ decision: SamplingDecision.RECORD_AND_SAMPLED });

/**
 * Decides for each local root whether it becomes a transaction; all spans below it, here and downstream, inherit the
 * decision.
 *
 * If the application has its own sampler, only that one sets OTel's sampled flag: a trace that only Faultline wants is
 * recorded without being sampled, so that other exporters skip it.
 */
export class FaultlineSampler implements Sampler {
  readonly #client: InnerClient | undefined;
  readonly #existing: Sampler | undefined;

  /**
   * @param options `client`: the client whose settings decide; default: the current one at each decision. `sampler`:
   *   your own sampler, called first; it alone sets OTel's sampled flag
   */
  constructor(options?: { client?: Client | undefined; sampler?: Sampler | undefined });
  /** Like the public constructor, with the client as first argument. */
  constructor(client: Client | undefined, options?: { sampler?: Sampler | undefined });
  constructor(first?: unknown, second?: unknown) {
    const sampler = readProperty(second, 'sampler') ?? readProperty(first, 'sampler');
    this.#client = isClient(first) ? first : readClientOption(first);
    this.#existing = typeof readProperty(sampler, 'shouldSample') === 'function' ? (sampler as Sampler) : undefined;
    registerPart(this, 'FaultlineSampler', this.#client);
  }

  /** Exceptions of the application's sampler propagate, as they would without Faultline. */
  shouldSample(
    context: Context,
    traceId: string,
    spanName: string,
    spanKind: SpanKind,
    attributes: Attributes,
    links: Link[],
  ): SamplingResult {
    const theirs = this.#existing?.shouldSample(besideUs(context), traceId, spanName, spanKind, attributes, links);
    try {
      return this.#composeWith(theirs, context, traceId, spanName, spanKind, attributes);
    } catch (error) {
      reportOwnFailure('sampling', error);
      return theirs ?? NOT_RECORD;
    }
  }

  #composeWith(
    theirs: SamplingResult | undefined,
    context: Context,
    traceId: string,
    spanName: string,
    spanKind: SpanKind,
    attributes: Attributes,
  ): SamplingResult {
    const isRecorded = theirs !== undefined && theirs.decision !== SamplingDecision.NOT_RECORD;
    const client = this.#client ?? getInnerClient();
    if (!client?.settings.enabled) return theirs ?? NOT_RECORD;
    const parent = localParentOf(context);
    const root = parent && (this.#client ? localRootOfClient(parent, this.#client) : localRootOf(parent));
    if (isTracingEnabled(client)) {
      const recorded = root
        ? root.isRecorded && root.decision
        : parent && !parent.isRecording()
          ? this.#keepDropped(client, parent, context, isRecorded)
          : this.#decide(client, context, traceId, spanName, spanKind, attributes, isRecorded);
      if (recorded && theirs) return withRecording(theirs);
      // With the verdict `hold`, it is recorded and not sampled, so that other exporters skip it.
      if (recorded) return recorded.sampled ? RECORD_AND_SAMPLED : RECORD;
    }
    if (!isRecorded && !parent && startsRequest(spanKind)) rememberIsolation(traceId, scopesIn(context));
    return theirs ?? NOT_RECORD;
  }

  toString(): string {
    const existing = this.#existing;
    return existing
      ? `FaultlineSampler{${guard('toString of a sampler', () => String(existing), '')}}`
      : 'FaultlineSampler';
  }

  /** @returns the decision about the root that is about to start; `undefined` if it is not recorded */
  #decide(
    client: InnerClient,
    context: Context,
    traceId: string,
    name: string,
    kind: SpanKind,
    attributes: Attributes,
    isRecorded: boolean,
  ): RootDecision | undefined {
    const remoteParent = remoteParentOf(context);
    const hasExistingSampler = this.#existing !== undefined;
    const root = { context, traceId, name, kind, attributes, remoteParent, hasExistingSampler };
    const decision = decideAndCount(client, root);
    const isWanted = decision.verdict !== 'drop';
    if (isWanted || isRecorded) client.stateOf(PendingDecision).put(traceId, decision);
    else if (!followsFromSettings(client, decision, remoteParent)) rememberUnrecorded(client, traceId, decision);
    return isWanted ? decision : undefined;
  }

  /** An unrecorded trace stays dropped; if the application's sampler records a part of it, no new decision is made. */
  #keepDropped(client: InnerClient, parent: Span, context: Context, isRecorded: boolean): undefined {
    if (isRecorded) {
      const { traceId } = parent.spanContext();
      client.stateOf(PendingDecision).put(traceId, { ...decisionFor(client, parent, context), verdict: 'drop' });
    }
    return undefined;
  }
}

/** The context for the application's sampler: omits a remote parent that does not carry that sampler's decision. */
function besideUs(context: Context): Context {
  const parentContext = trace.getSpanContext(context);
  return parentContext && isUndecidedParent(parentContext) ? trace.deleteSpan(context) : context;
}

function withRecording(theirs: SamplingResult): SamplingResult {
  if (theirs.decision !== SamplingDecision.NOT_RECORD) return theirs;
  return theirs.attributes || theirs.traceState ? { ...theirs, decision: SamplingDecision.RECORD } : RECORD;
}

/** Whether the decision of a non-recording root can be derived from the settings later. */
function followsFromSettings({ settings }: Client, root: RootDecision, remoteParent: SpanContext | undefined): boolean {
  return root.sampled === false && remoteParent === undefined && root.sampleRate === settings.tracesSampleRate;
}
