// A service that nobody watches.

export const title = 'without an SDK';

/** @returns {Pick<import('../measure.js').System, 'flush' | 'delivery'>} */
export function setup() {
  return { flush: async () => {}, delivery: { count: 0, bytes: 0, samples: [] }, tracesNothing: true };
}
