import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { setupConnectErrorHandler } from '../../src/frameworks/connect.js';
import { setupExpressErrorHandler } from '../../src/frameworks/express.js';
import { setupKoaErrorHandler } from '../../src/frameworks/koa.js';

const express = createRequire(import.meta.url)('express');

it('the error handler of Express has a name, which OpenTelemetry’s instrumentation gives its span', () => {
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
