import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import * as Sentry from '../../src/sentry/sentry.js';
import { reset } from '../../src/testing/testing.js';
import { startReceiver } from '../support/receiver.js';

it('the error handler sets response.sentry to the id of the event, also when the error was captured before', async () => {
  const receiver = await startReceiver();
  const client = Sentry.init({ dsn: receiver.dsn, defaultIntegrations: false });
  const app = express();
  app.get('/thrown', () => {
    throw new Error('thrown');
  });
  app.get('/captured', () => {
    const error = new Error('captured before');
    Sentry.captureException(error);
    throw error;
  });
  app.get('/missing', () => {
    throw Object.assign(new Error('missing'), { status: 404 });
  });
  Sentry.setupExpressErrorHandler(app);
  app.use((_error, _request, response, _next) => {
    response.status(500).end(String((response as { sentry?: string }).sentry));
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Without the integration for servers, requests share their scopes.
  const ask = (path: string) =>
    Sentry.withIsolationScope(() => fetch(`http://127.0.0.1:${port}${path}`)).then((response) => response.text());

  const thrown = await ask('/thrown');
  const captured = await ask('/captured');
  expect(await ask('/missing')).toBe('undefined');
  await client.close(5000);
  const ids = receiver.events.map((event) => [event.exception.values[0]!.value, event.event_id]);
  expect(ids).toEqual([
    ['thrown', thrown],
    ['captured before', captured],
  ]);
  server.close();
  await reset();
  await receiver.close();
});

it('functions passed to app.use in place of being called let requests through, and the error handler captures', async () => {
  const receiver = await startReceiver();
  const client = Sentry.init({ dsn: receiver.dsn, defaultIntegrations: false, quiet: true });
  const app = express();
  app.use(Sentry.setupExpressErrorHandler as never);
  app.get('/', (_request, response) => void response.end('answered'));
  app.get('/thrown', () => {
    throw new Error('thrown');
  });
  app.use(Sentry.setupExpressErrorHandler as never);
  app.use(Sentry.expressErrorHandler as never);
  app.use((_error, _request, response, _next) => {
    response.status(500).end(String((response as { sentry?: string }).sentry));
  });
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const ask = (path: string) =>
    fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(5000) }).then((answer) => answer.text());
  try {
    expect(await ask('/')).toBe('answered');
    const thrown = await ask('/thrown');
    await client.close(5000);
    expect(receiver.events.map(({ event_id }) => event_id)).toEqual([thrown]);
  } finally {
    server.close();
    await reset();
    await receiver.close();
  }
});
