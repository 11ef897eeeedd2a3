import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type ReceivedErrorEvent,
  type ReceivedTransaction,
  type Receiver,
  startReceiver,
} from '../support/receiver.js';
import { stopAndBalance } from '../support/services/start-service.js';
import { startHttp } from './servers/http.mjs';
import { startMongo } from './servers/mongodb.mjs';
import { startPostgres } from './servers/postgres.mjs';
import { startRedis } from './servers/redis.mjs';
import { SETUPS, startApp } from './start-app.js';

const REQUESTS = 20;
const HTTP_CLIENTS = ['undici', 'fetch', 'http'] as const;

/** What is below the handler when each client has been used once for the user 7, as `op description`. */
const SPANS: Readonly<Record<string, (id: string, otherUrl: string) => string[]>> = {
  pg: () => ['db pg-pool.connect', 'db SELECT id FROM users WHERE id = $1'],
  redis: (id) => [`db SET user:${id} [1 other arguments]`, `db GET user:${id}`],
  ioredis: (id) => [`db set visitor:${id} [1 other arguments]`, `db get visitor:${id}`],
  mongodb: () => ['db {"_id":"?"}', 'db {"find":"?","filter":{"_id":"?"},"limit":"?","singleBatch":"?"}'],
  undici: (id, url) => [`http.client GET ${url}/users/${id}`],
  fetch: (id, url) => [`http.client GET ${url}/users/${id}`],
  http: (id, url) => [`http.client GET ${url}/users/${id}`],
  pino: () => [],
};
const CLIENTS = Object.keys(SPANS);

/** Origins of the spans of each client. */
const ORIGINS: Readonly<Record<string, string>> = {
  pg: 'auto.db.otel.postgres',
  redis: 'auto.db.otel.redis',
  ioredis: 'auto.db.otel.redis',
  mongodb: 'auto.db.otel.mongo',
  undici: 'auto.http.otel.node_fetch',
  fetch: 'auto.http.otel.node_fetch',
  http: 'auto.http.otel.http',
};

/** Spans of the framework, and of connections, which are made when they are needed. */
const ELSEWHERE = /^(middleware|request_handler)\.|^- (tcp\.connect|dns\.lookup)|^db pg\.connect/;

let servers: Awaited<ReturnType<typeof startServers>>;

/** PostgreSQL is the real one; Redis and MongoDB are stand-ins that speak their protocols. */
async function startServers() {
  const [postgres, redis, mongo, other] = await Promise.all([startPostgres(), startRedis(), startMongo(), startHttp()]);
  return { postgres, redis, mongo, other };
}

beforeAll(async () => {
  servers = await startServers();
});
afterAll(() => Promise.all(Object.values(servers).map((server) => server.close())));

const isRequest = ({ contexts }: ReceivedTransaction) => contexts.trace.op === 'http.server';

interface Exchange {
  readonly id: string;
  /** Of the route. */
  readonly answer: unknown;
  readonly transaction: ReceivedTransaction;
  /** The message that the route ends with. */
  readonly event: ReceivedErrorEvent;
}

