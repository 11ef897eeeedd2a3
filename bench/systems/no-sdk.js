// A service that nobody watches.

export const title = 'without an SDK';

/** @returns {Pick<import('../measure.js').System, 'startSpan' | 'flush' | 'delivery'>} */
export function setup() {
  const startSpan = (_name, _attributes, callback) => callback();
  return { startSpan, flush: async () => {}, delivery: { count: 0, bytes: 0, samples: [] }, tracesNothing: true };
}
