import type http from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { setupExpressErrorHandler } from '../../src/frameworks/express.js';
import {
  type ClientOptions,
  captureEvent,
  captureException,
  captureMessage,
  captureSession,
  endSession,
  getGlobalScope,
  getIsolationScope,
  init,
  type SessionContext,
  setUser,
  startSession,
  startSpan,
  withIsolationScope,
} from '../../src/index.js';
import { httpServerIntegration } from '../../src/integrations/http/server/http-server.js';
import { processSessionIntegration } from '../../src/integrations/process/process-session.js';
import { request, serve, type TestServer } from '../integrations/http/servers.js';
import { eventually } from '../support/eventually.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry, type Stage, tell } from '../support/story.js';

const RELEASE = 'shop@1.2.0';
const BARE: ClientOptions = { release: RELEASE, defaultIntegrations: false };
const UNHANDLED = { mechanism: { type: 'test', handled: false } };

const sessions = (receiver: Receiver) => receiver.items('session').map(({ json }) => json!);
const statuses = (receiver: Receiver) => sessions(receiver).map(({ init, status, errors }) => [init, status, errors]);
const balanceOf = ({ client }: Stage) => client.ledger.balance().session;

/** Tells a story of which only the session is of interest. */
const expectStatuses = (story: () => unknown, expected: unknown[], options: ClientOptions = {}) =>
  tell({ ...BARE, ...options }, story, ({ receiver }) => expect(statuses(receiver)).toEqual(expected));

