import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { requestIn } from '../../context/request/running-request.js';
import type { LocalRoot } from '../../context/trace/local-root.js';
import { dscOf } from '../../context/trace/trace.js';
import { createLogger } from '../../internal/diag.js';
import type { Contexts, TransactionEvent } from '../../model/event/event.js';
import { ATTRIBUTE, type SpanJSON } from '../../model/event/span-json.js';
import { WrittenSpans } from '../../model/event/written-spans.js';
import type { InnerClient } from '../../model/inner-client.js';
import { namesOf } from '../../scrubbing/sensitive-names.js';
import { describeRequest } from '../describe/describe-request.js';
import { describeSpan, type SpanDescription } from '../describe/describe-span.js';
import { ResourceContext } from '../describe/resource-context.js';
import { checkTimesAndIds, childSpanJSON, measurementsOf, rootTraceContext } from '../json/span-to-json.js';
import { writeSpans } from '../json/write-spans.js';
import { mendSpan } from '../spans/mend-span.js';
import { hrTimeToSeconds, isBefore } from '../spans/span-time.js';

const log = createLogger('segments');

/** What a transaction needs to know of its segment. */
export interface SegmentFacts extends Pick<LocalRoot, 'span' | 'decision' | 'current' | 'isolation'> {
  describe(): SpanDescription;
}

/**
 * A finished segment, or a part of one, as a transaction event. If a span cannot be sent as it is, the spans are replaced
 * by copies of their readable members; what is lost then is counted.
 *
 * @param root the segment's root, or the span that stands in for it; by default, the earliest of the spans
 * @returns `undefined` if the copies make no transaction either; never throws
 */
export function createTransactionOrMend(
  client: InnerClient,
  segment: SegmentFacts,
  root: ReadableSpan | undefined,
  spans: readonly ReadableSpan[],
): TransactionEvent | undefined {
  try {
    return createTransactionEvent(client, segment, root, spans);
  } catch (error) {
    log.error('a span is not one of the OpenTelemetry SDK; its readable members are sent', error);
  }
  const whole = root && mendSpan(root);
  const others = spans.map(mendSpan).filter((span) => span !== undefined);
  const lost = spans.length - others.length + (root && !whole ? 1 : 0);
  const facts = whole && root === segment.span ? withRoot(segment, whole) : segment;
  try {
    const event = createTransactionEvent(client, facts, whole, others);
    client.ledger.captureAndDiscard('internal_sdk_error', [['span', lost]]);
    return event;
  } catch (error) {
    log.error('a root and its spans make no valid transaction; they are discarded', error);
    client.ledger.captureAndDiscard('internal_sdk_error', [
      ['transaction', 1],
      ['span', spans.length + (root ? 1 : 0)],
    ]);
    return undefined;
  }
}

/** @throws if a span has ids or times that servers refuse, and what getters of spans throw */
function createTransactionEvent(
  client: InnerClient,
  segment: SegmentFacts,
  root: ReadableSpan | undefined,
  spans: readonly ReadableSpan[],
): TransactionEvent {
  if (root) return createEvent(client, segment, root, spans);
  const earliest = spans.reduce((first, span) => (isBefore(span.startTime, first.startTime) ? span : first));
  const others = spans.filter((span) => span !== earliest);
  return createEvent(client, segment, earliest, others);
}

/** The facts of a segment whose root was replaced by a copy. */
function withRoot(segment: SegmentFacts, root: ReadableSpan): SegmentFacts {
  const { decision, current, isolation } = segment;
  return { decision, current, isolation, span: root as SegmentFacts['span'], describe: () => segment.describe() };
}

function createEvent(
  client: InnerClient,
  segment: SegmentFacts,
  root: ReadableSpan,
  children: readonly ReadableSpan[],
): TransactionEvent {
  const names = namesOf(client.settings);
  const isRoot = root === segment.span;
  const description = isRoot
    ? describeRequest(root, children, segment.describe(), names, requestIn(segment.isolation))
    : describeSpan(root, names);
  const { sampleRate, reason } = segment.decision;
  // A rate that was applied to another root of this process says nothing about this one.
  const ownRate = isRoot && reason !== 'parent' ? sampleRate : undefined;
  const traceContext = rootTraceContext(root, description, names, ownRate);
  if (!isRoot) traceContext.data = { ...traceContext.data, [ATTRIBUTE.parentAlreadySent]: true };
  const contexts: Contexts = { trace: traceContext, otel: client.stateOf(ResourceContext).of(root.resource) };
  const described = isRoot ? { span: segment.span, describe: () => description } : segment;
  const statusCode = traceContext.data?.['http.response.status_code'];
  if (typeof statusCode === 'number') contexts['response'] = { status_code: statusCode };
  const times = { start_timestamp: hrTimeToSeconds(root.startTime), timestamp: hrTimeToSeconds(root.endTime) };
  checkTimesAndIds(traceContext, times);
  return {
    type: 'transaction',
    transaction: description.description,
    transaction_info: { source: description.source },
    start_timestamp: times.start_timestamp,
    timestamp: times.timestamp,
    contexts,
    spans: describeSpans(client, segment, children),
    measurements: measurementsOf(root),
    sdkProcessingMetadata: {
      capturedSpanScope: segment.current,
      capturedSpanIsolationScope: segment.isolation,
      sampleRate,
      dynamicSamplingContext: dscOf(client, root.spanContext().traceId, segment.decision, described),
    },
  };
}

/** The spans as JSON text, unless single spans are read later or have to be cut. */
function describeSpans(client: InnerClient, segment: SegmentFacts, spans: readonly ReadableSpan[]): SpanJSON[] {
  const { settings } = client;
  const json = areSpansShown(client, segment) ? undefined : writeSpans(spans, settings);
  if (json !== undefined) return WrittenSpans.create(json, spans.length);
  const names = namesOf(settings);
  return spans.map((span) => childSpanJSON(span, names));
}

/** Whether user code or a step of the pipeline reads single spans. */
function areSpansShown(client: InnerClient, { current, isolation }: SegmentFacts): boolean {
  const { ignoreSpans, scrubbing, normalizeDepth } = client.settings;
  return (
    ignoreSpans.length > 0 ||
    scrubbing !== undefined ||
    normalizeDepth === 0 ||
    client.showsEvents() ||
    [current, isolation].some((scope) => {
      const { eventProcessors, conversationId } = scope.snapshot();
      return eventProcessors.length > 0 || conversationId !== undefined;
    })
  );
}
