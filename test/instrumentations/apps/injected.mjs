// Hands requests to frameworks without a server, and prints what was recorded.

import { IncomingMessage, ServerResponse } from 'node:http';
import { Writable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import fastify from 'fastify';
import fastify4 from 'fastify4';
import { captureMessage, continueTrace, setUser, startInactiveSpan, startSpan, withActiveSpan } from 'faultline';
import { setupHonoErrorHandler } from 'faultline/hono';
import { wrapJob } from 'faultline/jobs';
import { recordEvents, reset } from 'faultline/testing';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';

async function load() {
  await sleep(5);
  return startSpan({ name: 'load', op: 'db.query' }, () => 'loaded');
}

async function fail(id) {
  await sleep(5);
  throw new Error(`no ${id}`);
}

/** What a route leaves to the status of its answer. */
const refuse = () =>
  startSpan({ name: 'refuse' }, async () => {
    throw Object.assign(new HTTPException(404), { statusCode: 404 });
  });

function fastifyWithRoutes(create = fastify) {
  const app = create();
  app.addHook('onRequest', async (request) => {
    setUser({ id: request.headers['x-user'] });
  });
  app.get('/users/:id', load);
  app.get('/users/:id/broken', ({ params }) => fail(params.id));
  app.get('/users/:id/refused', refuse);
  return app;
}

function createFastify(create) {
  const app = fastifyWithRoutes(create);
  return (url, headers) => app.inject({ url, headers });
}

function createHono() {
  const app = new Hono();
  setupHonoErrorHandler(app);
  app.use((c, next) => {
    setUser({ id: c.req.header('x-user') });
    return next();
  });
  app.get('/users/:id', async (c) => c.text(await load()));
  app.get('/users/:id/broken', (c) => fail(c.req.param('id')));
  app.get('/users/:id/refused', refuse);
  return (url, headers) => app.request(url, { headers });
}

async function record(createApp) {
  const sent = recordEvents();
  const request = createApp();
  const trace = {
    'sentry-trace': `${'a'.repeat(32)}-b7ad6b7169203331-1`,
    baggage: `sentry-trace_id=${'a'.repeat(32)}`,
  };
  await Promise.all(['1', '2', '3'].map((id) => request(`/users/${id}/broken`, { 'x-user': id })));
  await request('/users/4?q=1', trace);
  await request('/users/5/refused');
  await startSpan({ name: 'invocation' }, () => request('/users/6', { 'x-user': '6' }));
  await continueTrace({ sentryTrace: `${'b'.repeat(32)}-b7ad6b7169203331-1` }, async () => await request('/users/7'));
  const started = startInactiveSpan({ name: 'start-up' });
  await withActiveSpan(started, async () => {
    started.end();
    await request('/users/8');
  });
  await wrapJob('job', async () => {
    await request('/users/9', { 'x-user': '9' });
    captureMessage('in the job');
  })();
  captureMessage('outside');
  await sent.flush();
  const result = {
    errors: sent.errors
      .map(({ user, transaction, request: { url }, exception }) => [
        user?.id,
        transaction,
        new URL(url).pathname,
        exception.values[0].value,
      ])
      .sort(),
    messages: sent.messages.map(({ message, user }) => [message, user?.id]),
    transactions: sent.transactions
      .map(({ transaction, contexts: { trace: root }, spans }) => [
        transaction,
        root.status,
        root.trace_id.replace(/^([ab])\1*$|.*/, '$1'),
        spans.map(({ description }) => description),
      ])
      .sort(),
  };
  await reset();
  return result;
}

/** As some adapters of serverless platforms call it: with a response that is never closed. */
async function handOver() {
  const sent = recordEvents();
  const app = fastifyWithRoutes();
  await app.ready();
  await new Promise((resolve) => {
    const request = new IncomingMessage({ remoteAddress: '127.0.0.1' });
    Object.assign(request, { method: 'GET', url: '/users/1', headers: { host: 'a' } });
    const response = new ServerResponse(request);
    const connection = new Writable({ write: (_chunk, _encoding, done) => done() });
    response.assignSocket(connection);
    response.once('finish', resolve);
    app.routing(request, response);
  });
  const { transaction } = await sent.next('transaction');
  await reset();
  return transaction;
}

const apps = { fastify: () => createFastify(fastify), fastify4: () => createFastify(fastify4), hono: createHono };
const results = {};
for (const [name, createApp] of Object.entries(apps)) results[name] = await record(createApp);
results.handedOver = await handOver();
console.log(JSON.stringify(results));