describe('a session', () => {
  it('is sent alone in its envelope, with its data, and counts as one in its category', async () => {
    await tell(
      { ...BARE, environment: 'staging' },
      () => {
        setUser({ id: 42, email: 'a@b.c' });
        startSession();
        captureSession();
      },
      (stage) => {
        const [envelope] = stage.receiver.envelopes;
        expect(envelope!.headers).toEqual({
          sent_at: expect.any(String),
          sdk: { name: 'faultline.javascript.node', version: expect.any(String) },
        });
        expect(envelope!.items.map(({ headers }) => headers.type)).toEqual(['session']);
        expect(envelope!.items[0]!.json).toMatchObject({
          init: true,
          status: 'ok',
          did: '42',
          attrs: { release: RELEASE, environment: 'staging' },
        });
        expect(balanceOf(stage)).toEqual({
          captured: 1,
          delivered: 1,
          discarded: 0,
          queued: 0,
          stored: 0,
          recovered: 0,
        });
      },
    );
  });

  it('names its destination with a tunnel', async () => {
    const receiver = await startReceiver({ tunnelPath: '/tunnel' });
    const client = init({ ...BARE, dsn: receiver.dsn, tunnel: `${receiver.url}/tunnel` });
    startSession();
    captureSession();
    await client.close(5000);
    expect(receiver.envelopes[0]!.headers.dsn).toBe(receiver.dsn);
    expect(receiver.violations).toEqual([]);
    await receiver.close();
    resetOpenTelemetry();
  });

  it('has one id, and is new once', async () => {
    await tell(
      BARE,
      () => {
        const { sid } = startSession();
        captureSession();
        captureSession();
        captureSession(true);
        expect(getIsolationScope().getSession()).toBeUndefined();
        expect(sid).toMatch(/^[0-9a-f]{32}$/);
      },
      ({ receiver }) => {
        expect(statuses(receiver)).toEqual([
          [true, 'ok', 0],
          [false, 'ok', 0],
          [false, 'exited', 0],
        ]);
        expect(new Set(sessions(receiver).map(({ sid }) => sid)).size).toBe(1);
        expect(sessions(receiver)[2]).toMatchObject({ duration: expect.any(Number) });
      },
    );
  });

  it('is not sent without a release', async () => {
    await tell(
      { release: undefined },
      () => {
        startSession();
        captureException(new Error('a'));
        captureSession(true);
      },
      (stage) => {
        expect(sessions(stage.receiver)).toEqual([]);
        expect(balanceOf(stage)).toBeUndefined();
      },
    );
  });

  it('may have its own release, environment and user', async () => {
    await tell(
      { defaultIntegrations: false },
      () => {
        startSession({ release: 'own@1', environment: 'own', user: { username: 'u' } });
        endSession();
      },
      ({ receiver }) =>
        expect(sessions(receiver)).toMatchObject([
          { did: 'u', status: 'exited', attrs: { release: 'own@1', environment: 'own' } },
        ]),
    );
  });

  it.each<[title: string, before: () => unknown, story: () => unknown, did: string | undefined]>([
    [
      'the user of a request is not that of the process',
      () => 0,
      () => withIsolationScope(() => setUser({ id: '1' })),
      undefined,
    ],
    ['the user of the process is', () => 0, () => setUser({ id: '2' }), '2'],
    ['so is the user of the global scope', () => getGlobalScope().setUser({ id: '3' }), () => 0, '3'],
    [
      'a session of a request has the user of the request',
      () => 0,
      () =>
        withIsolationScope(() => {
          startSession();
          setUser({ id: '4' });
          captureSession();
        }),
      '4',
    ],
  ])('%s', async (_, before, story, did) => {
    getGlobalScope().clear();
    await tell(
      { ...BARE, defaultIntegrations: false },
      () => {
        before();
        startSession();
        story();
        endSession();
      },
      ({ receiver }) => expect(sessions(receiver)[0]!.did).toBe(did),
    );
    getGlobalScope().clear();
  });

  it('has no effect before `init` or with an unreadable context', async () => {
    const hostile = Object.defineProperty({ userAgent: 'curl' }, 'user', {
      enumerable: true,
      get: () => {
        throw new Error('hostile');
      },
    });
    expect(() => [endSession(), captureSession(), startSession(), endSession()]).not.toThrow();
    await tell(
      BARE,
      () => {
        startSession(hostile as SessionContext);
        endSession();
        startSession({ started: Number.NaN });
        endSession();
      },
      ({ receiver }) => expect(sessions(receiver)).toMatchObject([{ attrs: { user_agent: 'curl' } }]),
    );
  });

  it('that starts ends the previous one', async () => {
    await expectStatuses(() => {
      startSession();
      startSession();
      endSession();
      endSession();
    }, [
      [true, 'exited', 0],
      [true, 'exited', 0],
    ]);
  });

  it('that starts in a fork of the isolation scope does not end the outer one', async () => {
    await tell(
      BARE,
      () => {
        const outside = startSession();
        withIsolationScope(() => {
          startSession();
          captureException(new Error('inside'));
          endSession();
        });
        expect(getIsolationScope().getSession()).toBe(outside);
        expect(outside).toMatchObject({ status: 'ok', errors: 0 });
      },
      ({ receiver }) =>
        expect(statuses(receiver)).toEqual([
          [true, 'ok', 1],
          [false, 'exited', 1],
        ]),
    );
  });

  it('that the destination refuses is discarded, and reported', async () => {
    await tell(
      BARE,
      async (stage) => {
        stage.receiver.respondWith({ statusCode: 500 });
        startSession();
        captureSession(true);
        await eventually(() => expect(balanceOf(stage)).toMatchObject({ discarded: 1 }));
        stage.receiver.respondWith();
      },
      ({ receiver }) =>
        expect(receiver.discards()).toEqual([{ reason: 'send_error', category: 'session', quantity: 1 }]),
    );
  });

  it('is discarded while its category is rate limited; events are sent', async () => {
    await tell(
      BARE,
      async ({ client, receiver }) => {
        receiver.respondWith({ headers: { 'x-sentry-rate-limits': '60:session:key' } });
        startSession();
        captureSession();
        await client.flush(5000);
        captureSession();
        captureMessage('goes');
      },
      ({ receiver }) => {
        expect(receiver.counts()).toMatchObject({ session: 1, error: 1 });
        expect(receiver.discardedTotal('ratelimit_backoff', 'session')).toBe(1);
      },
    );
  });

  it('beyond the size of the buffer is discarded, as events are', async () => {
    await tell(
      { ...BARE, transportOptions: { bufferSize: 10 } },
      () => {
        startSession();
        for (let i = 0; i < 15; i++) captureSession();
      },
      ({ receiver }) => {
        expect(receiver.counts()).toMatchObject({ session: 10 });
        expect(receiver.discardedTotal('queue_overflow', 'session')).toBe(5);
      },
    );
  });

  it('of a client that is closed or has no destination is counted as discarded', async () => {
    const client = init({ ...BARE, dsn: undefined });
    startSession();
    captureSession();
    await client.close(100);
    captureSession(true);
    expect(client.ledger.balance().session).toEqual({
      captured: 2,
      delivered: 0,
      discarded: 2,
      queued: 0,
      stored: 0,
      recovered: 0,
    });
    resetOpenTelemetry();
  });
});

