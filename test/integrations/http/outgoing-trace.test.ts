import type { IncomingHttpHeaders } from 'node:http';
import { createRequire } from 'node:module';
import { context, propagation, trace } from '@opentelemetry/api';
import type { Instrumentation } from '@opentelemetry/instrumentation';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { afterEach, describe, expect, it } from 'vitest';
import { type ClientOptions, init, startSpan } from '../../../src/index.js';
import { startExistingSetup } from '../../support/existing-setup.js';
import { resetOpenTelemetry, tell } from '../../support/story.js';
import { request, serve } from './servers.js';

const endings: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

const require = createRequire(import.meta.url);

// A module is instrumented when it is loaded, and only then: one instance serves all tests.
const ofHttp = new HttpInstrumentation();
require('node:http');
ofHttp.disable();
const ofUndici = new UndiciInstrumentation();
ofUndici.disable();

type Send = (url: string, headers?: Record<string, string>) => Promise<unknown>;
const viaHttp: Send = (url, headers) => request(url, { headers });
const viaFetch: Send = (url, headers) => fetch(url, { headers }).then((response) => response.text());

const CLIENTS: [client: string, send: Send, instrumentation: Instrumentation | undefined][] = [
  ['node:http', viaHttp, undefined],
  ['node:http with the instrumentation of OpenTelemetry', viaHttp, ofHttp],
  ['fetch', viaFetch, undefined],
  ['fetch with the instrumentation of OpenTelemetry', viaFetch, ofUndici],
];

const inSpan = (work: () => unknown) => startSpan({ name: 'job' }, work);
const alone = (work: () => unknown) => work();

const TRACING: [tracing: string, options: ClientOptions, around: (work: () => unknown) => unknown][] = [
  ['tracing is off', {}, alone],
  ['tracing is off, in a span', {}, inSpan],
  ['the trace is not sampled', { tracesSampleRate: 0 }, inSpan],
  ['the request has no parent', { tracesSampleRate: 1 }, alone],
  ['the trace is sampled', { tracesSampleRate: 1 }, inSpan],
];

interface Case {
  send: Send;
  instrumentation: Instrumentation | undefined;
  options: ClientOptions;
  around: (work: () => unknown) => unknown;
  isBeside: boolean;
}

const CASES: [title: string, given: Case][] = CLIENTS.flatMap(([client, send, instrumentation]) =>
  TRACING.flatMap(([tracing, options, around]) =>
    [false, true].map((isBeside): [string, Case] => [
      `${client}, when ${tracing}, ${isBeside ? 'beside an existing setup' : 'with init alone'}`,
      { send, instrumentation, options, around, isBeside },
    ]),
  ),
);

/** The headers of one request as they were on the wire, by name: each value, also of a header that is there twice. */
async function headersOf(
  { send, instrumentation, options, around, isBeside }: Case,
  more: (url: string) => ClientOptions,
  headers?: Record<string, string>,
): Promise<Record<string, string[]>> {
  const received: Record<string, string[]> = {};
  const server = await serve((incoming, response) => {
    const raw = incoming.rawHeaders;
    for (let i = 0; i < raw.length; i += 2) {
      const name = raw[i]!.toLowerCase();
      received[name] = [...(received[name] ?? []), raw[i + 1]!];
    }
    response.end();
  });
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    transport: () => ({ send: async () => ({ statusCode: 200 }), flush: async () => true }),
    skipOpenTelemetrySetup: isBeside,
    ...options,
    ...more(server.url),
  });
  endings.push(
    () => server.close(),
    resetOpenTelemetry,
    () => client.close(1000),
  );
  if (isBeside) startExistingSetup();
  if (instrumentation) {
    instrumentation.setTracerProvider(trace.getTracerProvider());
    instrumentation.enable();
    endings.push(() => instrumentation.disable());
  }
  await around(() => send(server.url, headers));
  return received;
}

