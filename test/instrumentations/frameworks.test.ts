import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ReceivedErrorEvent,
  type ReceivedTransaction,
  type Receiver,
  startReceiver,
} from '../support/receiver.js';
import { stopAndBalance } from '../support/services/start-service.js';
import { ALL_SETUPS, startApp } from './start-app.js';

const REQUESTS = 40;
const PARENT_ID = 'b7ad6b7169203331';

interface App {
  readonly name: string;
  readonly file: string;
  /** What is below the root of a request that goes well, as `op description`. */
  readonly spans: readonly string[];
  /** The same with other setups. */
  readonly spansWith?: { readonly [Setup in (typeof ALL_SETUPS)[number]]?: readonly string[] };
  readonly env?: Record<string, string>;
}

/** The server span of Hono's own instrumentation. */
const HONO = 'http.server GET /users/:id';
const LOAD = 'db.query load';
const WITHOUT_HTTP = { OTEL_NODE_DISABLED_INSTRUMENTATIONS: 'http' };

const APPS: readonly App[] = [
  {
    name: 'express, required',
    file: 'express.cjs',
    // Two instrumentations see a router of Express: its own, and that of the package it is made of.
    spans: [
      LOAD,
      'middleware.express middleware - jsonParser',
      'middleware.router middleware - patched',
      'middleware.router middleware - patched',
      'middleware.router middleware - patched',
      'request_handler.express request handler',
      'request_handler.router request handler - /users/:id',
      'router.express router - /:id',
    ],
  },
  {
    name: 'fastify',
    file: 'fastify.mjs',
    spans: [LOAD, 'request_handler.fastify handler - getUser', 'http request'],
  },
  {
    name: 'koa',
    file: 'koa.mjs',
    spans: [LOAD, 'router.koa router - /users/:id'],
  },
  {
    name: 'hono',
    file: 'hono.mjs',
    spans: [LOAD, HONO],
    spansWith: { plain: [LOAD, HONO] },
  },
  {
    name: 'hono without the instrumentation of http',
    file: 'hono.mjs',
    env: WITHOUT_HTTP,
    spans: [LOAD, HONO],
    spansWith: { beside: [LOAD] },
  },
  {
    name: 'nest, compiled',
    file: 'nest.cjs',
    spans: [
      LOAD,
      'handler.nestjs load',
      'middleware.express middleware - <anonymous>',
      'middleware.express middleware - jsonParser',
      'middleware.express middleware - urlencodedParser',
      'middleware.router middleware - patched',
      'middleware.router middleware - patched',
      'middleware.router middleware - patched',
      'middleware.router middleware - patched',
      'request_context.nestjs UsersController.load',
      'request_handler.express request handler',
      'request_handler.router request handler - /users/:id',
    ],
  },
];

/** Requests that end well have even ids; every third continues a trace. */
const isGood = (id: number) => id % 2 === 0;
const traceIdOf = (id: number) => (id % 3 === 0 ? id.toString(16).padStart(32, 'a') : undefined);

function headersOf(id: number): http.OutgoingHttpHeaders {
  const traceId = traceIdOf(id);
  if (!traceId) return {};
  return {
    'sentry-trace': `${traceId}-${PARENT_ID}-1`,
    baggage: `sentry-trace_id=${traceId},sentry-sampled=true`,
    traceparent: `00-${traceId}-${PARENT_ID}-01`,
  };
}

function send(url: string, id: number): Promise<{ statusCode: number | undefined; body: string }> {
  return new Promise((resolve, reject) => {
    const path = isGood(id) ? `/users/${id}` : `/users/${id}/broken`;
    http
      .get(url + path, { headers: headersOf(id) }, async (response) => {
        let body = '';
        for await (const chunk of response) body += chunk;
        resolve({ statusCode: response.statusCode, body });
      })
      .on('error', reject);
  });
}

const isRequest = ({ contexts }: ReceivedTransaction) => contexts.trace.op === 'http.server';

/** Applications that run in one process, each on a port of its own. */
interface Run {
  readonly receiver: Receiver;
  readonly urls: readonly string[];
  /** What each answered, in their order. */
  readonly bodies: readonly string[][];
}

/** Starts applications in one process, sends all requests to one after the other, and ends it. */
async function serveAll(apps: readonly App[], setup: (typeof ALL_SETUPS)[number]): Promise<Run> {
  const receiver = await startReceiver();
  const FILES = apps.map(({ file }) => file).join(' ');
  const env = { DSN: receiver.dsn, FILES, APPS: String(apps.length), ...apps[0]!.env };
  const service = await startApp('together.mjs', setup, env);
  const ids = Array.from({ length: REQUESTS }, (_, id) => id);
  const bodies: string[][] = [];
  for (const url of service.urls) {
    const answers = await Promise.all(ids.map((id) => send(url, id)));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(ids.map((id) => (isGood(id) ? 200 : 500)));
    bodies.push(answers.map(({ body }) => body));
  }
  await stopAndBalance(service, receiver);
  return { receiver, urls: service.urls, bodies };
}

