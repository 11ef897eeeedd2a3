import type http from 'node:http';
import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import type { Instrumentation } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { afterEach, describe, expect, it } from 'vitest';
import { captureException, captureMessage, init, setTag, startSpan } from '../../../src/index.js';
import { fetchIntegration } from '../../../src/integrations/http/client/fetch.js';
import { httpClientIntegration } from '../../../src/integrations/http/client/http-client.js';
import { httpServerIntegration } from '../../../src/integrations/http/server/http-server.js';
import { requestDataIntegration } from '../../../src/integrations/http/server/request-data.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { resetOpenTelemetry } from '../../support/story.js';
import { request, serve } from './servers.js';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const require = createRequire(import.meta.url);

// A module is instrumented when it is loaded, and only then: one instance serves all tests.
const ofHttp = new HttpInstrumentation({
  // The receiver lives in this process.
  ignoreIncomingRequestHook: ({ url }) => url?.includes('/envelope/') === true,
});
require('node:http');
ofHttp.disable();
const ofUndici = new UndiciInstrumentation();
ofUndici.disable();

function instrument(instrumentation: Instrumentation) {
  instrumentation.setTracerProvider(trace.getTracerProvider());
  instrumentation.enable();
  endings.push(() => instrumentation.disable());
}

/** Starts the SDK and the instrumentation of OpenTelemetry, in either order. */
async function start(
  order: 'instrumentation first' | 'SDK first',
  instrumentation: Instrumentation,
): Promise<Receiver> {
  const receiver = await startReceiver();
  endings.push(resetOpenTelemetry, () => receiver.close());
  if (order === 'instrumentation first') instrument(instrumentation);
  const client = init({
    dsn: receiver.dsn,
    tracesSampleRate: 1,
    defaultIntegrations: false,
    integrations: [httpServerIntegration(), httpClientIntegration(), fetchIntegration(), requestDataIntegration()],
  });
  endings.push(() => client.close(1000));
  if (order === 'SDK first') instrument(instrumentation);
  return receiver;
}

const ORDERS = [['instrumentation first'], ['SDK first']] as const;

/** Headers as they were on the wire, which shows those that are there twice. */
async function serveHeaders() {
  const received: string[][] = [];
  const server = await serve((incoming, response) => {
    received.push(incoming.rawHeaders);
    response.end();
  });
  endings.push(() => server.close());
  const valuesOf = (name: string) =>
    received.map((raw) => raw.filter((_, i) => i % 2 === 1 && raw[i - 1]?.toLowerCase() === name));
  return { url: server.url, valuesOf };
}

describe.each(ORDERS)('%s', (order) => {
  it.each([
    ['http', ofHttp, (url: string) => request(url)],
    ['undici', ofUndici, (url: string) => fetch(url).then((response) => response.text())],
  ])('an outgoing request of %s that became a span names that span, once', async (_, instrumentation, send) => {
    const receiver = await start(order, instrumentation);
    const { url, valuesOf } = await serveHeaders();
    await startSpan({ name: 'job' }, () => send(url));
    const transaction = await receiver.waitFor(({ transactions }) =>
      transactions.find((one) => one.transaction === 'job'),
    );
    const [span] = transaction.spans;
    expect(span?.op).toBe('http.client');
    expect(valuesOf('sentry-trace')).toEqual([[`${span?.trace_id}-${span?.span_id}-1`]]);
    expect(valuesOf('baggage')).toEqual([[expect.stringContaining(`sentry-trace_id=${span?.trace_id}`)]]);
  });

  it('the span of an incoming request runs in its scope and its trace', async () => {
    const receiver = await start(order, ofHttp);
    const { url, close } = await serve((incoming, response) => {
      setTag('path', incoming.url);
      captureMessage(incoming.url!);
      response.end();
    });
    endings.push(close);
    await Promise.all([request(`${url}/a`), request(`${url}/b`)]);
    await receiver.waitFor(({ transactions, events }) => transactions.length === 2 && events.length === 2);

    for (const event of receiver.events) {
      const ofRequest = receiver.transactions.find(
        ({ contexts }) => contexts.trace.trace_id === event.contexts.trace.trace_id,
      );
      expect(ofRequest?.tags).toEqual({ path: event.message });
      expect(ofRequest?.request?.url).toBe(url + event.message);
      expect(ofRequest?.contexts.trace.span_id).toBe(event.contexts.trace.span_id);
    }
  });
});

it('two services are in one trace', async () => {
  const receiver = await start('SDK first', ofHttp);
  const inner = await serve((_, response) => {
    captureMessage('inner');
    response.end();
  });
  const outer = await serve(async (_, response) => {
    await request(inner.url);
    captureMessage('outer');
    response.end();
  });
  endings.push(inner.close, outer.close);
  await request(outer.url);
  await receiver.waitFor(({ events, transactions }) => events.length === 2 && transactions.length === 2);
  const traces = [...receiver.events, ...receiver.transactions].map(({ contexts }) => contexts.trace.trace_id);
  expect(new Set(traces).size).toBe(1);
});

it('an error in a route of Express is named after the route', async () => {
  const receiver = await start('SDK first', ofUndici);
  const express = require('express');
  const app = express();
  const router = express.Router();
  router.get('/users/:id', () => {
    throw new Error('in the route');
  });
  app.use('/api', router);
  app.use((error: unknown, _request: unknown, response: http.ServerResponse, _next: unknown) => {
    captureException(error);
    response.writeHead(500).end();
  });
  const { url, close } = await serve(app);
  endings.push(close);
  await request(`${url}/api/users/7?verbose=1`);
  const event = await receiver.waitFor(({ events }) => events[0]);
  expect(event.transaction).toBe('GET /api/users/:id');
  expect(event.request).toMatchObject({ url: `${url}/api/users/7`, query_string: 'verbose=1', method: 'GET' });
});

/** Wraps a method as tools do that measure it, such as pm2, with the marks of the library `shimmer`. */
function measure(target: object, method: string): void {
  const original = Reflect.get(target, method);
  const wrapper = function (this: unknown, ...args: unknown[]): unknown {
    return Reflect.apply(original, this, args);
  };
  Reflect.set(target, method, Object.assign(wrapper, { __wrapped: true, __original: original }));
  endings.push(() => Reflect.set(target, method, original));
}

describe('a tool that marks its wrappers as instrumentations do', () => {
  const answer = async (receiver: Receiver) => {
    const { url, close } = await serve((_, response) => response.end());
    endings.push(close);
    await startSpan({ name: 'job' }, () => request(`${url}/a`));
    await receiver.waitFor(({ transactions }) => transactions.length === 2);
    return receiver.transactions.flatMap(({ contexts, spans }) => [
      contexts.trace.origin,
      ...spans.map((s) => s.origin),
    ]);
  };
  const measureAll = () => {
    const node = require('node:http');
    measure(node.Server.prototype, 'emit');
    measure(node, 'request');
  };

  it('keeps neither requests of servers nor those of clients from their spans', async () => {
    measureAll();
    const receiver = await start('SDK first', ofUndici);
    expect((await answer(receiver)).sort()).toEqual(['auto.http.client', 'auto.http.server', 'manual']);
  });

  it('does not hide the instrumentation below it', async () => {
    const receiver = await start('instrumentation first', ofHttp);
    measureAll();
    expect((await answer(receiver)).sort()).toEqual(['auto.http.otel.http', 'auto.http.otel.http', 'manual']);
  });
});
