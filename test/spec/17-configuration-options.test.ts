import type { IncomingHttpHeaders } from 'node:http';
import { describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  type Breadcrumb,
  type ClientOptions,
  captureException,
  captureMessage,
  close,
  type Envelope,
  type Event,
  type EventHint,
  getClient,
  init,
  startSpan,
  withIsolationScope,
  withScope,
} from '../../src/index.js';
import { request, serve } from '../integrations/http/servers.js';
import { runScript } from '../integrations/run-script.js';
import { expectConservation } from '../support/conservation.js';
import { startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry } from '../support/story.js';
import { nested, send, sendEvent, sendNothing, sendTransaction, UUID, writtenDuring } from './send.js';

const span = (name = 'work') => startSpan({ name }, () => undefined);
const message = () => captureMessage('m');

/** The headers of a request to each path, made by `fetch` (`node:http` for the first) while a span is active. */
async function outgoingHeaders(paths: string[], options: ClientOptions): Promise<IncomingHttpHeaders[]> {
  const headers: IncomingHttpHeaders[] = [];
  const server = await serve((incoming, response) => {
    headers.push(incoming.headers);
    response.end();
  });
  await send(
    () =>
      startSpan({ name: 'work' }, async () => {
        await request(server.url + paths[0]);
        for (const path of paths) await (await fetch(server.url + path)).text();
      }),
    { tracesSampleRate: 1, ...options },
  );
  await server.close();
  return headers;
}

