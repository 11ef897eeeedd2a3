import { type Attributes, context, SpanKind, trace } from '@opentelemetry/api';
import { expect, it } from 'vitest';
import { updateSpanName } from '../../../src/index.js';
import { tell } from '../../support/story.js';

const REQUEST = { 'http.request.method': 'GET', 'url.path': '/users/7' };
const FRAMEWORK = { 'http.request.method': 'GET', 'http.route': '/users/:id' };

interface Below {
  readonly kind?: SpanKind;
  readonly attributes: Attributes;
}

/** Plays a request whose root has these attributes, with spans of these kinds and attributes below it. */
async function nameOf(attributes: Attributes, below: readonly Below[], rename?: string) {
  let told: Record<string, unknown> = {};
  await tell(
    { tracesSampleRate: 1 },
    () => {
      const tracer = trace.getTracer('test');
      const root = tracer.startSpan('GET', { kind: SpanKind.SERVER, attributes });
      const within = trace.setSpan(context.active(), root);
      for (const { kind, attributes } of below) tracer.startSpan('below', { kind, attributes }, within).end();
      if (rename) updateSpanName(root, rename);
      root.end();
    },
    ({ receiver: { transactions, envelopes } }) => {
      const [{ transaction, transaction_info, contexts }] = transactions as [(typeof transactions)[0]];
      const { 'http.route': route, 'svc.graphql.operation': operation } = contexts.trace.data;
      const { transaction: inTrace } = envelopes[0]!.headers.trace ?? {};
      told = { name: transaction, source: transaction_info.source, route, operation, inTrace };
    },
  );
  return told;
}

const server = (attributes: Attributes): Below => ({ kind: SpanKind.SERVER, attributes });
const graphql = (type: string, name?: string): Below => ({
  attributes: { 'graphql.operation.type': type, ...(name && { 'graphql.operation.name': name }) },
});

it.each<[what: string, root: Attributes, below: readonly Below[], expected: Record<string, unknown>]>([
  ['a request by its path', REQUEST, [], { name: 'GET /users/7', source: 'url' }],
  [
    'one by the route of a framework’s own span',
    REQUEST,
    [server(FRAMEWORK)],
    { name: 'GET /users/:id', source: 'route', route: '/users/:id', inTrace: 'GET /users/:id' },
  ],
  [
    'one by the outermost of such spans, which ends last',
    REQUEST,
    [server({ ...FRAMEWORK, 'http.route': '/inner' }), server(FRAMEWORK)],
    { name: 'GET /users/:id', source: 'route', route: '/users/:id', inTrace: 'GET /users/:id' },
  ],
  [
    'one by its own route first',
    { ...REQUEST, 'http.route': '/own' },
    [server(FRAMEWORK)],
    { name: 'GET /own', source: 'route', route: '/own', inTrace: 'GET /own' },
  ],
  [
    'one by its path where the span below has another method',
    REQUEST,
    [server({ ...FRAMEWORK, 'http.request.method': 'PUT' })],
    { name: 'GET /users/7', source: 'url' },
  ],
  [
    'one by its path where the span below is no server’s',
    REQUEST,
    [{ attributes: FRAMEWORK }],
    { name: 'GET /users/7', source: 'url' },
  ],
  [
    'a request of GraphQL with its operation',
    { ...REQUEST, 'http.route': '/graphql' },
    [graphql('query', 'One')],
    {
      name: 'GET /graphql (query One)',
      source: 'route',
      route: '/graphql',
      operation: 'query One',
      inTrace: 'GET /graphql (query One)',
    },
  ],
  [
    'one of several operations with all of them',
    { ...REQUEST, 'http.route': '/graphql' },
    [graphql('query', 'One'), graphql('mutation'), graphql('query', 'One')],
    {
      name: 'GET /graphql (mutation, query One)',
      source: 'route',
      route: '/graphql',
      operation: ['query One', 'mutation'],
      inTrace: 'GET /graphql (mutation, query One)',
    },
  ],
  [
    'what is no request by its own name',
    {},
    [graphql('query', 'One')],
    { name: 'GET', source: 'custom', inTrace: 'GET' },
  ],
])('a transaction names %s', async (_, root, below, expected) => {
  expect(await nameOf(root, below)).toEqual(expected);
});

it('a name given by hand stays', async () => {
  expect(await nameOf(REQUEST, [server(FRAMEWORK)], 'mine')).toMatchObject({ name: 'mine', source: 'custom' });
});
