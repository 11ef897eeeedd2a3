import { once } from 'node:events';
import http from 'node:http';
import { createRequire } from 'node:module';
import { type AddressInfo, connect } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { setupHonoErrorHandler } from '../../src/frameworks/hono.js';
import { setupKoaErrorHandler } from '../../src/frameworks/koa.js';
import { recordEvents, reset } from '../../src/testing/testing.js';

const require = createRequire(import.meta.url);
const Koa = require('koa').default ?? require('koa');
const Router = require('@koa/router').default ?? require('@koa/router');
const { Hono } = require('hono');
const { getRequestListener } = require('@hono/node-server');

afterEach(reset);

const fail = () => {
  throw new Error('mounted');
};

/** The names of the errors and transactions of requests for these targets, which clients write as they like. */
async function nameRequests(create: () => http.RequestListener, targets: readonly string[]): Promise<string[]> {
  const sent = recordEvents({ tracesSampleRate: 1 });
  const server = http.createServer(create()).listen(0, '127.0.0.1');
  await once(server, 'listening');
  for (const target of targets) {
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.end(`GET ${target} HTTP/1.1\r\nHost: client.example\r\nConnection: close\r\n\r\n`);
    await once(socket.resume(), 'close');
  }
  server.close();
  await sent.flush();
  expect(sent.transactions.map(({ transaction }) => transaction)).toEqual(
    sent.errors.map(({ transaction }) => transaction),
  );
  return sent.errors.map(({ transaction }) => transaction!);
}

type Middleware = (context: { path: string }, next: () => unknown) => unknown;

/** What koa-mount does. */
const mount = (prefix: string, middleware: Middleware): Middleware => {
  return async (context, next) => {
    const { path } = context;
    const rest = path.slice(prefix.length) || '/';
    if (!path.startsWith(prefix) || !rest.startsWith('/')) return await next();
    Object.assign(context, { mountPath: prefix, path: rest });
    try {
      return await middleware(context, next);
    } finally {
      context.path = path;
    }
  };
};

const koa = (middleware: unknown) => () => {
  const app = new Koa();
  app.silent = true;
  setupKoaErrorHandler(app);
  app.use(middleware);
  return app.callback() as http.RequestListener;
};

it('a mount of Koa is named by its path, whatever host the client writes before it', async () => {
  const router = new Router();
  router.get('/users/:id', fail).get('/', fail);
  const names = await nameRequests(koa(mount('/api', router.routes())), [
    '/api/users/5',
    'http://a.example/api/users/5?a=1',
    'http://b.example/api',
  ]);
  expect(names).toEqual(['GET /api/users/:id', 'GET /api/users/:id', 'GET /api']);
});

it('a mount of Koa within another one that begins like it is named by both', async () => {
  const router = new Router();
  router.get(/(.*)/, fail);
  const create = koa(mount('/abc', mount('/a', router.routes())));
  expect(await nameRequests(create, ['/abc/a/x'])).toEqual(['GET /abc/a/(.*)/']);
});

const innerHono = () => {
  const app = new Hono();
  setupHonoErrorHandler(app);
  return app.onError((_: unknown, context: { text(text: string, status: number): unknown }) =>
    context.text('sorry', 500),
  );
};

/** A Hono application with another one at `/api`, behind a listener that may rewrite the URL. */
const hono = (rewrite = (url: string) => url) => {
  return () => {
    const inner = innerHono().get('/u/:id', fail).get('/', fail);
    const app = innerHono().mount('/api', inner.fetch).get('/', fail).get('/:page', fail);
    const listener = getRequestListener(app.fetch);
    return (request: http.IncomingMessage, response: http.ServerResponse) => {
      request.url = rewrite(request.url!);
      return listener(request, response);
    };
  };
};

it('a mount of Hono is named by its path, however the client writes the URL', async () => {
  const targets = [
    '/api/u/5?x=/u/5',
    '/api/u/%C3%A9',
    '/api/u/"x"',
    '/any/../api/u/5',
    'http://any.example/api/u/5',
    '/api/u/%FF%2F',
  ];
  expect(await nameRequests(hono(), targets)).toEqual(targets.map(() => 'GET /api/u/:id'));
  await reset();
  expect(await nameRequests(hono(), ['/api', '/x/../y', '/'])).toEqual(['GET /api', 'GET /:page', 'GET /']);
});

it('what was rewritten before Hono is no mount', async () => {
  const rewrite = (url: string) => url.replace(/^\/any\/thing\/5/, '/').replace(/^\/tenant\/5/, '');
  const names = await nameRequests(hono(rewrite), ['/any/thing/5', '/tenant/5/api/u/5', '/tenant/5/api']);
  expect(names).toEqual(['GET /', 'GET /api/u/:id', 'GET /api']);
});

it('Hono behind a mount of Express is named by that, too', async () => {
  const create = () => {
    const app = createRequire(`${process.cwd()}/`)('express')();
    const listener = hono()();
    app.use('/out', listener);
    return app as http.RequestListener;
  };
  expect(await nameRequests(create, ['/out/api/u/5', '/out/api'])).toEqual(['GET /out/api/u/:id', 'GET /out/api']);
});
