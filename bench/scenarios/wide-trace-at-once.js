// The trace of wide-trace.js in one turn of the event loop, so that nothing can leave meanwhile.

import * as wideTrace from './wide-trace.js';

export const title = '50,000 children below one root in one turn of the event loop: memory in use, at most';
// OpenTelemetry drops what its queue has no room for, so that a ratio would say nothing.
export const goal = { of: 'figure', max: 17 };
export const { script, unit, setup, systems, spans, isPeak } = wideTrace;

export function run(spans, measure) {
  return wideTrace.run(spans, measure, false);
}
