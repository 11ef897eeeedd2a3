import type { Span, SpanContext, SpanKind } from '@opentelemetry/api';
import { readProperty } from '../../internal/values/read.js';
import { isSpanId } from '../../model/trace.js';
import { startsRequest } from '../request/request-isolation.js';

/**
 * The context of a span's parent. Spans of OTel's SDK 1.x have its id only, which does not say whether the parent is in another
 * process: that of a span which handles a request or a message is taken to be, and no other.
 */
export function parentOf(
  span: Pick<Span, 'spanContext'> & { parentSpanContext?: SpanContext },
): SpanContext | undefined {
  const { parentSpanContext } = span;
  if (parentSpanContext) return parentSpanContext;
  const spanId = readProperty(span, 'parentSpanId');
  if (!isSpanId(spanId)) return undefined;
  return { ...span.spanContext(), spanId, isRemote: startsRequest(readProperty(span, 'kind') as SpanKind) };
}