describe.each(SETUPS)('with init %s', (setup) => {
  let receiver: Receiver;
  const exchanges: Record<string, Exchange[]> = {};

  beforeAll(async () => {
    receiver = await startReceiver();
    const service = await startApp('clients.mjs', setup, {
      DSN: receiver.dsn,
      POSTGRES_URL: servers.postgres.url,
      REDIS_URL: servers.redis.url,
      MONGO_URL: servers.mongo.url,
      HTTP_URL: servers.other.url,
    });
    const ids = Array.from({ length: REQUESTS }, (_, id) => String(id));
    const work = ids.flatMap((id) => CLIENTS.map((client) => ({ client, id })));
    const answers = await Promise.all(
      work.map(async ({ client, id }) => (await fetch(`${service.url}/${client}/${id}`)).json() as Promise<unknown>),
    );
    await stopAndBalance(service, receiver);
    for (const [i, { client, id }] of work.entries()) {
      const [event, ...furtherEvents] = receiver.events.filter(({ message }) => message === `${client} ${id}`);
      const [transaction, ...further] = receiver.transactions.filter(
        (one) => isRequest(one) && one.contexts.trace.trace_id === event?.contexts.trace.trace_id,
      );
      expect([event, transaction]).not.toContain(undefined);
      expect([further, furtherEvents]).toEqual([[], []]);
      exchanges[client] ??= [];
      exchanges[client].push({ id, answer: answers[i], event: event!, transaction: transaction! });
    }
  });

  afterAll(() => receiver.close());

  it('sends one transaction for a request, and one event, which do not mix', () => {
    expect(receiver.transactions.filter(isRequest)).toHaveLength(REQUESTS * CLIENTS.length);
    // Pools connect for a later request when the one that asked for it is over: such spans are late children.
    for (const { transaction, contexts } of receiver.transactions.filter((one) => !isRequest(one))) {
      expect(transaction).toMatch(/^(redis-connect|tcp\.connect|dns\.lookup)$/);
      expect(contexts.trace.parent_span_id).toBeDefined();
    }
    expect(receiver.events).toHaveLength(REQUESTS * CLIENTS.length);
    for (const client of CLIENTS) {
      for (const { id, event, transaction } of exchanges[client]!) {
        expect(transaction.transaction).toBe(`GET /${client}/:id`);
        expect(transaction.transaction_info).toEqual({ source: 'route' });
        for (const { tags, user } of [event, transaction]) {
          expect([tags, user]).toEqual([{ user: id }, { id: `user-${id}` }]);
        }
      }
    }
  });

  it.each(CLIENTS)('places the spans of %s below the handler that used it', (client) => {
    for (const { id, transaction } of exchanges[client]!) {
      const { span_id, trace_id } = transaction.contexts.trace;
      const ids = new Set([span_id, ...transaction.spans.map((span) => span.span_id)]);
      const handler = transaction.spans.find(({ description }) => description === `request handler - /${client}/:id`);
      expect(transaction.spans.every((span) => span.trace_id === trace_id && ids.has(span.parent_span_id))).toBe(true);
      const own = transaction.spans.filter((span) => !ELSEWHERE.test(`${span.op ?? '-'} ${span.description}`));
      expect(own.map(({ op, description }) => `${op} ${description}`)).toEqual(SPANS[client]!(id, servers.other.url));
      for (const { status, parent_span_id, origin } of own) {
        expect([status, parent_span_id, origin]).toEqual(['ok', handler?.span_id, ORIGINS[client]]);
      }
    }
  });

  it.each(HTTP_CLIENTS)('sends each trace header once with %s, naming the span of the call', (client) => {
    for (const { answer, transaction } of exchanges[client]!) {
      const raw = answer as string[];
      const valuesOf = (name: string) => raw.filter((_, i) => i % 2 === 1 && raw[i - 1]!.toLowerCase() === name);
      const { trace_id, span_id } = transaction.spans.find(({ op }) => op === 'http.client')!;
      expect(valuesOf('sentry-trace')).toEqual([`${trace_id}-${span_id}-1`]);
      expect(valuesOf('baggage')).toEqual([expect.stringContaining(`sentry-trace_id=${trace_id}`)]);
      // Written by the propagator of the application, which OpenTelemetry's SDK has by default.
      expect(valuesOf('traceparent')).toEqual(setup === 'beside' ? [`00-${trace_id}-${span_id}-01`] : []);
    }
  });

  it.each(CLIENTS)('leaves one breadcrumb for a request by HTTP, and none for %s otherwise', (client) => {
    const isHttp = (HTTP_CLIENTS as readonly string[]).includes(client);
    for (const { id, event } of exchanges[client]!) {
      const calls = (event.breadcrumbs ?? []).map(({ category, data }) => [category, data['url'], data['status_code']]);
      expect(calls).toEqual(isHttp ? [['http', `${servers.other.url}/users/${id}`, 200]] : []);
    }
  });

  it('lets a log line of pino name the span that it was written in', () => {
    for (const { id, answer, transaction } of exchanges['pino']!) {
      const handler = transaction.spans.find(({ description }) => description === 'request handler - /pino/:id');
      expect(JSON.parse(answer as string)).toMatchObject({
        msg: `user ${id}`,
        trace_id: transaction.contexts.trace.trace_id,
        span_id: handler?.span_id,
      });
    }
  });
});
