import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { SpanKind, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { createYogaErrorPlugin } from '../../src/frameworks/yoga.js';
import {
  type ClientOptions,
  captureException,
  getActiveSpan,
  getIsolationScope,
  getRootSpan,
  startSpan,
  updateSpanName,
} from '../../src/index.js';
import type { Receiver } from '../support/receiver.js';
import { tell } from '../support/story.js';

/** Tells of a server that calls `name` for each request, as with a framework that the SDK does not know, and then fails. */
function serve(name: () => void, options: ClientOptions, told: (receiver: Receiver) => void): Promise<void> {
  return tell(
    options,
    async () => {
      const server = http.createServer((_, response) => {
        name();
        startSpan({ name: 'query' }, () => captureException(new Error('broken')));
        response.writeHead(500).end();
      });
      await once(server.listen(0, '127.0.0.1'), 'listening');
      const { port } = server.address() as AddressInfo;
      const [response] = await once(http.get({ port, host: '127.0.0.1', path: '/orders/7', agent: false }), 'response');
      await once(response.resume(), 'close');
      server.close();
      await once(server, 'close');
    },
    ({ receiver }) => told(receiver),
  );
}

const NAME = 'GET /orders/:id';
const setRoute = () => void getActiveSpan()?.setAttribute('http.route', '/orders/:id');
const nameScope = () => void getIsolationScope().setTransactionName(NAME);

describe('a request of a framework that the SDK does not know', () => {
  it.each([
    ['by http.route', setRoute],
    ['by updateSpanName', () => updateSpanName(getRootSpan(getActiveSpan()!), NAME)],
  ])('and its errors have the name that the application gives its span %s', (_how, name) =>
    serve(name, { tracesSampleRate: 1 }, ({ events, transactions }) => {
      expect(transactions).toMatchObject([{ transaction: NAME }]);
      expect(events).toMatchObject([{ transaction: NAME }]);
    }),
  );

  it.each([0, 1])(
    'has no secrets in the name that the application gives its span, at a rate of %d',
    (tracesSampleRate) =>
      serve(
        () => updateSpanName(getRootSpan(getActiveSpan()!), 'GET /reset?token=x1'),
        { tracesSampleRate },
        ({ events }) => expect(events).toMatchObject([{ transaction: 'GET /reset?token=[Filtered]' }]),
      ),
  );

  it('has errors with the name of its span, in a trace that is not sampled', () =>
    serve(
      () => updateSpanName(getRootSpan(getActiveSpan()!), NAME),
      { tracesSampleRate: 0 },
      ({ events }) => expect(events).toMatchObject([{ transaction: NAME }]),
    ));

  it.each([
    ['that is not sampled', { tracesSampleRate: 0 }],
    ['without tracing', {}],
  ])('has errors with the name of its isolation scope, in a trace %s', (_what, options) =>
    serve(
      () => {
        setRoute();
        nameScope();
      },
      options,
      ({ events }) => expect(events).toMatchObject([{ transaction: NAME }]),
    ),
  );
});

it.each([
  ['Next.js', { 'next.route': '/orders/[id]' }, SpanKind.INTERNAL],
  ['a server span within the request', { 'http.route': '/orders/[id]' }, SpanKind.SERVER],
])('has the route that a span of %s knows, if nobody else does', (_, attributes, kind) =>
  serve(
    () => trace.getTracer('a framework').startSpan('find the page', { kind, attributes }).end(),
    { tracesSampleRate: 1 },
    ({ events, transactions }) => {
      const [{ transaction, transaction_info } = {}] = transactions;
      expect([events[0]?.transaction, transaction, transaction_info?.source]).toEqual([
        'GET /orders/[id]',
        'GET /orders/[id]',
        'route',
      ]);
    },
  ),
);

it('counts no more than 50 GraphQL operations: through one connection, a client may name any number', () =>
  serve(
    () => {
      const plugin = createYogaErrorPlugin();
      for (let i = 0; i < 1000; i++) {
        const definition = { kind: 'OperationDefinition', operation: 'query', name: { value: `Q${i}` } };
        plugin.onExecute({ args: { document: { definitions: [definition] } } });
      }
    },
    { tracesSampleRate: 1 },
    ({ events, transactions }) => {
      const name = expect.stringMatching(/ \(query Q0, query Q1, query Q10, query Q11, query Q12, \+45\)$/);
      expect([events[0]?.transaction, transactions[0]?.transaction]).toEqual([name, name]);
    },
  ));
