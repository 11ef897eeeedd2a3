// 20,000 roots that nobody ends, each with a child that ends: what is in use afterwards.

import { setImmediate as nextTurn } from 'node:timers/promises';
import { context, trace } from '@opentelemetry/api';

const ROOTS_PER_TURN = 100;

export const title = '20,000 roots that never end, each with an ended child: memory in use afterwards';
export const script = 'memory.js';
export const unit = 'MB';
export const goal = { of: 'figure', max: 1 };
export const setup = { tracesSampleRate: 1, spansPerOperation: 1, countsSpans: true };
export const systems = ['otel', 'faultline'];
export const spans = 20_000;
export const isPeak = false;

export async function run(spans) {
  const tracer = trace.getTracer('bench');
  for (let i = 1; i <= spans; i++) {
    const inRoot = trace.setSpan(context.active(), tracer.startSpan('root'));
    tracer.startSpan('load item', { attributes: { 'item.index': i } }, inRoot).end();
    if (i % ROOTS_PER_TURN === 0) await nextTurn();
  }
}