describe('error events change the session:', () => {
  const inSession = (story: () => unknown) => () => {
    startSession();
    return story();
  };

  it.each<[what: string, story: () => unknown, expected: unknown[]]>([
    ['the first exception', () => captureException(new Error('a')), [[true, 'ok', 1]]],
    [
      'only the first',
      () => {
        captureException(new Error('a'));
        captureException(new Error('b'));
      },
      [[true, 'ok', 1]],
    ],
    [
      'one that nobody handled ends it',
      () => {
        captureException(new Error('a'));
        captureException(new Error('b'), UNHANDLED);
        captureException(new Error('c'), UNHANDLED);
        endSession();
      },
      [
        [true, 'ok', 1],
        [false, 'crashed', 1],
      ],
    ],
    [
      'one that leaves a span and is caught does not end it',
      () => {
        expect(() =>
          startSpan({ name: 'a' }, () => {
            throw new Error('a');
          }),
        ).toThrow('a');
      },
      [[true, 'ok', 1]],
    ],
    ['a message does not', () => captureMessage('a', 'error'), []],
    ['a fatal message does', () => captureMessage('a', 'fatal'), [[true, 'crashed', 1]]],
    ['other kinds of events do not', () => captureEvent({ type: 'profile', level: 'fatal' }), []],
    [
      'in a fork of the isolation scope, too',
      () => {
        withIsolationScope(() => captureException(new Error('a')));
        withIsolationScope(() => captureException(new Error('b')));
        endSession();
      },
      [
        [true, 'ok', 1],
        [false, 'exited', 1],
      ],
    ],
  ])('%s', (_, story, expected) => expectStatuses(inSession(story), expected));

  it('dropped ones do not', async () => {
    await expectStatuses(
      inSession(() => captureException(new Error('a'))),
      [],
      { beforeSend: () => null },
    );
  });

  it('the result of `beforeSend` counts', async () => {
    await expectStatuses(
      inSession(() => captureException(new Error('a'), UNHANDLED)),
      [[true, 'ok', 1]],
      {
        beforeSend: (event) => {
          event.exception!.values!.at(-1)!.mechanism!.handled = true;
          return event;
        },
      },
    );
  });

  it('in a session that ends right after the first error of the process, whose context is still collected', async () => {
    const story = inSession(() => {
      captureException(new Error('a'));
      endSession();
    });
    const ofProcess = [true, 'exited', 0];
    await expectStatuses(story, [ofProcess, [true, 'exited', 1]], { defaultIntegrations: undefined });
  });

  it('in a session that ends before a hook has let the event go, afterwards', async () => {
    const story = (beforeSend: ClientOptions['beforeSend'], expected: unknown[]) =>
      expectStatuses(
        async () => {
          startSession();
          captureException(new Error('a'));
          endSession();
          await sleep(20);
        },
        expected,
        { beforeSend },
      );
    const ended = [true, 'exited', 0];
    await story(async (event) => event, [ended, [false, 'exited', 1]]);
    await story(async () => null, [ended]);
  });

  it('with promises on the way, in the session in which they were captured', async () => {
    await expectStatuses(
      inSession(async () => {
        captureException(new Error('a'));
        getIsolationScope().setSession();
        await sleep(20);
      }),
      [[true, 'ok', 1]],
      { beforeSend: (event) => sleep(5).then(() => event) },
    );
  });
});

