import type { Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { ExpressInstrumentation } from '@opentelemetry/instrumentation-express';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { describeSpan } from '../../src/tracing/describe/describe-span.js';
import { statusOf } from '../../src/tracing/describe/status.js';
import { PATIENCE_MILLIS } from '../support/eventually.js';

/** As much of express as is used here. */
type Express = () => {
  get(path: string, handler: (request: unknown, response: { send(body: string): unknown }) => void): void;
  listen(port: number, host: string, listening: () => void): Server;
};

const SERVER_SCOPE = '@opentelemetry/instrumentation-http';
const FETCH_SCOPE = '@opentelemetry/instrumentation-undici';

/** Holds the inference against what OTel's own instrumentations emit, whatever conventions they follow. */
describe('spans of the OTel instrumentations for http, express and undici', () => {
  const exporter = new InMemorySpanExporter();
  const require = createRequire(import.meta.url);
  let unregister: () => void;
  let server: Server;
  let origin: string;

  beforeAll(async () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    unregister = registerInstrumentations({
      tracerProvider: new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
      instrumentations: [new HttpInstrumentation(), new ExpressInstrumentation(), new UndiciInstrumentation()],
    });
    // Instrumentations patch what is loaded through require.
    require('node:http');
    const express = require('express') as Express;
    const app = express();
    app.get('/products/:id', (_request, response) => void response.send('one'));
    app.get('/', (_request, response) => void response.send('home'));
    await new Promise<void>((resolve) => {
      server = app.listen(0, '127.0.0.1', () => resolve());
    });
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
    unregister();
    context.disable();
  });

  beforeEach(() => exporter.reset());

  async function request(path: string): Promise<{ server: ReadableSpan; client: ReadableSpan }> {
    await (await fetch(origin + path)).text();
    return {
      server: await vi.waitUntil(() => finishedSpan(SERVER_SCOPE), PATIENCE_MILLIS),
      client: await vi.waitUntil(() => finishedSpan(FETCH_SCOPE), PATIENCE_MILLIS),
    };
  }

  function finishedSpan(scope: string): ReadableSpan | undefined {
    return exporter.getFinishedSpans().find((span) => span.instrumentationScope.name === scope);
  }

  it.each([
    ['/products/1?color=red', 'GET /products/:id', 'route', 'ok'],
    ['/', 'GET /', 'route', 'ok'],
    ['/nowhere', 'GET /nowhere', 'url', 'not_found'],
  ])('a request for %s is the transaction %s', async (path, description, source, status) => {
    const span = (await request(path)).server;

    expect(describeSpan(span)).toMatchObject({ op: 'http.server', description, source });
    expect(statusOf(span)).toBe(status);
  });

  it('a server span says for which URL it was', async () => {
    const span = (await request('/products/1?color=red')).server;

    expect(describeSpan(span).data).toEqual({
      'otel.kind': 'SERVER',
      url: `${origin}/products/1`,
      'http.query': 'color=red',
    });
  });

  it('a fetch is named by method and address', async () => {
    const span = (await request('/products/1?color=red')).client;

    expect(describeSpan(span)).toMatchObject({
      op: 'http.client',
      description: `GET ${origin}/products/1`,
      source: 'url',
      data: { 'otel.kind': 'CLIENT', url: `${origin}/products/1`, 'http.query': 'color=red' },
    });
  });
});