describe('Configuration options', () => {
  it('dsn is the destination, needed for sending data', async () => {
    const { requests } = await send(message);
    expect(requests).toHaveLength(1);
  });

  it('dsn has no default: without it nothing is sent', async () => {
    await sendNothing(() => expect(captureException(new Error('no'))).toMatch(UUID), { dsn: undefined });
  });

  it.each<[title: string, options: ClientOptions, field: keyof Event, sent: unknown]>([
    ['environment is the name of the environment', { environment: 'staging' }, 'environment', 'staging'],
    ['environment is production by default', {}, 'environment', 'production'],
    ['release is the version of the application', { release: 'shop@1.4.0' }, 'release', 'shop@1.4.0'],
    ['release has no default', {}, 'release', undefined],
    ['dist is the build or deployment variant', { dist: '42' }, 'dist', '42'],
    ['dist has no default', {}, 'dist', undefined],
    ['serverName is the name of the server or device', { serverName: 'web-7' }, 'server_name', 'web-7'],
  ])('%s', async (_, options, field, sent) => {
    const event = await sendEvent(message, options);
    const transaction = await sendTransaction(() => span(), options);
    expect([event[field], transaction[field]]).toEqual([sent, sent]);
  });

  it.each<[title: string, options: ClientOptions, events: [min: number, max: number]]>([
    ['sampleRate is the fraction of error events kept', { sampleRate: 0.5 }, [60, 140]],
    ['sampleRate 0 keeps none', { sampleRate: 0 }, [0, 0]],
    ['sampleRate is 1 by default, which keeps all', {}, [200, 200]],
  ])('%s', async (_, options, [min, max]) => {
    const { events } = await send(() => {
      for (let i = 0; i < 200; i++) message();
    }, options);
    expect(events.length).toBeGreaterThanOrEqual(min);
    expect(events.length).toBeLessThanOrEqual(max);
  });

  it.each<[title: string, options: ClientOptions, transactions: [min: number, max: number]]>([
    ['tracesSampleRate is the fraction of transactions kept', { tracesSampleRate: 0.5 }, [60, 140]],
    ['tracesSampleRate 0 keeps none', { tracesSampleRate: 0 }, [0, 0]],
    ['tracesSampleRate 1 keeps all', { tracesSampleRate: 1 }, [200, 200]],
    ['tracesSampleRate has no default: without it no span records', {}, [0, 0]],
    ['tracesSampler decides by a rate', { tracesSampler: () => 0.5 }, [60, 140]],
    ['tracesSampler decides by a boolean that is true', { tracesSampler: () => true }, [200, 200]],
    ['tracesSampler decides by a boolean that is false', { tracesSampler: () => false }, [0, 0]],
  ])('%s', async (_, options, [min, max]) => {
    const { transactions } = await send(() => {
      for (let i = 0; i < 200; i++) span();
    }, options);
    expect(transactions.length).toBeGreaterThanOrEqual(min);
    expect(transactions.length).toBeLessThanOrEqual(max);
  });

  it('beforeSend is called with event and hint, and what it returns is sent', async () => {
    const error = new Error('no');
    const calls: [Event, EventHint][] = [];
    const event = await sendEvent(() => captureException(error), {
      beforeSend: (given, hint) => {
        calls.push([given, hint]);
        return { ...given, logger: 'hooked' };
      },
    });
    expect(calls).toHaveLength(1);
    expect(calls[0]?.[0].exception?.values?.[0]?.value).toBe('no');
    expect(calls[0]?.[1].originalException).toBe(error);
    expect(event.logger).toBe('hooked');
  });

  it('beforeSend drops the event by returning null', async () => {
    const receiver = await send(message, { beforeSend: () => null });
    expect(receiver.events).toEqual([]);
    expect(receiver.discards()).toEqual([{ reason: 'before_send', category: 'error', quantity: 1 }]);
  });

  it('beforeSendTransaction is called with event and hint, and what it returns is sent', async () => {
    const calls: [Event, EventHint][] = [];
    const transaction = await sendTransaction(() => span(), {
      beforeSendTransaction: (given, hint) => {
        calls.push([given, hint]);
        return { ...given, transaction: 'hooked' };
      },
    });
    expect(calls).toEqual([
      [expect.objectContaining({ type: 'transaction', transaction: 'work' }), expect.any(Object)],
    ]);
    expect(transaction.transaction).toBe('hooked');
  });

  it('beforeSendTransaction drops the event by returning null', async () => {
    const receiver = await send(() => span(), { tracesSampleRate: 1, beforeSendTransaction: () => null });
    expect(receiver.transactions).toEqual([]);
    expect(receiver.discardedTotal('before_send', 'transaction')).toBe(1);
  });

  it('beforeBreadcrumb is called with breadcrumb and hint, and what it returns is kept', async () => {
    const calls: [Breadcrumb, unknown][] = [];
    const event = await sendEvent(
      () => {
        addBreadcrumb({ message: 'a' }, { input: 7 });
        message();
      },
      {
        beforeBreadcrumb: (breadcrumb, hint) => {
          calls.push([breadcrumb, hint]);
          return { ...breadcrumb, category: 'hooked' };
        },
      },
    );
    expect(calls).toEqual([[expect.objectContaining({ message: 'a' }), { input: 7 }]]);
    expect(event.breadcrumbs).toMatchObject([{ message: 'a', category: 'hooked' }]);
  });

  it('beforeBreadcrumb drops the breadcrumb by returning null', async () => {
    const event = await sendEvent(
      () => {
        for (const text of ['keep', 'drop']) addBreadcrumb({ message: text });
        message();
      },
      { beforeBreadcrumb: (breadcrumb) => (breadcrumb.message === 'drop' ? null : breadcrumb) },
    );
    expect(event.breadcrumbs?.map((one) => one.message)).toEqual(['keep']);
  });

  it('integrations are set up with the client, and see its events', async () => {
    const clients: unknown[] = [];
    const event = await sendEvent(message, {
      integrations: [
        {
          name: 'Build',
          setup: (client) => void clients.push(client),
          processEvent: (given) => ({ ...given, tags: { ...given.tags, build: '7' } }),
        },
      ],
    });
    expect(clients).toHaveLength(1);
    expect(event.tags).toEqual({ build: '7' });
    expect(event.sdk.integrations).toContain('Build');
  });

  it('integrations, listed as required, are filled in when they are absent', async () => {
    const event = await sendEvent(message);
    expect(event.sdk.integrations?.length).toBeGreaterThan(0);
  });

  it.each<[title: string, options: ClientOptions, kept: number]>([
    ['maxBreadcrumbs is the number of breadcrumbs kept', { maxBreadcrumbs: 3 }, 3],
    ['maxBreadcrumbs is 100 by default', {}, 100],
  ])('%s', async (_, options, kept) => {
    const event = await sendEvent(
      () =>
        withIsolationScope(() => {
          for (let i = 1; i <= 120; i++) addBreadcrumb({ message: String(i) });
          message();
        }),
      options,
    );
    const newest = Array.from({ length: kept }, (_, i) => String(121 - kept + i));
    expect(event.breadcrumbs?.map((one) => one.message)).toEqual(newest);
  });

  it.each<[title: string, options: ClientOptions, kept: number]>([
    ['maxValueLength is the length of strings before truncation', { maxValueLength: 10 }, 10],
    ['maxValueLength is 250 by default', {}, 250],
  ])('%s', async (_, options, kept) => {
    const cut = await sendEvent(() => captureMessage('x'.repeat(kept + 1)), options);
    expect(cut.message).toBe(`${'x'.repeat(kept)}...`);
    const whole = await sendEvent(() => captureMessage('x'.repeat(kept)), options);
    expect(whole.message).toBe('x'.repeat(kept));
  });

  it.each<[title: string, options: ClientOptions, sent: unknown]>([
    ['normalizeDepth is the depth of object traversal', { normalizeDepth: 4 }, { a: { a: { a: '[Object]' } } }],
    ['normalizeDepth is 3 by default', {}, { a: { a: '[Object]' } }],
  ])('%s', async (_, options, sent) => {
    const event = await sendEvent(
      () =>
        withScope((scope) => {
          scope.setExtra('deep', nested(10));
          message();
        }),
      options,
    );
    expect(event.extra).toEqual({ deep: sent });
  });

  it.each<[title: string, options: ClientOptions, kept: number]>([
    ['normalizeMaxBreadth is the number of properties or elements kept', { normalizeMaxBreadth: 2 }, 2],
    ['normalizeMaxBreadth is 1000 by default', {}, 1000],
  ])('%s', async (_, options, kept) => {
    const list = Array.from({ length: kept + 5 }, (_, i) => i);
    const event = await sendEvent(
      () =>
        withScope((scope) => {
          scope.setExtras({ list, map: Object.fromEntries(list.map((i) => [`k${i}`, i])) });
          message();
        }),
      options,
    );
    const { list: elements, map } = event.extra as { list: unknown[]; map: Record<string, unknown> };
    expect(elements).toEqual([...list.slice(0, kept), '[MaxProperties ~]']);
    expect(Object.values(map)).toEqual([...list.slice(0, kept), '[MaxProperties ~]']);
  });

  it.each<[title: string, options: ClientOptions, sent: string[]]>([
    ['ignoreErrors keeps errors that match a string from being sent', { ignoreErrors: ['hang up'] }, ['fetch failed']],
    ['ignoreErrors keeps errors that match a RegExp from being sent', { ignoreErrors: [/^fetch/] }, ['socket hang up']],
    ['ignoreErrors is empty by default', {}, ['fetch failed', 'socket hang up']],
  ])('%s', async (_, options, sent) => {
    const { events } = await send(() => {
      captureException(new Error('socket hang up'));
      captureException(new Error('fetch failed'));
    }, options);
    expect(events.map((event) => event.exception?.values?.[0]?.value).sort()).toEqual(sent);
  });

  it.each<[title: string, options: ClientOptions, sent: string[]]>([
    [
      'ignoreTransactions keeps transactions that match a string from being sent',
      { ignoreTransactions: ['health'] },
      ['GET /cart'],
    ],
    [
      'ignoreTransactions keeps transactions that match a RegExp from being sent',
      { ignoreTransactions: [/cart$/] },
      ['GET /health'],
    ],
    ['ignoreTransactions is empty by default', {}, ['GET /cart', 'GET /health']],
  ])('%s', async (_, options, sent) => {
    const { transactions } = await send(() => ['GET /health', 'GET /cart'].forEach(span), {
      tracesSampleRate: 1,
      ...options,
    });
    expect(transactions.map(({ transaction }) => transaction).sort()).toEqual(sent);
  });

  it.each<[title: string, options: ClientOptions, sent: number]>([
    ['allowUrls lets errors from a URL that matches a string leave', { allowUrls: ['17-configuration'] }, 1],
    ['allowUrls lets errors from a URL that matches a RegExp leave', { allowUrls: [/options\.test\.ts$/] }, 1],
    ['allowUrls lets no other errors leave', { allowUrls: ['elsewhere.js', /nowhere/] }, 0],
    ['allowUrls is empty by default, and lets all leave', {}, 1],
    ['denyUrls keeps errors from a URL that matches a string', { denyUrls: ['17-configuration'] }, 0],
    ['denyUrls keeps errors from a URL that matches a RegExp', { denyUrls: [/options\.test\.ts$/] }, 0],
    ['denyUrls lets other errors leave', { denyUrls: ['elsewhere.js', /nowhere/] }, 1],
    ['denyUrls is empty by default, and keeps none', { denyUrls: undefined }, 1],
  ])('%s', async (_, options, sent) => {
    const { events } = await send(() => captureException(new Error('no')), options);
    expect(events).toHaveLength(sent);
  });

  it.each<[title: string, options: ClientOptions, traced: boolean[]]>([
    [
      'tracePropagationTargets says by strings which outgoing requests get headers',
      { tracePropagationTargets: ['/api'] },
      [true, true, false],
    ],
    [
      'tracePropagationTargets says by RegExps which outgoing requests get headers',
      { tracePropagationTargets: [/\/other$/] },
      [false, false, true],
    ],
    [
      'tracePropagationTargets may be empty, and then none get headers',
      { tracePropagationTargets: [] },
      [false, false, false],
    ],
    ['tracePropagationTargets has no default, and then all get headers', {}, [true, true, true]],
  ])('%s', async (_, options, traced) => {
    const headers = await outgoingHeaders(['/api/cart', '/other'], options);
    expect(headers.map((one) => 'sentry-trace' in one)).toEqual(traced);
    expect(headers.map((one) => 'baggage' in one)).toEqual(traced);
  });

  it.each<[title: string, options: ClientOptions, traceparent: unknown]>([
    [
      'propagateTraceparent adds the W3C traceparent header',
      { propagateTraceparent: true },
      expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-01$/),
    ],
    ['propagateTraceparent is false by default', {}, undefined],
  ])('%s', async (_, options, traceparent) => {
    const headers = await outgoingHeaders(['/'], options);
    expect(headers.map((one) => one['traceparent'])).toEqual([traceparent, traceparent]);
  });

  it('transport is a factory, whose transport takes the envelopes', async () => {
    const envelopes: Envelope[] = [];
    const transport = () => ({
      send: async (envelope: Envelope) => {
        envelopes.push(envelope);
        return { statusCode: 200 };
      },
      flush: async () => true,
    });
    await sendNothing(message, { transport });
    expect(envelopes).toHaveLength(1);
    const [headers, items] = envelopes[0]!;
    expect(headers.event_id).toMatch(UUID);
    expect(items).toEqual([[{ type: 'event' }, expect.objectContaining({ message: 'm', event_id: headers.event_id })]]);
  });

  it('transport, listed as required, is supplied by the SDK when it is absent', async () => {
    expect((await send(message, { transport: undefined })).events).toHaveLength(1);
  });

  it('transportOptions.bufferSize bounds what is on its way', async () => {
    const receiver = await send(
      ({ receiver: busy }) => {
        busy.respondWith({ delayMillis: 100 });
        for (let i = 0; i < 5; i++) message();
      },
      { transportOptions: { bufferSize: 2 } },
    );
    expect(receiver.events).toHaveLength(2);
    expect(receiver.discards()).toEqual([{ reason: 'queue_overflow', category: 'error', quantity: 3 }]);
  });

  it('transportOptions.headers are sent with each request', async () => {
    const { requests } = await send(message, { transportOptions: { headers: { 'x-team': 'shop' } } });
    expect(requests.map(({ headers }) => headers['x-team'])).toEqual(['shop']);
  });

  it('tunnel is the endpoint that gets the events, to forward them', async () => {
    const receiver = await startReceiver({ tunnelPath: '/tunnel' });
    const client = init({ dsn: receiver.dsn, tunnel: `${receiver.url}/tunnel` });
    message();
    await expectConservation(client, receiver);
    expect(receiver.requests.map(({ path }) => path)).toEqual(['/tunnel']);
    expect(receiver.envelopes[0]?.headers.dsn).toBe(receiver.dsn);
    expect(receiver.violations).toEqual([]);
    await client.close();
    await receiver.close();
    resetOpenTelemetry();
  });

  it('debug turns debug logging on', async () => {
    const text = await writtenDuring(() => send(message, { debug: true, ignoreErrors: ['m'] }));
    expect(text).toMatch(/faultline.*discarded/);
  });

  it('debug is false by default, and nothing is written', async () => {
    expect(await writtenDuring(() => send(message, { ignoreErrors: ['m'], sampleRate: 7 }))).toBe('');
  });

  it('enabled: false disables the SDK', async () => {
    await sendNothing(
      (client) => {
        expect(getClient()).toBe(client);
        expect(message()).toMatch(UUID);
        expect(startSpan({ name: 'a' }, (one) => one.isRecording())).toBe(false);
      },
      { enabled: false, tracesSampleRate: 1 },
    );
  });

  it('enabled is true by default', async () => {
    expect((await send(message)).events).toHaveLength(1);
  });

  it.each<[title: string, options: ClientOptions, cookies: unknown, address: unknown]>([
    [
      'sendDefaultPii sends personal data, such as addresses and cookies',
      { sendDefaultPii: true },
      { theme: 'dark' },
      '127.0.0.1',
    ],
    ['sendDefaultPii is false by default, and personal data stays here', {}, undefined, undefined],
  ])('%s', async (_, options, cookies, address) => {
    const event = await sendEvent(async () => {
      const server = await serve((_, response) => {
        message();
        response.end();
      });
      await request(`${server.url}/cart`, { headers: { cookie: 'theme=dark' } });
      await server.close();
    }, options);
    expect(event.request).toMatchObject({ method: 'GET', url: expect.stringContaining('/cart') });
    expect([event.request?.cookies, event.user?.ip_address]).toEqual([cookies, address]);
    expect(event.sdk.settings).toEqual(options.sendDefaultPii ? { infer_ip: 'auto' } : undefined);
  });

  it('shutdownTimeout is the milliseconds that a shutdown waits', async () => {
    const receiver = await startReceiver({ respond: { hang: true } });
    const { status, stdout } = await runScript(
      `import { init } from 'faultline';
      // The request would take a minute; only shutdownTimeout ends the wait before the script is killed.
      init({ shutdownTimeout: 1500, transportOptions: { timeoutMillis: 60_000 } });
      const begin = performance.now();
      process.on('exit', () => console.log(performance.now() - begin));
      throw new Error('the end');`,
      { env: { FAULTLINE_DSN: receiver.dsn } },
    );
    await receiver.close();
    expect(status).toBe(1);
    expect(receiver.requests.length).toBeGreaterThan(0);
    expect(Number(stdout)).toBeGreaterThan(1490);
  });

  it('may all be left out', async () => {
    const client = init();
    expect(message()).toMatch(UUID);
    expect(await close(1000)).toBe(true);
    expect(client.settings).toMatchObject({
      environment: 'production',
      sampleRate: 1,
      maxBreadcrumbs: 100,
      maxValueLength: 250,
      normalizeDepth: 3,
      normalizeMaxBreadth: 1000,
      ignoreErrors: [],
      ignoreTransactions: [],
      allowUrls: [],
      denyUrls: [],
      propagateTraceparent: false,
      debug: false,
      enabled: true,
      sendDefaultPii: false,
      shutdownTimeout: 2000,
    });
    resetOpenTelemetry();
  });
});
