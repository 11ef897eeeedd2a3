// A small service of `node:http` under load, with two spans of its own in each request: from the first byte of a request
// until the bytes of its three spans are handed over.

import { setImmediate as nextTurn } from 'node:timers/promises';

export const title = 'an HTTP request with 3 spans, sampled';
export const baseline = 'otel-http';
export const goal = { of: 'otel', max: 1.2 };
export const script = 'serve.js';
export const setup = { tracesSampleRate: 1, spansPerOperation: 3 };
export const systems = ['no-sdk', 'otel-http', 'faultline', 'sentry'];
export const warmUpOperations = 10_000;
export const operations = 10_000;
/** Texts that the payload of one operation contains. */
export const content = ['"load order"', '"render"', '"order.id"'];

/** @param system with `startSpan` */
export function prepare({ startSpan }) {
  return async (request, response) => {
    const id = request.url.slice('/orders/'.length, request.url.indexOf('?'));
    await nextTurn();
    const order = startSpan('load order', { 'order.id': id, 'db.system.name': 'memory' }, () => loadOrder(id));
    const body = startSpan('render', { 'order.items': order.items.length }, () => JSON.stringify(order));
    response.setHeader('content-type', 'application/json');
    response.end(body);
  };
}

function loadOrder(id) {
  return { id, items: [1, 2, 3], total: 42.5 };
}