describe.each(CASES)('%s', (_, given) => {
  it('no trace header leaves for a URL that tracePropagationTargets does not name', async () => {
    for (const tracePropagationTargets of [[], ['https://other.example.com']]) {
      const received = await headersOf(given, () => ({ tracePropagationTargets, propagateTraceparent: true }));
      expect(Object.keys(received)).not.toContain('sentry-trace');
      expect(Object.keys(received)).not.toContain('baggage');
      // Beside an existing setup, `traceparent` is the header of its own propagator.
      if (!given.isBeside) expect(Object.keys(received)).not.toContain('traceparent');
    }
  });

  it('each trace header leaves once for a URL that it names', async () => {
    const received = await headersOf(given, (url) => ({ tracePropagationTargets: [url] }));
    expect(received['sentry-trace']).toEqual([expect.stringMatching(/^[0-9a-f]{32}-[0-9a-f]{16}(-[01])?$/)]);
    const [traceId] = received['sentry-trace']![0]!.split('-');
    expect(received['baggage']).toEqual([expect.stringContaining(`sentry-trace_id=${traceId}`)]);
  });

  it.each([['sentry-trace'], ['Sentry-Trace']])(
    'a %s of the application stays, and so does its baggage',
    async (name) => {
      const own = { [name]: '0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1', Baggage: 'tenant=7' };
      const received = await headersOf(given, () => ({}), own);
      expect(received['sentry-trace']).toEqual(['0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-1']);
      expect(received['baggage']).toEqual(['tenant=7']);
    },
  );

  it('baggage of the application is joined in one header', async () => {
    const received = await headersOf(given, () => ({}), { Baggage: 'tenant=7' });
    expect(received['baggage']).toEqual([expect.stringMatching(/^tenant=7,sentry-/)]);
  });
});

describe.each(CLIENTS.filter(([, , instrumentation]) => !instrumentation))('%s', (_, send, instrumentation) => {
  const given: Case = { send, instrumentation, options: {}, around: alone, isBeside: false };

  it.each<[what: string, targets: (string | RegExp)[], sent: boolean]>([
    ['a part of the URL', ['/yes?'], true],
    ['a pattern', [/^http:\/\/127\.0\.0\.1:\d+\/yes\?a=1$/], true],
    ['another URL', ['example.com'], false],
    ['nothing', [], false],
  ])('trace headers leave with tracePropagationTargets that name %s', async (_what, tracePropagationTargets, sent) => {
    const toYes: Send = (url, headers) => send(`${url}/yes?a=1`, headers);
    const received = await headersOf({ ...given, send: toYes }, () => ({ tracePropagationTargets }));
    expect('sentry-trace' in received).toBe(sent);
  });

  it('the headers of a request that a proxy passes on name the proxy', async () => {
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    const caller = { 'sentry-trace': `${traceId}-b7ad6b7169203331-1`, baggage: 'tenant=a' };
    const received: IncomingHttpHeaders[] = [];
    await tell(
      { tracesSampleRate: 1 },
      async () => {
        const target = await serve(({ headers }, response) => {
          received.push(headers);
          response.end();
        });
        const proxy = await serve(({ headers: { 'sentry-trace': sentryTrace, baggage } }, response) => {
          const passedOn = { 'sentry-trace': String(sentryTrace), baggage: String(baggage) };
          void send(target.url, passedOn).finally(() => response.end());
        });
        await request(proxy.url, { headers: caller });
        for (const server of [proxy, target]) await server.close();
      },
      ({ receiver }) => {
        const spans = receiver.transactions.flatMap((transaction) => transaction.spans ?? []);
        const [span] = spans.filter(({ op, trace_id }) => op === 'http.client' && trace_id === traceId);
        expect(received[0]!['sentry-trace']).toBe(`${traceId}-${span!.span_id}-1`);
        expect(received[0]!.baggage).toContain('tenant=a');
      },
    );
  });

  it('traceparent leaves with propagateTraceparent, and never replaces one of the application', async () => {
    const own = await headersOf(given, () => ({ propagateTraceparent: true }), { traceparent: 'given' });
    expect(own['traceparent']).toEqual(['given']);
    const received = await headersOf(given, () => ({ propagateTraceparent: true }));
    expect(received['traceparent']).toEqual([expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-0[01]$/)]);
  });
});

describe('a carrier that is no request', () => {
  it('gets no trace headers when tracePropagationTargets is set, as it has no URL', () => {
    const client = init({ dsn: 'http://key@127.0.0.1:1/1', tracesSampleRate: 1, tracePropagationTargets: ['orders'] });
    endings.push(resetOpenTelemetry, () => client.close(1000));
    const carrier = {};
    inSpan(() => propagation.inject(context.active(), carrier));
    expect(carrier).toEqual({});
  });

  it('may be used again: each injection replaces the one before', () => {
    const client = init({ dsn: 'http://key@127.0.0.1:1/1', tracesSampleRate: 1 });
    endings.push(resetOpenTelemetry, () => client.close(1000));
    const carrier: Record<string, string> = {};
    const ids = ['a', 'b'].map((name) =>
      startSpan({ name }, (span) => {
        propagation.inject(context.active(), carrier);
        return `${span.spanContext().traceId}-${span.spanContext().spanId}-1`;
      }),
    );
    expect(carrier['sentry-trace']).toBe(ids[1]);
    expect(carrier['baggage']?.match(/sentry-trace_id=/g)).toHaveLength(1);
  });
});
