// A service of an application with an OpenTelemetry setup of its own. Prints what its exporters would send, as OTLP in JSON, with
// FAULTLINE=none as it was before, else beside Faultline. Ids come from a seed, so that both runs make the same.
import { createRequire } from 'node:module';
import { context, propagation, SpanStatusCode, trace } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { JsonTraceSerializer } from '@opentelemetry/otlp-transformer';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { NodeSDK, node } from '@opentelemetry/sdk-node';

const { FAULTLINE, DSN, THEIR_RATE, OUR_RATE, OUR_TRANSPORT } = process.env;
const faultline = FAULTLINE === 'none' ? undefined : await import('faultline');

/** Takes what is handed to it, as an exporter does. */
class Exporter {
  spans = [];
  export(spans, done) {
    this.spans.push(...spans);
    done({ code: 0 });
  }
  async shutdown() {}
}

/** Copies entries of the baggage to each span, as processors of applications do. */
class BaggageProcessor {
  onStart(span, parent) {
    for (const [key, { value }] of propagation.getBaggage(parent)?.getAllEntries() ?? []) {
      if (!key.startsWith('sentry-')) span.setAttribute(`baggage.${key}`, value);
    }
  }
  onEnd() {}
  async forceFlush() {}
  async shutdown() {}
}

class SeededIds {
  #state = 42;
  generateTraceId = () => this.#word() + this.#word() + this.#word() + this.#word();
  generateSpanId = () => this.#word() + this.#word();
  #word() {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0).toString(16).padStart(8, '0');
  }
}

const exporters = { simple: new Exporter(), batched: new Exporter() };
const sampler = new node.ParentBasedSampler({ root: new node.TraceIdRatioBasedSampler(Number(THEIR_RATE)) });
const spanProcessors = [
  new BaggageProcessor(),
  new node.SimpleSpanProcessor(exporters.simple),
  new node.BatchSpanProcessor(exporters.batched),
];
const setups = {
  none: () => ({ sampler, spanProcessors }),
  parts: () => faultline.openTelemetry({ sampler, spanProcessors }),
  processor: () => ({ sampler, spanProcessors: [new faultline.FaultlineSpanProcessor(), ...spanProcessors] }),
};

const byFetch = (options) =>
  faultline.createTransport(options, async ({ body }) => {
    const headers = { 'content-type': 'application/x-sentry-envelope' };
    const response = await fetch(options.url, { method: 'POST', body, headers });
    return { statusCode: response.status };
  });

const client = faultline?.init({
  dsn: DSN,
  skipOpenTelemetrySetup: true,
  tracesSampleRate: OUR_RATE === '' ? undefined : Number(OUR_RATE),
  transport: OUR_TRANSPORT === 'fetch' ? byFetch : undefined,
});
const sdk = new NodeSDK({
  ...setups[FAULTLINE](),
  idGenerator: new SeededIds(),
  resource: resourceFromAttributes({ 'service.name': 'workload', 'service.version': '1.2.3' }),
  autoDetectResources: false,
  metricReaders: [],
  logRecordProcessors: [],
  instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation(), new UndiciInstrumentation()],
});
sdk.start();

// Required, not imported: the instrumentations patch what is required without a loader hook.
const require = createRequire(import.meta.url);
const http = require('node:http');
const express = require('express');
const tracer = trace.getTracer('workload', '0.1.0', { schemaUrl: 'https://example.com/schema' });

function inSpan(name, options, work) {
  return tracer.startActiveSpan(name, options, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      span.recordException(error);
      span.setStatus({ code: SpanStatusCode.ERROR, message: error.message });
      faultline?.captureException(error);
      throw error;
    } finally {
      span.end();
    }
  });
}

const tick = () => new Promise((resolve) => setTimeout(resolve, 1));
const withoutOurs = (header = '') =>
  header
    .split(',')
    .filter((member) => !member.startsWith('sentry-'))
    .join(',');

const app = express();
app.use((request, _response, next) => {
  faultline?.setTag('path', request.path);
  faultline?.addBreadcrumb({ message: request.path });
  trace.getActiveSpan()?.setAttributes({
    'seen.traceparent': String(request.headers.traceparent),
    'seen.tracestate': String(request.headers.tracestate),
    'seen.baggage': withoutOurs(request.headers.baggage),
  });
  next();
});

app.get('/nested', async (_request, response) => {
  const linked = { traceId: '1'.repeat(32), spanId: '2'.repeat(16), traceFlags: 1 };
  await inSpan(
    'outer',
    { kind: 2, attributes: { list: ['a', 'b'], n: 1.5 }, links: [{ context: linked }] },
    async (span) => {
      span.addEvent('cache.miss', { key: 'k' });
      await tick();
      await inSpan('inner', {}, async (inner) => {
        inner.addLink({ context: span.spanContext(), attributes: { why: 'retry' } });
        inner.updateName('renamed');
        await tick();
      });
      tracer.startSpan('detached', { root: true }).end();
    },
  );
  response.json({});
});

app.get('/failing', async (_request, response) => {
  await inSpan('fails', {}, async () => {
    await tick();
    throw new TypeError('no such order');
  }).catch(() => undefined);
  response.status(500).json({});
});

app.get('/throwing', async () => {
  await tick();
  throw new RangeError('thrown into express');
});
app.use((error, _request, response, _next) => {
  faultline?.captureException(error);
  response.status(503).end();
});

app.get('/calling', async (_request, response) => {
  await get('/nested');
  await (await fetch(`${origin}/failing`)).text();
  response.json({});
});

let origin;
const server = http.createServer(app);
await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address();
origin = `http://127.0.0.1:${port}`;

function get(path, headers = {}) {
  return new Promise((resolve, reject) => {
    http
      .get(`${origin}${path}`, { headers, agent: false }, (response) => response.on('end', resolve).resume())
      .on('error', reject);
  });
}

/** A request from outside: nothing of this process makes a span of it or adds headers. */
const request = (path, headers) => context.with(suppressTracing(context.active()), () => get(path, headers));

const upstream = (flag) => `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-0${flag}`;
const ours = (flag) => `${'ab'.repeat(16)}-${'cd'.repeat(8)}-${flag}`;

for (let i = 0; i < 5; i++) {
  for (const path of ['/nested', '/failing', '/throwing', '/calling', '/nowhere']) await request(path);
}
await request('/calling', { traceparent: upstream(1), tracestate: 'vendor=1', baggage: 'tenant=x' });
await request('/calling', { traceparent: upstream(0) });
await request('/calling', { traceparent: upstream(1), 'sentry-trace': ours(0), baggage: 'tenant=x,sentry-release=1' });
await request('/calling', { traceparent: upstream(0), 'sentry-trace': ours(1) });
await request('/calling', { 'sentry-trace': ours(1) });
await inSpan('work of the application', {}, async () => {
  await get('/nested');
  await Promise.all([inSpan('a', {}, tick), inSpan('b', {}, tick)]);
});

await client?.flush(5000);
await sdk.shutdown();
server.close();
await client?.close(5000);

const decoder = new TextDecoder();
const print = ({ spans }) => JSON.parse(decoder.decode(JsonTraceSerializer.serializeRequest(spans)));
const said = JSON.stringify({ simple: print(exporters.simple), batched: print(exporters.batched) });
process.stdout.write(said.replaceAll(`:${port}/`, ':PORT/').replaceAll(`:${port}"`, ':PORT"'));
