import { once } from 'node:events';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { context, trace } from '@opentelemetry/api';
import { suppressTracing } from '@opentelemetry/core';
import { registerInstrumentations } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { type Client, init, startSpan } from '../../src/index.js';
import { startExistingSetup } from '../support/existing-setup.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry } from '../support/story.js';

/** With a tunnel of its own, an application receives the envelopes that it sends. */

const instrumentation = new HttpInstrumentation();
let client: Client;
let receiver: Receiver;
let unregister: () => void;

beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  await client.close(1000);
  resetOpenTelemetry();
  await receiver.close();
});

beforeAll(() => {
  unregister = registerInstrumentations({ instrumentations: [instrumentation] });
  // Instrumentations patch what is loaded through require.
  createRequire(import.meta.url)('node:http');
});
afterAll(() => unregister());

/** Three times, because the transaction of a request comes with the next one. */
async function expectOneTransaction(): Promise<void> {
  startSpan({ name: 'work' }, () => undefined);
  for (let i = 0; i < 3; i++) expect(await client.flush(5000)).toBe(true);
  expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual(['work']);
  expect(receiver.discards()).toEqual([]);
}

it("a request that brings an envelope makes no transaction through OTel's instrumentation", async () => {
  client = init({ dsn: receiver.dsn, tracesSampleRate: 1 });
  instrumentation.setTracerProvider(trace.getTracerProvider());
  await expectOneTransaction();
});

it('neither does one to which a charset was added on the way', async () => {
  client = init({ dsn: receiver.dsn, tracesSampleRate: 1 });
  instrumentation.setTracerProvider(trace.getTracerProvider());
  const server = createServer((_, response) => response.end()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  for (const charset of ['; charset=utf-8', ';charset=UTF-8']) {
    const headers = { 'content-type': `application/x-sentry-envelope${charset}` };
    await context.with(suppressTracing(context.active()), () => fetch(url, { method: 'POST', headers, body: '{}' }));
  }
  server.close();
  server.closeAllConnections();
  await expectOneTransaction();
});

it('the same beside an existing setup, whose exporters get the spans of these requests', async () => {
  client = init({ dsn: receiver.dsn, tracesSampleRate: 1, skipOpenTelemetrySetup: true });
  const setup = startExistingSetup();
  instrumentation.setTracerProvider(trace.getTracerProvider());
  await expectOneTransaction();
  const { simple } = await setup.exported();
  expect(simple.map(({ name }) => name)).toEqual(expect.arrayContaining(['work', 'POST']));
});
