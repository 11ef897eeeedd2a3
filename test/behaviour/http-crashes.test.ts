import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runScript } from '../integrations/run-script.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const LOADS = {
  module: `import http from 'node:http'; import * as faultline from 'faultline';`,
  commonjs: `const http = require('node:http'); const faultline = require('faultline');`,
} as const;

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SENTRY_TRACE = `${TRACE_ID}-b7ad6b7169203331-1`;

/** A server whose handler is `body`; the client sends two bytes to `/orders/7`, and goes on when the answer is there. */
function serve(body: string, then = ''): string {
  return `
  if (process.env.FAULTLINE_DSN) faultline.init({ tracesSampleRate: 1 });
  const server = http.createServer((request, response) => {
    faultline.setTag('order', request.url);
    ${body}
  });
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address();
    const headers = { 'sentry-trace': '${SENTRY_TRACE}' };
    const sent = http.request({ port, host: '127.0.0.1', method: 'POST', path: '/orders/7', headers });
    sent.on('error', () => undefined).end('{}');
  });
  ${then}`;
}

const THROW = `throw new Error('broken');`;

function run(source: string, type: keyof typeof LOADS = 'module', env = { FAULTLINE_DSN: receiver.dsn }) {
  return runScript(LOADS[type] + source, { type, env });
}

/** Without the lines that only Node can print, and without the places of frames. */
function printed(stderr: string): string {
  return stderr
    .replace(/^\S*:\d+\n.*\n *\^+\n\n?/m, '')
    .replace(/^ {4}at .*\n/gm, '')
    .trimStart();
}

const IN_ITS_REQUEST = {
  transaction: 'POST /orders/7',
  tags: { order: '/orders/7' },
  request: { method: 'POST', url: expect.stringMatching(/\/orders\/7$/) },
  contexts: { trace: { trace_id: TRACE_ID } },
  exception: { values: [{ value: 'broken', mechanism: { type: 'auto.node.onuncaughtexception', handled: false } }] },
};

describe('an exception that a handler of node:http throws', () => {
  it.each(['module', 'commonjs'] as const)(
    'ends the process as before, and is captured in its request (%s)',
    async (type) => {
      const source = serve(THROW);
      const { status, stderr } = await run(source, type);
      const without = await run(source, type, { FAULTLINE_DSN: '' });
      expect(receiver.events).toMatchObject([IN_ITS_REQUEST]);
      expect({ status, stderr: printed(stderr) }).toEqual({ status: 1, stderr: printed(without.stderr) });
    },
  );

  it.each([
    ['of the request', THROW],
    ['of its body', `request.on('data', () => { ${THROW} });`],
    ['of its end', `request.resume().on('end', () => { ${THROW} });`],
    ['of the response', `response.on('finish', () => { ${THROW} }).end('fine');`],
    ['of a timer', `setTimeout(() => { ${THROW} }, 1);`],
  ])('is captured in its request where the application survives it: in a listener %s', async (_where, body) => {
    const survive = `process.on('uncaughtException', () => faultline.close().then(() => process.exit()));`;
    const { status } = await run(serve(body, survive));
    expect(status).toBe(0);
    expect(receiver.events).toMatchObject([IN_ITS_REQUEST]);
  });

  it('that the application catches lends its request to no later one', async () => {
    const body = `
    if (globalThis.again) throw new Error('caught');
    globalThis.again = () => server.emit('request', request, response);
    response.on('close', outside).end('fine');`;
    const then = `
    const { AsyncResource } = process.getBuiltinModule('async_hooks');
    const outside = AsyncResource.bind(() => {
      try {
        again();
      } catch {
        setTimeout(() => { throw new Error('later'); }, 1);
      }
    });
    process.on('uncaughtException', () => faultline.close().then(() => process.exit()));`;
    await run(serve(body, then));
    expect(receiver.events).toHaveLength(1);
    expect(receiver.events[0]).toMatchObject({ exception: { values: [{ value: 'later' }] } });
    expect(receiver.events[0]?.tags).toBeUndefined();
  });

  it('lends its request to no other exception', async () => {
    const then = `
    const failures = [];
    process.on('uncaughtException', (error) => {
      if (failures.push(error) === 1) setImmediate(() => { throw new Error('later'); });
      else faultline.close().then(() => process.exit());
    });`;
    await run(serve(THROW, then));
    const byValue = new Map(receiver.events.map((event) => [event.exception?.values?.[0]?.value, event.tags]));
    expect([...byValue.keys()].sort()).toEqual(['broken', 'later']);
    expect(byValue.get('later')).toBeUndefined();
  });
});
