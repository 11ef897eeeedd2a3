// Faultline beside an OpenTelemetry setup that was there before. Notice that both keep what they would keep alone: the
// sampler of the host a quarter of the traces, Faultline half of them, chosen independently; that a trace which only
// Faultline wants never reaches the exporter of the host; and that every error arrives, with the tag of its own order.
import { setTimeout as sleep } from 'node:timers/promises';
import { SpanKind, trace } from '@opentelemetry/api';
import { NodeSDK, node } from '@opentelemetry/sdk-node';
import { captureException, init, openTelemetry, setTag } from 'faultline';
import { renderCounts, renderTrace } from '../receiver/print.js';
import { startReceiver } from '../receiver/receiver.js';

const ORDERS = 400;

/** Stands in for the exporter of the host: remembers the traces of what it is given. */
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

init({ dsn: receiver.dsn, serverName: 'orders', tracesSampleRate: 0.5, skipOpenTelemetrySetup: true });

const sdk = new NodeSDK({
  ...openTelemetry({
    sampler: new node.ParentBasedSampler({ root: new node.TraceIdRatioBasedSampler(0.25) }),
    spanProcessors: [new node.BatchSpanProcessor(exporter)],
  }),
  serviceName: 'orders',
  // There is nobody here to send these to.
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
// Hands everything over, to both: there is nothing else to wait for.
await sdk.shutdown();

const ours = new Set(receiver.transactions.map(({ contexts }) => contexts.trace.trace_id));
const both = [...ours].filter((traceId) => exporter.seen.has(traceId));
const isOwnTag = receiver.events.every(({ tags, exception }) =>
  exception.values[0].value.startsWith(`order ${tags.order} `),
);

console.log(`${renderTrace(receiver.transactions.slice(0, 1), [])}\n`);
console.log(
  `of ${ORDERS} orders the host's exporter got ${exporter.seen.size}, Faultline ${ours.size}, both ${both.length}`,
);
console.log(`${receiver.events.length} errors, ${isOwnTag ? 'each' : 'not each'} with the tag of its own order`);
console.log(renderCounts(receiver.counts(), receiver.discards()));
await receiver.close();
