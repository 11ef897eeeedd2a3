import type http from 'node:http';
import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { setupConnectErrorHandler } from '../../src/frameworks/connect.js';
import { setupExpressErrorHandler } from '../../src/frameworks/express.js';
import { setupKoaErrorHandler } from '../../src/frameworks/koa.js';
import { serve } from '../integrations/http/servers.js';
import { tell } from '../support/story.js';

const express = createRequire(import.meta.url)('express');

it('the error handler of Express has a name, which tools that trace middleware show', () => {
  const app = express();
  setupExpressErrorHandler(app);
  const names = app.router.stack.map(({ handle }: { handle: { name: string } }) => handle.name);
  expect(names).toEqual(['faultlineErrorHandler']);
});

it.each([Symbol('404'), { valueOf: () => expect.unreachable() }])('passes on an error with the status %s', (status) => {
  const app = express();
  setupExpressErrorHandler(app);
  const error = Object.assign(new Error('broken'), { status });
  const passedOn: unknown[] = [];
  app.router.stack[0].handle(error, {}, {}, (one: unknown) => passedOn.push(one));
  expect(passedOn).toEqual([error]);
});

it('so has that of Koa', () => {
  const names: string[] = [];
  const app = { use: ({ name }: { name: string }) => names.push(name), emit: () => true, callback: () => undefined };
  setupKoaErrorHandler(app);
  expect(names).toEqual(['faultlineErrorHandler']);
});

it.each([setupExpressErrorHandler, setupConnectErrorHandler])('$name as middleware passes errors on', (setUp) => {
  const passedOn: unknown[] = [];
  // As Express and Connect call an error handler, which they recognize by its four parameters.
  Reflect.apply(setUp, undefined, ['failed', {}, {}, (error: unknown) => passedOn.push(error)]);
  expect([setUp.length, passedOn]).toEqual([4, ['failed']]);
});

const passOn = (_request: unknown, _response: unknown, next: () => void) => next();
const answer = (_error: unknown, _request: unknown, response: http.ServerResponse, _next: unknown) =>
  response.writeHead(500).end();

/** As much of Connect as its error handler looks at. */
function connect() {
  const stack: { handle: unknown }[] = [];
  return { stack, use: (handle: unknown) => stack.push({ handle }), handle: () => undefined };
}

it.each([
  ['Express', express, (app: { router: object }) => app.router, setupExpressErrorHandler],
  ['Connect', connect, (app: object) => app, setupConnectErrorHandler],
] as const)(
  'in %s, the error handler comes before those that were there, which may answer',
  (_, create, routerOf, setUp) => {
    const app = create();
    for (const handle of [passOn, answer, passOn]) app.use(handle);
    setUp(app as never);
    const { stack } = routerOf(app as never) as { stack: { handle: { name: string } }[] };
    expect(stack.map(({ handle }) => handle.name)).toEqual([
      'passOn',
      'faultlineErrorHandler',
      'answer',
      'passOn',
      'faultlineErrorHandler',
    ]);
  },
);

type Handler = (error: Error, request: unknown, response: http.ServerResponse, next: (error: unknown) => void) => void;

it.each<[does: string, handler: Handler, captured: unknown[]]>([
  ['answers with 500', answer as Handler, ['broken']],
  ['answers with 404', (_error, _request, response, _next) => response.writeHead(404).end(), []],
  ['gives it a status', (error, _request, _response, next) => next(Object.assign(error, { status: 404 })), []],
  ['passes it on', (error, _request, _response, next) => next(error), ['broken']],
  ['makes another of it', (error, _request, _response, next) => next(new Error('other', { cause: error })), ['other']],
])('an error is captured as such a handler leaves it: it %s', async (_, handler, captured) => {
  await tell(
    {},
    async () => {
      const app = express();
      app.set('env', 'test');
      app.get('/orders/:id', () => {
        throw new Error('broken');
      });
      app.use(handler);
      setupExpressErrorHandler(app);
      const { url, close } = await serve(app);
      await (await fetch(`${url}/orders/1`)).text();
      await close();
    },
    ({ receiver }) => {
      expect(receiver.events.map(({ exception }) => exception.values.at(-1)?.value)).toEqual(captured);
      for (const { transaction } of receiver.events) expect(transaction).toBe('GET /orders/:id');
    },
  );
});

it('adds no layer for each request where another tool wraps the functions of layers', async () => {
  const app = express();
  setupExpressErrorHandler(app);
  app.use(answer);
  const { url, close } = await serve(app);
  const counts: number[] = [];
  for (let i = 0; i < 3; i++) {
    await (await fetch(url)).text();
    const { stack } = app.router;
    counts.push(stack.length);
    for (const layer of stack) {
      const { handle } = layer;
      layer.handle = Object.defineProperty((...args: unknown[]) => Reflect.apply(handle, undefined, args), 'length', {
        value: handle.length,
      });
    }
  }
  await close();
  expect(counts).toEqual([counts[0], counts[0], counts[0]]);
});

const added: unknown[] = [];
const add = (middleware: unknown) => added.push(middleware);
const around = (original: unknown) =>
  Object.assign((_: unknown) => added.push('instrumented'), { __original: original });
const ownOriginal = Object.assign((middleware: unknown) => added.push(middleware), { __original: {} });
ownOriginal.__original = ownOriginal;

it.each([
  ['a wrapper', around(add)],
  ['wrappers of wrappers', around(around(add))],
  ['a method that is named as its own original', ownOriginal],
  ['a method whose original is none', Object.assign((one: unknown) => added.push(one), { __original: 'use' })],
])('the error handler is registered without instrumentation: %s', (_, use) => {
  added.length = 0;
  setupKoaErrorHandler({ use, emit: () => true, callback: () => undefined } as never);
  expect(added).toEqual([expect.any(Function)]);
});
