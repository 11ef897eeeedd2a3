import http from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as sleep } from 'node:timers/promises';
import { context, trace } from '@opentelemetry/api';
import { afterEach, expect, it } from 'vitest';
import { getClient } from '../../../../src/context/current-scopes.js';
import {
  type ClientOptions,
  captureMessage,
  type Event,
  FaultlineContextManager,
  getActiveSpan,
  getCurrentScope,
  getIsolationScope,
  getTraceData,
  init,
  setTag,
  startSpan,
} from '../../../../src/index.js';
import { type HttpServerOptions, httpServerIntegration } from '../../../../src/integrations/http/server/http-server.js';
import { requestDataIntegration } from '../../../../src/integrations/http/server/request-data.js';
import type { ReceivedErrorEvent } from '../../../support/receiver.js';
import { resetOpenTelemetry, type Stage, tell } from '../../../support/story.js';
import { exchange, listen, request, serve, serveSecurely, type TestServer, tlsClientOptions } from '../servers.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';

const express = createRequire(import.meta.url)('express');

const servers: TestServer[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((one) => one.close()));
});
const started = async (server: Promise<TestServer>) => {
  servers.push(await server);
  return servers.at(-1)!;
};

interface Given extends HttpServerOptions {
  options?: ClientOptions;
}

/** The events of a story with a client that isolates requests. */
async function eventsOf(story: (stage: Stage) => unknown, { options, ...own }: Given = {}) {
  let events: ReceivedErrorEvent[] = [];
  await tell(
    { defaultIntegrations: false, integrations: [httpServerIntegration(own), requestDataIntegration()], ...options },
    story,
    ({ receiver }) => {
      events = [...receiver.events];
    },
  );
  return events;
}

/** Answers after a while in which other requests come in. */
const tagAndCapture: http.RequestListener = async (incoming, response) => {
  setTag('path', incoming.url);
  await sleep(Math.random() * 5);
  captureMessage(incoming.url!);
  response.end();
};

function expectIsolated(events: ReceivedErrorEvent[], count: number) {
  expect(events).toHaveLength(count);
  for (const event of events) {
    expect(event.tags).toEqual({ path: event.message });
    expect(event.transaction).toBe(`GET ${event.message}`);
  }
  expect(new Set(events.map(({ contexts }) => contexts.trace.trace_id)).size).toBe(count);
}

it('concurrent requests have scopes and traces of their own', async () => {
  const COUNT = 100;
  const events = await eventsOf(async () => {
    const { url } = await started(serve(tagAndCapture));
    await Promise.all(Array.from({ length: COUNT }, (_, i) => request(`${url}/${i}`)));
    expect(getIsolationScope().getScopeData().tags).toEqual({});
  });
  expectIsolated(events, COUNT);
});

it('so have requests that come on one connection without waiting for answers', async () => {
  const events = await eventsOf(async () => {
    const { port } = await started(serve(tagAndCapture));
    const paths = Array.from({ length: 20 }, (_, i) => `GET /${i} HTTP/1.1\r\nHost: a\r\n`);
    await exchange(port, `${paths.join('\r\n')}Connection: close\r\n\r\n`);
  });
  expectIsolated(events, 20);
});

it('so have those of several servers, also of https', async () => {
  const events = await eventsOf(async () => {
    const plain = await started(serve(tagAndCapture));
    const secure = await started(serveSecurely(tagAndCapture));
    await Promise.all([request(`${plain.url}/a`), request(`${secure.url}/b`, tlsClientOptions)]);
  });
  expectIsolated(events, 2);
  expect(events.map(({ request: one }) => one?.url?.slice(0, 6)).sort()).toEqual(['http:/', 'https:']);
});

it('so have those that wait for a 100 Continue', async () => {
  const events = await eventsOf(async () => {
    const { url } = await started(serve(tagAndCapture));
    await Promise.all(['/a', '/b'].map((path) => request(url + path, { headers: { expect: '100-continue' } })));
  });
  expectIsolated(events, 2);
});

it('other events of a server are left alone', async () => {
  await eventsOf(async () => {
    const server = http.createServer().on('checkContinue', (_, response) => response.writeHead(417).end());
    const { url } = await started(listen(server));
    server.on('request', (_, response) => response.end());
    await request(url);
    expect((await request(url, { method: 'POST', headers: { expect: '100-continue' } })).statusCode).toBe(417);
    expect(server.emit('nothing')).toBe(false);
  });
});

