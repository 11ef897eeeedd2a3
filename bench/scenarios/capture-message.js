// A message with nothing on any scope: from the call until the bytes are handed over.

export const title = 'a message with an empty scope';
export const goal = { of: 'peer', max: 0.05 };
export const setup = {};
export const systems = ['sentry', 'faultline'];
export const warmUpOperations = 10_000;
export const operations = 10_000;
export const expectedDeliveries = operations;

/** @param {import('../measure.js').System} system */
export function prepare(system) {
  let id = 0;
  return () => system.captureMessage(`order ${id++} was paid twice`);
}

/** Texts that the payload of one operation contains, and how often. */
export const content = [[' was paid twice"', 1]];