describe('the session of the process', () => {
  const PROCESS: ClientOptions = { ...BARE, integrations: [processSessionIntegration()] };

  it('is sent only when the client closes, if there was no error', async () => {
    const receiver = await startReceiver();
    const client = init({ ...PROCESS, dsn: receiver.dsn });
    await client.flush(5000);
    expect(receiver.requests).toEqual([]);
    await client.close(5000);
    expect(statuses(receiver)).toEqual([[true, 'exited', 0]]);
    expect(getIsolationScope().getSession()).toBeUndefined();
    await receiver.close();
    resetOpenTelemetry();
  });

  it('starts by itself if there is a release', async () => {
    await tell(
      { release: RELEASE },
      () => captureException(new Error('a')),
      ({ receiver }) => expect(statuses(receiver)).toEqual([[true, 'ok', 1]]),
    );
    await tell({}, () => expect(getIsolationScope().getSession()).toBeUndefined());
  });

  it('is a new one for the next client', async () => {
    const receiver = await startReceiver();
    const listeners = process.listenerCount('beforeExit');
    const first = init({ ...PROCESS, dsn: receiver.dsn });
    const second = init({ ...PROCESS, dsn: receiver.dsn, release: 'shop@2' });
    expect(process.listenerCount('beforeExit')).toBe(listeners + 1);
    await Promise.all([first.close(5000), second.close(5000)]);
    const ends = sessions(receiver).map(({ status, attrs }) => [(attrs as { release: string }).release, status]);
    expect(ends.sort()).toEqual([
      [RELEASE, 'exited'],
      ['shop@2', 'exited'],
    ]);
    expect(process.listenerCount('beforeExit')).toBe(listeners);
    await receiver.close();
    resetOpenTelemetry();
  });
});

