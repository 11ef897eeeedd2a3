import assert from 'node:assert/strict';
import { startReceiver } from 'faultline/receiver';
import { expectEquation, run } from './stage.mjs';

/** How many orders the workload takes when they come at the same time. */
const ORDERS = 8;

/**
 * Runs the workload in a process of its own, and expects of it what must hold in any case.
 *
 * @param {Record<string, string>} env what it is to do; see there
 * @returns {Promise<{ transactions: object[], events: object[], exported: object[], incoming: object[] }>} what arrived at
 *   Faultline's destination, what an exporter of the application got, and the headers with which its requests arrived
 */
export async function runService(env) {
  const receiver = await startReceiver();
  try {
    const { status, stdout, stderr } = await run('support/workload.mjs', { env: { ...env, DSN: receiver.dsn } });
    assert.equal(stderr, '');
    assert.equal(status, 0);
    const { exported, incoming, balance } = JSON.parse(stdout);
    assert.deepEqual(receiver.violations, []);
    if (balance) expectEquation(balance, receiver);
    const { transactions, events } = receiver;
    return { transactions, events, exported, incoming };
  } finally {
    await receiver.close();
  }
}

/**
 * Expects that each order became a transaction and an error of its own, and continued in the requests that it made.
 *
 * @param {number} requests made by each order, of those that carry the parent which the application looks for
 */
export function expectOrders({ transactions, events }, requests) {
  const orders = transactions.filter(({ tags }) => tags?.order !== undefined);
  assert.equal(orders.length, ORDERS);
  assert.equal(new Set(orders.map(({ tags }) => tags.order)).size, ORDERS);
  assert.equal(events.length, ORDERS);
  for (const { tags, contexts, spans } of orders) {
    const { trace_id } = contexts.trace;
    assert.equal(contexts.trace.op, 'http.server');
    const query = spans.find(({ description }) => description === 'query');
    const parse = spans.find(({ description }) => description === 'parse');
    assert.equal(query.data.order, tags.order);
    assert.equal(parse.parent_span_id, query.span_id);
    const error = events.find((event) => event.tags.order === tags.order);
    assert.equal(error.exception.values[0].value, `no stock for ${tags.order}`);
    assert.deepEqual([error.contexts.trace.trace_id, error.contexts.trace.span_id], [trace_id, query.span_id]);
    const continued = transactions.filter((one) => one.contexts.trace.trace_id === trace_id);
    assert.equal(continued.length, 1 + requests);
  }
}

const PORT = /^(net|client|server|network)\.(host\.|peer\.)?port$/;

/** What an exporter got, without what differs between any two runs: which ports the system gave. */
export function comparable(exported) {
  const withoutPort = ([key, value]) => [
    key,
    PORT.test(key) ? 'port' : String(value).replace(/127\.0\.0\.1:\d+/, 'host:port'),
  ];
  return exported.map((span) => ({
    ...span,
    attributes: Object.fromEntries(Object.entries(span.attributes).map(withoutPort)),
  }));
}
