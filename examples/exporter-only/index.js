// Faultline as one more exporter in an OpenTelemetry pipeline of one's own. Notice that the span that outlives its root
// arrives in a later batch, and is in the transaction all the same; that the other exporter sees what it always saw; and
// that the error knows which span it happened in.
import { setTimeout as sleep } from 'node:timers/promises';
import { context, SpanKind, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { captureException, FaultlineContextManager, FaultlineSpanExporter, init } from 'faultline';
import { renderCounts, renderError, renderTrace } from '../receiver/print.js';
import { startReceiver } from '../receiver/receiver.js';

const receiver = await startReceiver();

// No tracesSampleRate: the sampler of the pipeline decides, and what it keeps is sent.
init({ dsn: receiver.dsn, serverName: 'orders', release: 'orders@1.0.0', skipOpenTelemetrySetup: true });

const other = new InMemorySpanExporter();
const provider = new BasicTracerProvider({
  spanProcessors: [
    new BatchSpanProcessor(new FaultlineSpanExporter(), { scheduledDelayMillis: 20 }),
    new SimpleSpanProcessor(other),
  ],
});
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new FaultlineContextManager().enable());
const tracer = trace.getTracer('orders');

/**
 * @template T
 * @param {string} name
 * @param {import('@opentelemetry/api').SpanOptions} options
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
function inSpan(name, options, work) {
  return tracer.startActiveSpan(name, options, (span) => work().finally(() => span.end()));
}

/** @type {Promise<void>[]} */
const afterwards = [];
const request = { kind: SpanKind.SERVER, attributes: { 'http.request.method': 'POST', 'http.route': '/orders' } };
await inSpan('POST', request, async () => {
  await inSpan('INSERT order', { attributes: { 'db.system.name': 'postgresql' } }, () => sleep(5));
  afterwards.push(inSpan('send receipt', { kind: SpanKind.PRODUCER }, () => sleep(60)));
  try {
    throw new Error('card expired');
  } catch (error) {
    captureException(error);
  }
});
await Promise.all(afterwards);

// Hands the last batch over and sends what has arrived.
await provider.shutdown();
await receiver.waitFor(({ transactions, events }) => transactions.length > 0 && events.length > 0);

console.log(`${renderTrace(receiver.transactions, receiver.events)}\n`);
for (const error of receiver.events) console.log(`${renderError(error)}\n`);
console.log(renderCounts(receiver.counts(), receiver.discards()));
await receiver.close();