describe.each(ALL_SETUPS)('with init %s', (setup) => {
  // What the environment says is for a whole process. It is about instrumentations, which are not there with `plain`.
  const groups = [APPS.filter(({ env }) => !env), setup === 'plain' ? [] : APPS.filter(({ env }) => env)];
  const runs = new Map<readonly App[], Run>();

  beforeAll(async () => {
    for (const apps of groups) if (apps.length > 0) runs.set(apps, await serveAll(apps, setup));
  });

  afterAll(async () => {
    for (const { receiver } of runs.values()) await receiver.close();
  });

  describe.each(groups.flat())('$name', (app) => {
    const { name, spans, spansWith } = app;
    let transactions: Map<number, ReceivedTransaction>;
    let errors: Map<number, ReceivedErrorEvent>;
    let events: ReceivedErrorEvent[];
    let others: ReceivedTransaction[];
    let bodies: readonly string[];

    beforeAll(() => {
      const apps = groups.find((group) => group.includes(app))!;
      const { receiver, urls, bodies: all } = runs.get(apps)!;
      const index = apps.indexOf(app);
      bodies = all[index]!;
      const isOwn = ({ request }: { request: { url: string } }) => request.url.startsWith(`${urls[index]}/`);
      const requests = receiver.transactions.filter((one) => isRequest(one) && isOwn(one));
      expect(requests).toHaveLength(REQUESTS);
      transactions = new Map(requests.map((one) => [Number(one.tags['user']), one]));
      expect(receiver.events).toHaveLength((REQUESTS / 2) * apps.length);
      events = receiver.events.filter(isOwn);
      errors = new Map(events.map((one) => [Number(one.tags['user']), one]));
      others = receiver.transactions.filter((one) => !isRequest(one));
    });

    it('sends one transaction for a request, named by its route', () => {
      expect(transactions.size).toBe(REQUESTS);
      for (const [id, { transaction, transaction_info, contexts, user }] of transactions) {
        expect(transaction).toBe(isGood(id) ? 'GET /users/:id' : 'GET /users/:id/broken');
        expect(transaction_info).toEqual({ source: 'route' });
        expect(contexts.trace).toMatchObject({ op: 'http.server', status: isGood(id) ? 'ok' : 'internal_error' });
        expect(user).toEqual({ id: `user-${id}` });
      }
    });

    // Hono's instrumentation reads the route when the handler has returned.
    const knowsRouteInHandler = setup === 'plain' || !name.startsWith('hono');
    if (knowsRouteInHandler) {
      it('names the route in the baggage of what it calls', () => {
        for (const [id, body] of bodies.entries()) {
          if (!isGood(id) || traceIdOf(id)) continue;
          expect(JSON.parse(body).baggage).toContain(`sentry-transaction=${encodeURIComponent('GET /users/:id')}`);
        }
      });
    }

    it('sends no transaction of the start of the application', () => {
      expect(others.map(({ transaction }) => transaction)).toEqual([]);
    });

    it('names the instrumentation that created a span, by its op, as its origin', () => {
      for (const { contexts, spans: received } of transactions.values()) {
        expect(contexts.trace.origin).toMatch(/^auto\.http\.(server|otel\.(http|hono))$/);
        for (const { op, origin } of received) {
          const framework = op?.split('.')[1];
          if (/^(middleware|request_handler|router|handler|request_context)\./.test(op ?? '')) {
            expect(origin).toBe(`auto.http.otel.${framework}`);
          }
          if (op === 'db.query') expect(origin).toBe('manual');
        }
      }
    });

    it('sends what ran within the request, each below another', () => {
      for (const [id, { spans: received, contexts }] of transactions) {
        const { trace_id, span_id } = contexts.trace;
        const ids = new Set([span_id, ...received.map((span) => span.span_id)]);
        expect(received.every((span) => span.trace_id === trace_id && ids.has(span.parent_span_id))).toBe(true);
        if (!isGood(id)) continue;
        expect(received.map((span) => `${span.op ?? '-'} ${span.description}`).sort()).toEqual(
          [...(spansWith?.[setup] ?? (setup === 'plain' ? [LOAD] : spans))].sort(),
        );
        expect(new Set(received.map(({ status }) => status))).toEqual(new Set(['ok']));
      }
    });

    it('continues the traces that come in, and begins others', () => {
      const begun = new Set<string>();
      for (const [id, { contexts }] of transactions) {
        const { trace_id, parent_span_id } = contexts.trace;
        if (traceIdOf(id)) {
          expect([trace_id, parent_span_id]).toEqual([traceIdOf(id), PARENT_ID]);
        } else {
          expect(parent_span_id).toBeUndefined();
          begun.add(trace_id);
        }
      }
      expect(begun.size).toBe([...transactions.keys()].filter((id) => !traceIdOf(id)).length);
    });

    it('sends errors with the trace, the user and the tag of their own request, and of no other', () => {
      expect(events).toHaveLength(REQUESTS / 2);
      expect(errors.size).toBe(REQUESTS / 2);
      for (const [id, { exception, user, tags, transaction, contexts, request }] of errors) {
        const own = transactions.get(id)!;
        expect(exception.values.at(-1)?.value).toBe(`no user ${id}`);
        expect([user, tags]).toEqual([{ id: `user-${id}` }, { user: String(id) }]);
        expect(request.url).toContain(`/users/${id}/broken`);
        expect(transaction).toBe(own.transaction);
        expect(contexts.trace.trace_id).toBe(own.contexts.trace.trace_id);
        const ids = [own.contexts.trace.span_id, ...own.spans.map(({ span_id }) => span_id)];
        expect(ids).toContain(contexts.trace.span_id);
      }
    });
  });
});
