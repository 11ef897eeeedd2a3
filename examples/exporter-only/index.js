// Faultline as one more exporter in an existing OpenTelemetry pipeline. Notice that a span that outlives its root arrives in
// a later batch and is still part of the transaction; that the other exporter gets what it got before; and that the
// error names the span in which it was thrown.
import { setTimeout as sleep } from 'node:timers/promises';
import { context, SpanKind, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { captureException, FaultlineContextManager, FaultlineSpanExporter, init } from 'faultline';
import { renderCounts, renderError, renderTrace, startReceiver } from 'faultline/receiver';

const receiver = await startReceiver();

// Without tracesSampleRate, everything that the pipeline's sampler keeps is sent.
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

// Exports the last batch and sends it.
await provider.shutdown();
await receiver.waitFor(({ transactions, events }) => transactions.length > 0 && events.length > 0);

console.log(`${renderTrace(receiver.transactions, receiver.events)}\n`);
for (const error of receiver.events) console.log(`${renderError(error)}\n`);
console.log(renderCounts(receiver.counts(), receiver.discards()));
await receiver.close();
