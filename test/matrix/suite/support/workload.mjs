// A service of the application: takes orders, and asks itself for the stock of each. Prints what its exporter got, the
// headers with which requests arrived, and what the ledger says.
//
// FAULTLINE: none, alone (way 1), parts (way 2), processor (way 2, nothing but the processor), exporter (way 3)
// SETUP: how OpenTelemetry is set up; IS_INIT_LAST: whether that is before init
// THEIR_RATE, OUR_RATE: what is kept
// CONCURRENT: orders come at the same time; else ids come from a seed, so that two runs make the same
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { api, batched, core, Exporter, load, parentBased, SETUPS, simple } from './application.mjs';

const { FAULTLINE, SETUP, IS_INIT_LAST, THEIR_RATE = '1', OUR_RATE, CONCURRENT, DSN } = process.env;
const ORDERS = 8;

const faultline = FAULTLINE === 'none' ? undefined : await load('faultline');
const { AsyncLocalStorageContextManager } = await load('@opentelemetry/context-async-hooks');
const { registerInstrumentations } = await load('@opentelemetry/instrumentation');
const { HttpInstrumentation } = await load('@opentelemetry/instrumentation-http');

class SeededIds {
  #count = 0;
  generateTraceId = () => this.#word() + this.#word() + this.#word() + this.#word();
  generateSpanId = () => this.#word() + this.#word();
  // Multiples of the golden ratio are spread evenly, which is what samplers of a rate look for.
  #word = () => (Math.imul(++this.#count, 0x9e3779b1) >>> 0).toString(16).padStart(8, '0');
}

const exporter = new Exporter();
const theirs = {
  sampler: parentBased(Number(THEIR_RATE)),
  spanProcessors: [simple(exporter)],
};
const theirPropagator = new core.CompositePropagator({
  propagators: [new core.W3CTraceContextPropagator(), new core.W3CBaggagePropagator()],
});
const withOthers = (processor) => ({ ...theirs, spanProcessors: [processor, ...theirs.spanProcessors] });
const PARTS = {
  none: () => theirs,
  parts: () => faultline.openTelemetry({ ...theirs, propagator: theirPropagator }),
  processor: () => withOthers(new faultline.FaultlineSpanProcessor()),
  exporter: () => withOthers(batched(new faultline.FaultlineSpanExporter())),
};

const setUp = () =>
  SETUPS[SETUP]({
    textMapPropagator: theirPropagator,
    contextManager: new AsyncLocalStorageContextManager(),
    ...PARTS[FAULTLINE](),
    ...(CONCURRENT ? {} : { idGenerator: new SeededIds() }),
  });

const hasSetup = FAULTLINE !== 'alone';
let running = hasSetup && IS_INIT_LAST ? await setUp() : undefined;
const client = faultline?.init({
  dsn: DSN,
  tracesSampleRate: OUR_RATE ? Number(OUR_RATE) : undefined,
  skipOpenTelemetrySetup: hasSetup,
});
if (hasSetup) running ??= await setUp();
registerInstrumentations({ instrumentations: [new HttpInstrumentation()] });

// Required, not imported: instrumentations patch what is required without a loader hook.
const http = createRequire(import.meta.url)('node:http');
const tracer = api.trace.getTracer('shop', '1.0.0');
const incoming = [];

const server = http.createServer(async ({ url, headers }, response) => {
  incoming.push({ url, headers });
  if (url !== '/stock') await takeOrder(url.slice(1));
  response.end();
});

const inSpan = (name, options, work) =>
  tracer.startActiveSpan(name, options, (span) => work(span).finally(() => span.end()));

async function takeOrder(order) {
  faultline?.setTag('order', order);
  await inSpan('query', { attributes: { order, list: ['a', 'b'] } }, async (span) => {
    span.addEvent('cache.miss', { key: order });
    await sleep(CONCURRENT ? Number(order) % 5 : 1);
    await inSpan('parse', { kind: api.SpanKind.INTERNAL, links: [{ context: span.spanContext() }] }, async () => {});
    const error = new Error(`no stock for ${order}`);
    span.recordException({ name: 'Error', message: error.message });
    span.setStatus({ code: api.SpanStatusCode.ERROR, message: 'no stock' });
    faultline?.captureException(error);
  });
  await get('/stock');
  await (await fetch(`${origin}/stock`)).text();
}

async function get(path, headers = {}) {
  const [response] = await once(http.get(`${origin}${path}`, { headers, agent: false }), 'response');
  await once(response.resume(), 'end');
}

/** A request from outside: nothing of this process makes a span of it or adds headers. */
const request = (path, headers) =>
  api.context.with(core.suppressTracing(api.context.active()), () => get(path, headers));

await once(server.listen(0, '127.0.0.1'), 'listening');
const { port } = server.address();
const origin = `http://127.0.0.1:${port}`;
const orders = Array.from({ length: ORDERS }, (_, order) => `/${order}`);
if (CONCURRENT) await Promise.all(orders.map((path) => request(path)));
else {
  for (const path of orders) await request(path);
  const upstream = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}`;
  await request('/sampled', { traceparent: `${upstream}-01`, tracestate: 'vendor=1', baggage: 'tenant=x' });
  await request('/unsampled', { traceparent: `${upstream}-00` });
}
server.close();
server.closeAllConnections();
await running?.shutdown();
await client?.close(5000);

const contextOf = ({ traceState, ...rest }) => ({ ...rest, traceState: traceState?.serialize() });

const readable = (span) => ({
  name: span.name,
  kind: span.kind,
  context: contextOf(span.spanContext()),
  parent: span.parentSpanContext && contextOf(span.parentSpanContext),
  attributes: span.attributes,
  links: span.links.map(({ context, attributes }) => ({ context: contextOf(context), attributes })),
  events: span.events.map(({ name, attributes }) => ({ name, attributes })),
  status: span.status,
  scope: span.instrumentationScope,
  dropped: [span.droppedAttributesCount, span.droppedEventsCount, span.droppedLinksCount],
});

const said = { exported: exporter.spans.map(readable), incoming, balance: client?.ledger.balance() };
process.stdout.write(JSON.stringify(said));
