import { afterEach, expect, it } from 'vitest';
import { setupFastifyErrorHandler } from '../../src/frameworks/fastify.js';
import { setupHonoErrorHandler } from '../../src/frameworks/hono.js';
import { wrapJob } from '../../src/frameworks/jobs.js';
import { wrapHandler } from '../../src/frameworks/lambda.js';
import { wrapRequestHandler } from '../../src/frameworks/node-http.js';
import { recordEvents, reset } from '../../src/testing/testing.js';

type Handler = (...args: never[]) => unknown;

afterEach(reset);

/** As much of Fastify as its setup function uses. */
function setUpFastify() {
  const hooks = new Map<string, (route: { handler: Handler }) => void>();
  const errorHandlers: Handler[] = [];
  const app = {
    addHook: (name: string, hook: never) => hooks.set(name, hook),
    setErrorHandler: (handler: Handler) => errorHandlers.push(handler),
  };
  setupFastifyErrorHandler(app as never);
  return { app, hooks, errorHandlers };
}

const WAYS: readonly (readonly [string, (handler: Handler) => Handler])[] = [
  ['wrapJob', (handler) => wrapJob('mails', handler)],
  ['wrapHandler', (handler) => wrapHandler(handler as never)],
  ['wrapRequestHandler', (handler) => wrapRequestHandler(handler as never)],
  [
    'a route of Fastify',
    (handler) => {
      const route = { handler };
      setUpFastify().hooks.get('onRoute')!(route);
      return route.handler;
    },
  ],
  [
    'an error handler of Fastify',
    (handler) => {
      const { app, errorHandlers } = setUpFastify();
      app.setErrorHandler(handler);
      return errorHandlers[0]!;
    },
  ],
  [
    'an error handler of Hono',
    (handler) => {
      const errorHandlers: Handler[] = [];
      const app = { use: () => undefined, onError: (one: Handler) => errorHandlers.push(one) };
      setupHonoErrorHandler(app as never);
      app.onError(handler);
      return errorHandlers[0]!;
    },
  ],
];

it.each(WAYS)('%s looks async if the function does', (_, wrap) => {
  recordEvents();
  expect(Object.prototype.toString.call(wrap(async () => undefined))).toBe('[object AsyncFunction]');
  expect(Object.prototype.toString.call(wrap(() => undefined))).toBe('[object Function]');
});

it.each(WAYS)('%s keeps the name and the number of parameters of the function', (_, wrap) => {
  recordEvents();
  const wrapper = wrap(function resize(_job: unknown, _token: unknown, _signal: unknown) {});
  expect(wrapper.name).toBe('resize');
  expect(wrapper).toHaveLength(3);
  expect(wrap(() => undefined)).toHaveLength(0);
});

it.each(WAYS)('%s may be a proxy whose name and parameters cannot be read', (_, wrap) => {
  recordEvents();
  const hostile = new Proxy(() => undefined, {
    get: (target, key) => (key === 'name' || key === 'length' ? expect.unreachable() : Reflect.get(target, key)),
  });
  expect(wrap(hostile)).toBeTypeOf('function');
});

it('a wrapped job gets the callback that a queue passes to functions with two parameters', async () => {
  recordEvents();
  const job = wrapJob(
    'mails',
    (_job: object, done: (error: Error) => void) => void setTimeout(done, 1, new Error('full')),
  );
  // As Bull does, and Agenda.
  const outcome = new Promise((resolve) => (job.length > 1 ? job({}, resolve) : resolve('completed')));
  expect(await outcome).toEqual(new Error('full'));
});
