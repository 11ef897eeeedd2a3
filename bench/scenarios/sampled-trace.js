// A root span with ten children, five attributes each, kept: from the first startSpan until the bytes are handed over.

const CHILDREN = 10;

export const title = 'a sampled trace of 11 spans, with 5 attributes each';
export const baseline = 'otel';
export const goal = { of: 'otel', max: 1.2 };
export const setup = { tracesSampleRate: 1, spansPerOperation: 1 + CHILDREN };
export const systems = ['otel', 'faultline', 'faultline-otel-api', 'sentry'];
export const warmUpOperations = 10_000;
export const operations = 6000;
export const expectedDeliveries = operations;

/** @param {import('../measure.js').System} system */
export function prepare(system) {
  return () => system.startSpan('GET /orders/:id', createAttributes(0), () => runChildren(system));
}

function runChildren(system) {
  for (let i = 1; i <= CHILDREN; i++) system.startSpan('load item', createAttributes(i), work);
}

function createAttributes(index) {
  return {
    'order.id': 'b4a1f1f0-0000-4000-8000-1d2c3b4a5968',
    'customer.plan': 'team',
    'item.index': index,
    'item.name': 'a name of ordinary length',
    'cache.hit': false,
  };
}

const work = () => undefined;

/** Texts that the payload of one operation contains, and how often. */
export const content = [
  ...Object.keys(createAttributes(0)).map((key) => [JSON.stringify(key), 1 + CHILDREN]),
  ['"load item"', CHILDREN],
];