describe('requests', () => {
  let server: TestServer;
  afterEach(() => server.close());

  const SERVER: ClientOptions = { ...BARE, integrations: [httpServerIntegration()] };
  const aggregates = (receiver: Receiver) =>
    receiver.items('sessions').map(({ json }) => json as { attrs: object; aggregates: Record<string, number>[] });
  const totals = (receiver: Receiver) => {
    const sum = { exited: 0, errored: 0, crashed: 0 };
    for (const { exited = 0, errored = 0, crashed = 0 } of aggregates(receiver).flatMap((one) => one.aggregates)) {
      sum.exited += exited;
      sum.errored += errored;
      sum.crashed += crashed;
    }
    return sum;
  };

  const HANDLERS: Record<string, http.RequestListener> = {
    '/well': (_, response) => void response.end(),
    '/message': (_, response) => {
      captureMessage('a', 'fatal');
      response.end();
    },
    '/handled': (_, response) => {
      captureException(new Error('a'));
      response.end();
    },
    '/later': async (_, response) => {
      await sleep(2);
      captureEvent({ exception: { values: [{ type: 'Error', value: 'a' }] } });
      response.end();
    },
    '/inner': (_, response) => {
      withIsolationScope(() => captureException(new Error('a')));
      response.end();
    },
    '/unhandled': (_, response) => {
      captureException(new Error('a'), UNHANDLED);
      captureException(new Error('b'));
      response.end();
    },
    '/rethrown': (_, response) => {
      const error = new Error('a');
      captureException(error);
      captureException(error, UNHANDLED);
      response.end();
    },
    '/leaves-a-span': (_, response) => {
      try {
        startSpan({ name: 'a' }, () => {
          const error = new Error('a');
          captureException(error);
          throw error;
        });
      } catch {
        response.end();
      }
    },
  };

  async function serveAll(): Promise<void> {
    server = await serve((incoming, response) => HANDLERS[incoming.url!]!(incoming, response));
  }

  /** Makes requests one after another, and waits until the server has done with each. */
  async function visit(...paths: string[]): Promise<void> {
    for (const path of paths) {
      const closed = new Promise((resolve) => {
        server.server.once('request', (_, response: http.ServerResponse) => response.once('close', resolve));
      });
      await request(server.url + path);
      await closed;
    }
  }

  it.each([
    ['/well', 'exited'],
    ['/message', 'exited'],
    ['/handled', 'errored'],
    ['/later', 'errored'],
    ['/inner', 'errored'],
    ['/unhandled', 'crashed'],
    ['/leaves-a-span', 'errored'],
    ['/rethrown', 'crashed'],
  ])('to %s are counted as %s', async (path, status) => {
    await tell(
      SERVER,
      async () => {
        await serveAll();
        await visit(path, path);
      },
      ({ receiver }) => expect(totals(receiver)).toEqual({ exited: 0, errored: 0, crashed: 0, [status]: 2 }),
    );
  });

  it.each([
    ['an error handler of Express', 'crashed', '/broken'],
    ['a try of the application', 'errored', '/caught'],
  ])('whose error reaches %s are counted as %s', async (_, status, path) => {
    const express = createRequire(import.meta.url)('express');
    const app = express();
    app.get('/broken', () => {
      throw new Error('a');
    });
    app.get('/caught', (_request: unknown, response: http.ServerResponse) => {
      try {
        throw new Error('a');
      } catch (error) {
        captureException(error);
        response.end();
      }
    });
    setupExpressErrorHandler(app);
    await tell(
      SERVER,
      async () => {
        server = await serve(app);
        await visit(path);
      },
      ({ receiver }) => expect(totals(receiver)).toEqual({ exited: 0, errored: 0, crashed: 0, [status]: 1 }),
    );
  });

  it('are sent as one item of counts, which is one `session` in the ledger from the first request on', async () => {
    await tell(
      { ...SERVER, environment: 'staging' },
      async (stage) => {
        await serveAll();
        expect(balanceOf(stage)).toBeUndefined();
        await visit('/well', '/handled', '/well', '/unhandled');
        expect(balanceOf(stage)).toEqual({
          captured: 1,
          delivered: 0,
          discarded: 0,
          queued: 1,
          stored: 0,
          recovered: 0,
        });
      },
      ({ receiver }) => {
        expect(totals(receiver)).toEqual({ exited: 2, errored: 1, crashed: 1 });
        expect(aggregates(receiver)).toHaveLength(1);
        expect(aggregates(receiver)[0]!.attrs).toEqual({ release: RELEASE, environment: 'staging' });
        const [minute] = aggregates(receiver)[0]!.aggregates;
        expect(minute!['started']).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00\.000Z$/);
        const envelope = receiver.envelopes.find(({ items }) => items[0]!.headers.type === 'sessions');
        expect(Object.keys(envelope!.headers)).toEqual(['sent_at', 'sdk']);
      },
    );
  });

  it('are counted by minute, and sent when the minute has passed', async () => {
    vi.useFakeTimers({ now: Date.UTC(2026, 0, 5, 9, 30, 59), toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    try {
      await tell(
        SERVER,
        async ({ client, receiver }) => {
          await serveAll();
          await visit('/well', '/well');
          vi.advanceTimersByTime(2000);
          await visit('/handled');
          expect(aggregates(receiver)).toEqual([]);
          // Otherwise its request would exceed its time limit.
          while (client.ledger.balance().error?.delivered !== 1) await new Promise((done) => setImmediate(done));
          vi.advanceTimersByTime(58_000);
          vi.useRealTimers();
          await receiver.waitFor(() => aggregates(receiver).length > 0);
        },
        ({ receiver }) =>
          expect(aggregates(receiver).map((one) => one.aggregates)).toEqual([
            [
              { started: '2026-01-05T09:30:00.000Z', exited: 2, errored: 0, crashed: 0 },
              { started: '2026-01-05T09:31:00.000Z', exited: 0, errored: 1, crashed: 0 },
            ],
          ]),
      );
    } finally {
      vi.useRealTimers();
    }
  });

  it('are sent by themselves after sessionIntervalMillis', async () => {
    await tell({ ...SERVER, sessionIntervalMillis: 20 }, async ({ receiver }) => {
      await serveAll();
      await visit('/well');
      await receiver.waitFor(() => aggregates(receiver).length > 0);
      await visit('/well');
      await receiver.waitFor(() => aggregates(receiver).length > 1);
      expect(totals(receiver)).toEqual({ exited: 2, errored: 0, crashed: 0 });
    });
  });

  it('concurrent, are each in one count', async () => {
    const PATHS = ['/well', '/handled', '/later', '/unhandled'];
    await tell(
      SERVER,
      async ({ client }) => {
        await serveAll();
        let open = 0;
        server.server.on('request', (_, response) => {
          open += 1;
          response.once('close', () => {
            open -= 1;
          });
        });
        const paths = Array.from({ length: 100 }, (_, i) => PATHS[i % PATHS.length]!);
        await Promise.all(paths.map((path) => request(server.url + path)));
        await eventually(() => expect(open).toBe(0));
        await client.flush(5000);
      },
      ({ receiver }) => expect(totals(receiver)).toEqual({ exited: 25, errored: 50, crashed: 25 }),
    );
  });

  it('are counted also when their events are sampled out', async () => {
    await tell(
      { ...SERVER, sampleRate: 0 },
      async () => {
        await serveAll();
        await visit('/handled', '/unhandled');
      },
      ({ receiver }) => {
        expect(receiver.events).toEqual([]);
        expect(totals(receiver)).toEqual({ exited: 0, errored: 1, crashed: 1 });
      },
    );
  });

  it('that are cut off are counted, too', async () => {
    await tell(
      SERVER,
      async (stage) => {
        server = await serve((incoming) => void incoming.socket.destroy());
        await request(server.url).catch(() => undefined);
        await eventually(() => expect(balanceOf(stage)).toMatchObject({ queued: 1 }));
      },
      ({ receiver }) => expect(totals(receiver)).toEqual({ exited: 1, errored: 0, crashed: 0 }),
    );
  });

  it('that crash are counted before their end', async () => {
    await tell(
      SERVER,
      async (stage) => {
        server = await serve((_, response) => {
          captureException(new Error('a'), UNHANDLED);
          expect(balanceOf(stage)).toMatchObject({ queued: 1 });
          response.end();
        });
        await visit('/');
      },
      ({ receiver }) => expect(totals(receiver)).toEqual({ exited: 0, errored: 0, crashed: 1 }),
    );
  });

  it.each<[string, ClientOptions]>([
    ['without a release', { ...SERVER, release: undefined }],
    [
      'when they are not asked for',
      { ...BARE, integrations: [httpServerIntegration({ trackIncomingRequestsAsSessions: false })] },
    ],
  ])('are not counted %s', async (_, options) => {
    await tell(
      options,
      async () => {
        await serveAll();
        await visit('/well', '/unhandled');
      },
      (stage) => {
        expect(aggregates(stage.receiver)).toEqual([]);
        expect(balanceOf(stage)).toBeUndefined();
      },
    );
  });

  it('since the last report are sent when the client closes; later ones are not counted', async () => {
    const receiver = await startReceiver();
    const client = init({ ...SERVER, dsn: receiver.dsn });
    await serveAll();
    await visit('/well');
    await client.close(5000);
    expect(totals(receiver)).toEqual({ exited: 1, errored: 0, crashed: 0 });
    await visit('/well');
    await client.flush(1000);
    expect(client.ledger.balance().session).toEqual({
      captured: 1,
      delivered: 1,
      discarded: 0,
      queued: 0,
      stored: 0,
      recovered: 0,
    });
    await receiver.close();
    resetOpenTelemetry();
  });
});
