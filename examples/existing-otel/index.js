// Faultline beside an existing OpenTelemetry setup. Notice that both sample independently: the existing sampler keeps a
// quarter of the traces, Faultline half of them; that a trace which only Faultline wants never reaches the existing
// exporter; and that every error arrives, with the tag of its own order.
import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind, trace } from '@opentelemetry/api';
import { NodeSDK, node } from '@opentelemetry/sdk-node';
import { captureException, init, openTelemetry, setTag } from 'faultline';
import { renderCounts, renderTrace, startReceiver } from 'faultline/receiver';

const ORDERS = 400;

/** Stands in for the existing exporter: remembers the trace ids of exported spans. */
class TraceIds {
  /** @type {Set<string>} */
  seen = new Set();

  /**
   * @param {node.ReadableSpan[]} spans
   * @param {(result: { code: number }) => void} done
   */
  export(spans, done) {
    for (const span of spans) this.seen.add(span.spanContext().traceId);
    done({ code: 0 });
  }

  async shutdown() {}
}

const receiver = await startReceiver();
const exporter = new TraceIds();

init({
  dsn: receiver.dsn,
  serverName: 'orders',
  tracesSampleRate: 0.5,
  skipOpenTelemetrySetup: true,
  // The counts below are of all orders, also on a slow machine.
  shutdownTimeout: 30_000,
});

const sdk = new NodeSDK({
  ...openTelemetry({
    sampler: new node.ParentBasedSampler({ root: new node.TraceIdRatioBasedSampler(0.25) }),
    spanProcessors: [new node.BatchSpanProcessor(exporter)],
  }),
  serviceName: 'orders',
  // This example sends no metrics and no logs.
  metricReaders: [],
  logRecordProcessors: [],
});
sdk.start();

const tracer = trace.getTracer('orders');

/** @param {number} id */
function order(id) {
  const request = { kind: SpanKind.SERVER, attributes: { 'http.request.method': 'POST', 'http.route': '/orders' } };
  return tracer.startActiveSpan('POST', request, async (span) => {
    setTag('order', id);
    await tracer.startActiveSpan('INSERT order', async (insert) => {
      await sleep(id % 5);
      if (id % 40 === 0) captureException(new Error(`order ${id} declined`));
      insert.end();
    });
    span.end();
  });
}

await Promise.all(Array.from({ length: ORDERS }, (_, id) => order(id)));
// Delivers everything, to both destinations; nothing else has to be awaited.
await sdk.shutdown();

const ours = new Set(receiver.transactions.map(({ contexts }) => contexts.trace.trace_id));
const both = [...ours].filter((traceId) => exporter.seen.has(traceId));
const isOwnTag = receiver.events.every(({ tags, exception }) =>
  exception.values[0].value.startsWith(`order ${tags.order} `),
);

console.log(`${renderTrace(receiver.transactions.slice(0, 1), [])}\n`);
console.log(
  `of ${ORDERS} orders, the existing exporter got ${exporter.seen.size}, Faultline ${ours.size}, both ${both.length}`,
);
console.log(`${receiver.events.length} errors, ${isOwnTag ? 'each' : 'not each'} with the tag of its own order`);
console.log(renderCounts(receiver.counts(), receiver.discards()));
await receiver.close();
