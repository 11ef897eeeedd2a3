import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { stopAndBalance } from '../support/services/start-service.js';
import { SETUPS, startApp } from './start-app.js';

const REQUESTS = 30;

/** Requests with even ids end well. */
const isGood = (id: number) => id % 2 === 0;

const queryFor = (id: number) =>
  isGood(id) ? `query One { user(id: "${id}") { id } }` : `{ brokenUser(id: "${id}") { id } }`;

describe.each(SETUPS)('graphql over express, with init %s', (setup) => {
  let receiver: Receiver;

  beforeAll(async () => {
    receiver = await startReceiver();
    const service = await startApp('graphql.mjs', setup, { DSN: receiver.dsn });
    const ids = Array.from({ length: REQUESTS }, (_, id) => id);
    const answers = await Promise.all(
      ids.map(async (id) => {
        const response = await fetch(`${service.url}/graphql?${new URLSearchParams({ query: queryFor(id) })}`);
        return (await response.json()) as Record<string, unknown>;
      }),
    );
    expect(answers.map(({ errors }) => errors === undefined)).toEqual(ids.map(isGood));
    await stopAndBalance(service, receiver);
  });

  afterAll(() => receiver.close());

  it('sends one transaction for a request, named by its operation, with the work of its resolver', () => {
    expect(receiver.transactions.map(({ tags }) => Number(tags['user'])).sort((a, b) => a - b)).toEqual(
      Array.from({ length: REQUESTS }, (_, id) => id),
    );
    for (const { tags, user, transaction, transaction_info, contexts, spans } of receiver.transactions) {
      const id = Number(tags['user']);
      expect(user).toEqual({ id: `user-${id}` });
      expect(transaction).toBe(isGood(id) ? 'GET /graphql (query One)' : 'GET /graphql (query)');
      expect([transaction_info.source, contexts.trace.op]).toEqual(['route', 'http.server']);
      const load = spans.find(({ description }) => description === 'load');
      const byId = new Map(spans.map((span) => [span.span_id, span]));
      expect(byId.get(load?.parent_span_id ?? '')?.description).toBe(
        isGood(id) ? 'graphql.resolve user' : 'graphql.resolve brokenUser',
      );
      const names = spans.map(({ description }) => description).filter((name) => /^(graphql|query)/.test(name));
      expect(names.sort()).toEqual(
        isGood(id)
          ? ['graphql.parse', 'graphql.resolve user', 'graphql.resolve user.id', 'graphql.validate', 'query One']
          : ['graphql.parse', 'graphql.resolve brokenUser', 'graphql.validate', 'query'],
      );
    }
  });

  it('sends the errors of resolvers with the trace and the user of their own request', () => {
    expect(receiver.events).toHaveLength(REQUESTS / 2);
    for (const { exception, tags, user, contexts } of receiver.events) {
      const id = tags['user'];
      expect(exception.values.at(-1)?.value).toBe(`no user ${id}`);
      expect(user).toEqual({ id: `user-${id}` });
      const own = receiver.transactions.find((one) => one.tags['user'] === id);
      expect(contexts.trace.trace_id).toBe(own?.contexts.trace.trace_id);
    }
  });
});
