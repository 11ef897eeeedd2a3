import { type Span, type SpanStatus, SpanStatusCode, type TimeInput } from '@opentelemetry/api';
import type { SpanTimeInput } from '../model/span-json.js';
import { toOtelTime } from './span-time.js';

/** The parts of the OTel SDK's span that are written to. */
interface WritableSpan extends Span {
  status: SpanStatus;
}

/**
 * Lets a span made through our API do what the API promises beyond OTel's: an error may follow OK, and the end may be
 * given in seconds. Spans of OTel tracers keep OTel's rules.
 */
export function completeSpan(span: Span): void {
  span.setStatus = setStatus;
  span.end = end;
}

function setStatus(this: Span, status: SpanStatus): Span {
  const span = this as WritableSpan;
  if (status?.code === SpanStatusCode.ERROR && span.status?.code === SpanStatusCode.OK && span.isRecording()) {
    span.status = { code: SpanStatusCode.UNSET };
  }
  return inherited(this).setStatus.call(this, status);
}

function end(this: Span, endTime?: TimeInput): void {
  // A second end would only make OTel complain.
  if (this.isRecording()) inherited(this).end.call(this, toOtelTime(endTime as SpanTimeInput | undefined));
}

function inherited(span: Span): Span {
  return Object.getPrototypeOf(span) as Span;
}