it.each(['request', 'checkContinue', 'connect', 'upgrade', 'stream'])(
  'an application may emit `%s` with arguments of its own, which are passed on',
  async (event) => {
    await eventsOf(async () => {
      const received: unknown[] = [];
      const server = http.createServer((incoming, response) => {
        // Calls this listener, too, where the event is `request`.
        if (!(incoming instanceof http.IncomingMessage)) return;
        server.on(event, (...args) => received.push(args));
        for (const args of [[], ['a'], [{}], [null, {}]]) server.emit(event, ...args);
        response.end();
      });
      const { url } = await started(listen(server));
      expect((await request(url)).statusCode).toBe(200);
      expect(received).toEqual([[], ['a'], [{}], [null, {}]]);
    });
  },
);

it('status codes that are none are left out of ignoreStatusCodes, and the others apply', async () => {
  const ignoreStatusCodes = [null, '404', [300], [400, '404'], 204, [500, 503]] as never;
  await tell(
    {
      defaultIntegrations: false,
      integrations: [httpServerIntegration({ spans: true, ignoreStatusCodes })],
      tracesSampleRate: 1,
      quiet: true,
    },
    async () => {
      const { url } = await started(
        serve((incoming, response) => response.writeHead(Number(incoming.url!.slice(1))).end()),
      );
      for (const status of [200, 204, 404, 503]) await request(`${url}/${status}`);
    },
    ({ receiver }) => {
      const statuses = receiver.transactions.map(({ contexts }) => contexts['response']?.['status_code']);
      expect(statuses).toEqual([200, 404]);
    },
  );
});

it('a listener that emits the request again stays in its scope', async () => {
  await eventsOf(async () => {
    const scopes = () => [getIsolationScope(), getCurrentScope().getPropagationContext().traceId];
    const { server, url } = await started(
      serve((incoming, response) => {
        const outer = scopes();
        server.removeAllListeners('request').once('request', () => {
          response.end(String(scopes().every((one, i) => one === outer[i])));
        });
        server.emit('request', incoming, response);
      }),
    );
    expect((await request(url)).body).toBe('true');
  });
});

it('an exception of a listener goes where it went before', async () => {
  await eventsOf(async () => {
    const { server, url } = await started(
      serve((_, response) => {
        response.end();
      }),
    );
    await request(url);
    server.on('request', () => {
      throw new Error('listener');
    });
    const incoming = new http.IncomingMessage(null as never);
    expect(() => server.emit('request', incoming, new http.ServerResponse(incoming))).toThrow('listener');
  });
});

it('a request continues the trace of its headers', async () => {
  const events = await eventsOf(
    async () => {
      const { url } = await started(
        serve((_, response) => {
          captureMessage('outside');
          startSpan({ name: 'job' }, () => captureMessage('inside'));
          response.end();
        }),
      );
      await request(url, {
        headers: {
          'sentry-trace': `${TRACE_ID}-${SPAN_ID}-1`,
          baggage: `sentry-trace_id=${TRACE_ID},sentry-sample_rand=0.5`,
        },
      });
    },
    { options: { tracesSampleRate: 1 } },
  );
  const [outside, inside] = events.map(({ contexts }) => contexts.trace);
  expect(outside).toMatchObject({ trace_id: TRACE_ID, parent_span_id: SPAN_ID });
  expect(inside).toMatchObject({ trace_id: TRACE_ID, parent_span_id: outside?.span_id });
});

