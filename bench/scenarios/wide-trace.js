// 50,000 children below one root that is still open: what is in use at most, in a loop that yields now and then.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { context, trace } from '@opentelemetry/api';

const CHILDREN_PER_TURN = 100;
const MEASUREMENTS = 20;

export const title = '50,000 children below one root: memory in use, at most';
export const script = 'memory.js';
export const unit = 'MB';
export const baseline = 'otel';
export const goal = { of: 'otel', max: 1.5 };
export const setup = { tracesSampleRate: 1, spansPerOperation: 1, countsSpans: true };
export const systems = ['otel', 'faultline'];
export const spans = 50_001;
export const isPeak = true;

/** @param measure called while the spans are made */
export async function run(spans, measure, isYielding = true) {
  const tracer = trace.getTracer('bench');
  const root = tracer.startSpan('root');
  const inRoot = trace.setSpan(context.active(), root);
  for (let i = 1; i < spans; i++) {
    tracer.startSpan('load item', { attributes: { 'item.index': i, 'item.name': 'a name' } }, inRoot).end();
    if (isYielding && i % CHILDREN_PER_TURN === 0) await nextTurn();
    if (i % Math.ceil(spans / MEASUREMENTS) === 0) measure();
  }
  root.end();
}
