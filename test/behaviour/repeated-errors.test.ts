import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { wrapJob } from '../../src/frameworks/jobs.js';
import { wrapHandler } from '../../src/frameworks/lambda.js';
import { wrapRequestHandler } from '../../src/frameworks/node-http.js';
import { captureException, Scope, startSpan, withIsolationScope } from '../../src/index.js';
import { tell } from '../support/story.js';

type Work = () => Promise<unknown>;
const RUNS = 3;
const ignore = () => undefined;

async function request(work: Work): Promise<void> {
  const handle = wrapRequestHandler((_request: http.IncomingMessage, _response: http.ServerResponse) => work());
  const server = http.createServer((incoming, response) => void handle(incoming, response).catch(() => response.end()));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).text();
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

const job = (work: Work) => wrapJob('job', work)().catch(ignore);
const UNITS: Readonly<Record<string, (work: Work) => Promise<unknown>>> = {
  request,
  job,
  invocation: (work) => (wrapHandler(work, { flushTimeoutMillis: 1 })() as Promise<unknown>).catch(ignore),
  'isolation scope': (work) => withIsolationScope(work).catch((error) => void captureException(error)),
};

/** A promise that all await, as that of a connection to a database. */
function refuse(): Work {
  let connection: Promise<unknown> | undefined;
  return () => {
    connection ??= new Promise((_, reject) => setImmediate(() => reject(new Error('refused'))));
    return connection;
  };
}

describe('one error object with which several units of work fail', () => {
  it.each(Object.keys(UNITS))(
    'is an event of each %s, and one where it passes several layers, concurrent',
    async (name) => {
      const connect = refuse();
      const work = async () => {
        try {
          await startSpan({ name: 'query' }, connect);
        } catch (error) {
          captureException(error);
          throw error;
        }
      };
      await tell(
        { tracesSampleRate: 1 },
        () => Promise.all(Array.from({ length: RUNS }, () => UNITS[name]!(work))),
        ({ receiver }) => expect(receiver.events).toHaveLength(RUNS),
      );
    },
  );

  it.each(Object.keys(UNITS))('is one event where jobs and isolation scopes are parts of one %s', async (name) => {
    const connect = refuse();
    const part = () => withIsolationScope(() => wrapJob('part', connect)());
    await tell(
      { tracesSampleRate: 1 },
      () => UNITS[name]!(() => part().catch(part)),
      ({ receiver }) => expect(receiver.events).toHaveLength(1),
    );
  });

  it('is one event outside of units, and of the unit that reports what was captured outside', async () => {
    const error = new Error('outside');
    const fail = () => Promise.reject(error);
    await tell(
      {},
      async () => {
        captureException(error);
        captureException(error);
        await job(fail);
        captureException(error);
      },
      ({ receiver }) => expect(receiver.events).toHaveLength(1),
    );
  });

  it('is an event of each request of a server that was started in an isolation scope', async () => {
    const connect = refuse();
    await tell(
      {},
      () => withIsolationScope(() => Promise.all([request(connect), request(connect)])),
      ({ receiver }) => expect(receiver.events).toHaveLength(2),
    );
  });

  it('is one event of each request where several use one isolation scope of the application, at the same time, too', async () => {
    const tenant = new Scope();
    const work = () =>
      withIsolationScope(tenant, () => startSpan({ name: 'query' }, () => Promise.reject(new Error('refused'))));
    await tell(
      { tracesSampleRate: 1 },
      async () => {
        withIsolationScope(tenant, ignore);
        await request(work);
        await Promise.all([request(work), request(work)]);
      },
      ({ receiver }) => expect(receiver.events).toHaveLength(3),
    );
  });
});