it.each([
  ['sentry-trace', { 'sentry-trace': `${TRACE_ID}-${SPAN_ID}` }],
  ['traceparent', { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` }],
])('with tracing off, errors are connected to the caller by its %s', async (_, headers) => {
  const [event] = await eventsOf(async () => {
    const { url } = await started(
      serve((incoming, response) => {
        captureMessage(incoming.url!);
        response.end();
      }),
    );
    await request(url, { headers });
  });
  expect(event?.contexts.trace).toMatchObject({ trace_id: TRACE_ID, parent_span_id: SPAN_ID });
});

it.each([
  ['without a rate', {}],
  ['with a rate of 0', { tracesSampleRate: 0 }],
])('%s, an error and the headers of a request have the id of the active span, whoever made it', async (_, options) => {
  const active: { traceId: string; spanId: string; header: string | undefined }[] = [];
  const noteInSpan = () => {
    captureMessage('in a span');
    active.push({ ...getActiveSpan()!.spanContext(), header: getTraceData()['sentry-trace']!.split('-')[1] });
  };
  const events = await eventsOf(
    async () => {
      const { url } = await started(
        serve((_incoming, response) => {
          trace.getTracer('shop').startActiveSpan('of a tracer', noteInSpan);
          startSpan({ name: 'outer' }, () => startSpan({ name: 'inner' }, noteInSpan));
          response.end();
        }),
      );
      await request(url);
    },
    { options },
  );
  expect(events.map(({ contexts: { trace } }) => trace)).toMatchObject(
    active.map(({ traceId, spanId }) => ({ trace_id: traceId, span_id: spanId })),
  );
  expect(active.map(({ header }) => header)).toEqual(active.map(({ spanId }) => spanId));
});

it('where OpenTelemetry is set up by the application, events are connected to the caller and the application decides about spans', async () => {
  let parent: unknown = 'not asked';
  const [event] = await eventsOf(
    async () => {
      context.setGlobalContextManager(new FaultlineContextManager().enable());
      const { url } = await started(
        serve((_, response) => {
          parent = trace.getSpanContext(context.active());
          captureMessage('here');
          response.end();
        }),
      );
      await request(url, { headers: { 'sentry-trace': `${TRACE_ID}-${SPAN_ID}-1` } });
    },
    { options: { skipOpenTelemetrySetup: true } },
  );
  expect(parent).toBeUndefined();
  expect(event?.contexts.trace).toMatchObject({ trace_id: TRACE_ID, parent_span_id: SPAN_ID });
});

it('an event outside of a span is named after its request, or the route of a router like that of Express', async () => {
  const events = await eventsOf(async () => {
    const { url } = await started(
      serve((incoming, response) => {
        captureMessage('path');
        Object.assign(incoming, { originalUrl: incoming.url, baseUrl: '/api', route: { path: '/users/:id' } });
        captureMessage('route');
        getCurrentScope().setTransactionName('mine');
        captureMessage('own');
        response.end();
      }),
    );
    await request(`${url}/api/users/7?a=1`);
  });
  expect(events.map(({ transaction }) => transaction)).toEqual(['GET /api/users/7', 'GET /api/users/:id', 'mine']);
});

it('an event has the URL that the client has sent, also when the application has assigned another one', async () => {
  const [event] = await eventsOf(async () => {
    const { url } = await started(
      serve((incoming, response) => {
        incoming.url = '/7';
        captureMessage('mounted');
        response.end();
      }),
    );
    await request(`${url}/shops/7?a=1`);
  });
  expect(event).toMatchObject({ transaction: 'GET /shops/7', request: { query_string: 'a=1' } });
  expect(event?.request?.url).toMatch(/\/shops\/7$/);
});

it('an event has the URL that the client has sent, and the route of Express, also when it was rewritten before Express', async () => {
  const app = express();
  const shops = express.Router();
  shops.get('/:id', (_: unknown, response: http.ServerResponse) => {
    captureMessage('routed');
    response.end();
  });
  app.use('/new', shops);
  const [event] = await eventsOf(async () => {
    const { url } = await started(
      serve((incoming, response) => {
        incoming.url = incoming.url!.replace('/old/any', '/new');
        app(incoming, response);
      }),
    );
    await request(`${url}/old/any/7?a=1`);
  });
  expect(event).toMatchObject({ transaction: 'GET /new/:id', request: { query_string: 'a=1' } });
  expect(event?.request?.url).toMatch(/\/old\/any\/7$/);
});

it('closing takes everything back from servers that go on', async () => {
  const { server, url } = await started(serve((_, response) => void response.end(String(getClient() !== undefined))));
  const { emit } = server;
  for (let i = 0; i < 3; i++) {
    await eventsOf(async () => {
      await request(url);
      expect(server.emit).not.toBe(emit);
      expect(Object.keys(server)).not.toContain('emit');
    });
    expect(Object.hasOwn(server, 'emit')).toBe(false);
    expect(server.emit).toBe(emit);
  }
});

it('an emit of the server itself is used and put back, and one wrapped around ours stays', async () => {
  const calls: string[] = [];
  const isolations: unknown[] = [];
  const { server, url } = await started(serve(tagAndCapture));
  server.on('request', () => isolations.push(getIsolationScope()));
  const own: http.Server['emit'] = function (this: http.Server, event: string, ...args: unknown[]) {
    if (event === 'request') calls.push('own');
    return Reflect.apply(http.Server.prototype.emit, this, [event, ...args]);
  };
  server.emit = own;
  const events = await eventsOf(() => request(`${url}/a`));
  expectIsolated(events, 1);
  expect(server.emit).toBe(own);

  const client = init({ defaultIntegrations: false, integrations: [httpServerIntegration()] });
  await request(`${url}/b`);
  const ours = server.emit;
  const around = function (this: http.Server, ...args: unknown[]) {
    return Reflect.apply(ours, this, args);
  };
  server.emit = around;
  await request(`${url}/c`);
  await client.close();
  expect(server.emit).toBe(around);
  await request(`${url}/d`);
  resetOpenTelemetry();
  expect(calls).toEqual(['own', 'own', 'own', 'own']);
  expect(isolations.map((one) => one === getIsolationScope())).toEqual([false, false, false, true]);
});

const BODY = JSON.stringify({ items: ['a', 'b'] });

/** Answers with the body it has read, after capturing a message. */
const echo: http.RequestListener = async (incoming, response) => {
  let body = '';
  for await (const chunk of incoming) body += chunk;
  captureMessage('read');
  response.end(body);
};

it.each<[what: string, given: Given, options: http.RequestOptions, body: string | Buffer, kept: string | undefined]>([
  ['a body', {}, {}, BODY, BODY],
  ['a body of another type of text', {}, { headers: { 'content-type': 'text/plain' } }, 'hello', 'hello'],
  ['a chunked body', {}, { headers: { 'transfer-encoding': 'chunked' } }, BODY, BODY],
  ['a body over the bound', {}, {}, 'x'.repeat(10_001), `${'x'.repeat(9997)}...`],
  ['a body at the bound', {}, {}, 'x'.repeat(10_000), 'x'.repeat(10_000)],
  ['with small', { maxIncomingRequestBodySize: 'small' }, {}, 'x'.repeat(1001), `${'x'.repeat(997)}...`],
  ['a body cut within a character', {}, {}, 'ä'.repeat(5001), `${'ä'.repeat(4998)}...`],
  ['with always', { maxIncomingRequestBodySize: 'always' }, {}, 'x'.repeat(1_048_576), 'x'.repeat(1_048_576)],
  [
    'with always, over the bound',
    { maxIncomingRequestBodySize: 'always' },
    {},
    'x'.repeat(1_100_000),
    `${'x'.repeat(1_048_573)}...`,
  ],
  ['with none', { maxIncomingRequestBodySize: 'none' }, {}, BODY, undefined],
  ['with what is no size', { maxIncomingRequestBodySize: 'huge' as never }, {}, BODY, BODY],
  ['bytes', {}, { headers: { 'content-type': 'image/png' } }, Buffer.alloc(10), undefined],
  ['compressed text', {}, { headers: { 'content-encoding': 'gzip' } }, Buffer.alloc(10), undefined],
  ['no body', {}, {}, '', undefined],
])(
  'events carry the beginning of a body, which the application reads unharmed: %s',
  async (_, given, options, body, kept) => {
    const [event] = await eventsOf(async () => {
      const { url } = await started(serve(echo));
      expect((await request(url, { method: 'POST', ...options }, body)).body).toBe(String(body));
    }, given);
    expect(event?.request?.data).toBe(kept);
  },
);

it.each([
  ['small', 1000],
  ['medium', 10_000],
  ['always', 1_048_576],
] as const)('%s keeps a body of %d bytes whole, and cuts a longer one to that', async (size, limitBytes) => {
  const whole = JSON.stringify({ items: 'x'.repeat(limitBytes - JSON.stringify({ items: '' }).length) });
  const events = await eventsOf(
    async () => {
      const { url } = await started(serve(echo));
      const headers = { 'content-type': 'application/json' };
      for (const body of [whole, `${whole} `]) await request(url, { method: 'POST', headers }, body);
    },
    { maxIncomingRequestBodySize: size },
  );
  const kept = events.map((event) => String(event?.request?.data));
  expect(kept.map((body) => Buffer.byteLength(body))).toEqual([limitBytes, limitBytes]);
  // No comparison that would print a body of 1 MiB.
  expect(kept.includes(whole)).toBe(true);
  expect(kept.includes(`${whole.slice(0, limitBytes - 3)}...`)).toBe(true);
});

it('an event carries what had arrived of the body when it was captured', async () => {
  const [event] = await eventsOf(async () => {
    const { url } = await started(
      serve((incoming, response) => {
        incoming.once('data', () => {
          captureMessage('first chunk');
          incoming.resume().on('end', () => response.end());
        });
      }),
    );
    await new Promise((resolve) => {
      const outgoing = http.request(url, { method: 'POST', agent: false }, (response) =>
        response.resume().on('end', resolve),
      );
      outgoing.write('first');
      setTimeout(() => outgoing.end('second'), 30);
    });
  });
  expect(event?.request?.data).toBe('first');
});

it('requests that are served while the client closes have their own scopes', async () => {
  const seen: Event[] = [];
  const beforeSend = (event: Event) => {
    seen.push(event);
    return event;
  };
  await tell(
    { defaultIntegrations: false, integrations: [httpServerIntegration()], beforeSend },
    async ({ client, receiver }) => {
      const { url } = await started(
        serve(async (incoming, response) => {
          setTag('path', incoming.url);
          await sleep(5);
          captureMessage(incoming.url!);
          response.end();
        }),
      );
      receiver.respondWith({ delayMillis: 300 });
      await request(`${url}/before`);
      const closing = client.close(5000);
      await Promise.all(Array.from({ length: 10 }, (_, i) => request(`${url}/${i}`)));
      await closing;
    },
  );
  expect(seen).toHaveLength(11);
  for (const { message, tags } of seen) expect(tags).toEqual({ path: message });
});
