import type { SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { readProperty } from './read.js';

/** Whether a value has the methods that OTel calls for each span. */
export function isSpanProcessor(value: unknown): value is SpanProcessor {
  return ['onStart', 'onEnd'].every((method) => typeof readProperty(value, method) === 'function');
}
