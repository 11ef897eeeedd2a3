import { createRequire } from 'node:module';
import { trace } from '@opentelemetry/api';
import { HttpInstrumentation } from '@opentelemetry/instrumentation-http';
import { UndiciInstrumentation } from '@opentelemetry/instrumentation-undici';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  addBreadcrumb,
  captureException,
  captureMessage,
  setExtra,
  setTag,
  setUser,
  startSpan,
  withIsolationScope,
} from '../../src/index.js';
import { serve } from '../integrations/http/servers.js';
import type { Receiver } from '../support/receiver.js';
import { tell } from '../support/story.js';
import { rows } from './personal-data-corpus.js';

// The most talkative that instrumentations can be told to be.
const HEADERS = [...new Set(rows.filter(({ place }) => place === 'header').map(({ shape }) => shape)), 'set-cookie'];
const headersToSpanAttributes = { requestHeaders: HEADERS, responseHeaders: HEADERS };
const instrumentations = [
  new HttpInstrumentation({
    headersToSpanAttributes: { server: headersToSpanAttributes, client: headersToSpanAttributes },
    // The receiver lives in this process.
    ignoreIncomingRequestHook: ({ url }) => url?.includes('/envelope/') === true,
    redactedQueryParams: [],
    redactedQueryParamsServer: [],
  }),
  new UndiciInstrumentation({ headersToSpanAttributes }),
];
createRequire(import.meta.url)('node:http');

/** Everything that the receiver got, as it was before it was compressed. */
let sent: string;
let sentWithPersonalData: string;

beforeAll(async () => {
  vi.stubEnv('OTEL_RESOURCE_ATTRIBUTES', 'process.command_args=--resource-secret,process.owner=resource-owner');
  vi.spyOn(console, 'log').mockImplementation(() => undefined);
  sent = await playAll(false);
  sentWithPersonalData = await playAll(true);
}, 60_000);

afterAll(() => {
  for (const one of instrumentations) one.disable();
  vi.unstubAllEnvs();
  vi.restoreAllMocks();
});

async function playAll(sendDefaultPii: boolean): Promise<string> {
  let wire = '';
  const server = await serve((incoming, response) => {
    incoming.resume().on('end', () => {
      captureException(new Error('in the request'));
      response.writeHead(200, { 'set-cookie': 'response-cookie=response-secret' }).end();
    });
  });
  await tell(
    {
      sendDefaultPii,
      tracesSampleRate: 1,
      maxValueLength: 0,
      // A fast machine plays more than a hundred rows a second, and each captures the same error.
      maxSameErrorsPerSecond: Number.POSITIVE_INFINITY,
      // The secrets are in the source of these tests.
      integrations: (defaults) => defaults.filter(({ name }) => name !== 'ContextLines'),
    },
    async () => {
      for (const one of instrumentations) {
        one.setTracerProvider(trace.getTracerProvider());
        one.enable();
      }
      for (const row of rows) {
        await withIsolationScope(async () => {
          await row.play(server);
          captureMessage(`played: ${row.place}, ${row.shape}`);
        });
      }
    },
    ({ receiver }) => {
      expectEverything(receiver);
      wire = receiver.requests.map(({ path, headers, body }) => path + JSON.stringify(headers) + body).join('\n');
    },
  );
  await server.close();
  return wire;
}

/** A secret that never came near an event would be kept easily. */
function expectEverything({ events, transactions }: Receiver): void {
  const played = events.filter(({ message }) => message?.startsWith('played: '));
  expect(played).toHaveLength(rows.length);
  const ofPlace = (place: RegExp) => rows.filter((row) => place.test(row.place)).length;
  const ofRequests = ofPlace(/header|target|URL|body|connection/);
  const inRequests = events.filter(({ exception }) => exception?.values?.at(-1)?.value === 'in the request');
  expect(inRequests).toHaveLength(ofRequests);
  const servers = transactions.filter(({ contexts }) => contexts.trace.op === 'http.server');
  expect(servers.length).toBeGreaterThanOrEqual(ofRequests);
  const clients = transactions.flatMap(({ spans }) => spans).filter(({ op }) => op === 'http.client');
  expect(clients.length).toBeGreaterThanOrEqual(ofPlace(/URL/));
}

/** Half a secret is one too. */
const tellingPartOf = (secret: string) => (secret.startsWith('leak') ? secret.slice(0, 'leak000'.length) : secret);

const table = rows.map((row) => [row.place, row.shape, row] as const);

describe('without sendDefaultPii', () => {
  it('the corpus has enough shapes of data', () => {
    expect(new Set(rows.map(({ secret }) => secret)).size).toBe(rows.length);
    expect(new Set(table.map(([place, shape]) => `${place}: ${shape}`)).size).toBeGreaterThan(100);
  });

  it.each(table)('nothing leaves of a secret: %s, %s', (_place, _shape, { secret }) => {
    expect(sent).not.toContain(tellingPartOf(secret));
  });

  it('cookies that a service sets and the arguments of its process are not sent', () => {
    expect(sent).not.toMatch(/response-secret|resource-secret|resource-owner/);
  });

  it('harmless data is sent', () => {
    for (const text of ['theme=dark', '10.0.0.1']) expect(sent).not.toContain(text);
    for (const text of ['page=2', 'https://shop.test/cb', 'user=me', '"a\\":1', 'SELECT 1 FROM a WHERE b = ?', 'cat']) {
      expect(sent).toContain(text);
    }
  });

  it('data set by the application is sent unchanged', async () => {
    let wire = '';
    await tell(
      { tracesSampleRate: 1 },
      () =>
        startSpan({ name: 'token=in-the-name', attributes: { 'shop.password': 'in-an-attribute' } }, () => {
          setTag('token', 'in-a-tag');
          setExtra('session', { password: 'in-extra' });
          setUser({ email: 'in@user.test', ip_address: '203.0.113.99' });
          addBreadcrumb({ message: 'by hand', data: { secret: 'in-a-breadcrumb' } });
          captureMessage('password=in-a-message');
        }),
      ({ receiver }) => {
        wire = receiver.requests.map(({ body }) => body.toString()).join('\n');
      },
    );
    const texts = ['in-the-name', 'in-an-attribute', 'in-a-tag', 'in-extra', 'in@user.test', '203.0.113.99'];
    for (const text of [...texts, 'in-a-breadcrumb', 'in-a-message']) expect(wire).toContain(text);
  });
});

describe('with sendDefaultPii', () => {
  const of = (isPersonal: boolean) => table.filter(([, , row]) => row.isPersonal === isPersonal);

  it.each(of(true))('personal data leaves: %s, %s', (_place, _shape, { secret }) => {
    expect(sentWithPersonalData).toContain(secret);
  });

  it.each(of(false))('no credential leaves: %s, %s', (_place, _shape, { secret }) => {
    expect(sentWithPersonalData).not.toContain(tellingPartOf(secret));
  });
});
