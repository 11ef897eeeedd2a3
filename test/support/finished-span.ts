import { type Context, ROOT_CONTEXT, type Span, type SpanOptions, trace } from '@opentelemetry/api';
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base';

export const tracer = new BasicTracerProvider().getTracer('test');

/** A remote span, and a context in which it is the parent. */
export const PARENT = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceFlags: 1,
  isRemote: true,
};
export const IN_PARENT = trace.setSpanContext(ROOT_CONTEXT, PARENT);

interface Story extends SpanOptions {
  name?: string;
  parent?: Context;
  /** What happens while the span runs. */
  change?: (span: Span) => void;
}

/** A real span of the OTel SDK that ran from 1700000000.1 to 1700000002.35. */
export function finishedSpan({ name = 'work', parent = ROOT_CONTEXT, change, ...options }: Story = {}): ReadableSpan {
  const span = tracer.startSpan(name, { startTime: [1_700_000_000, 100_000_000], ...options }, parent);
  change?.(span);
  span.end([1_700_000_002, 350_000_000]);
  return span as unknown as ReadableSpan;
}
