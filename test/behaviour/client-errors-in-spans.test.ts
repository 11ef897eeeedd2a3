import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import { type ClientOptions, captureException, setTag, startSpan } from '../../src/index.js';
import type { Receiver } from '../support/receiver.js';
import { tell } from '../support/story.js';

const notFound = (more: object = { status: 404 }) => Object.assign(new Error('no such order'), more);

/** Fails in a span within a span. */
function findOrder(error: unknown): Promise<void> {
  return startSpan({ name: 'find' }, () =>
    startSpan({ name: 'SELECT orders', op: 'db' }, async () => {
      setTag('order', '7');
      throw error;
    }),
  );
}

/** Tells of a server that has this handler and gets one request. */
function serve(
  handler: (response: http.ServerResponse) => unknown,
  told: (receiver: Receiver) => void,
  options: ClientOptions = {},
): Promise<void> {
  return tell(
    { tracesSampleRate: 1, ...options },
    async () => {
      const server = http.createServer((_, response) => void handler(response)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      const [response] = await once(http.get({ port, host: '127.0.0.1', path: '/orders/7', agent: false }), 'response');
      response.resume();
      await once(response, 'close');
      server.close();
      await once(server, 'close');
    },
    ({ receiver }) => told(receiver),
  );
}

const answer = (response: http.ServerResponse, statusCode: number) => response.writeHead(statusCode).end();

describe('an error that says 4xx and leaves a span of a request', () => {
  it.each([[{ status: 404 }], [{ statusCode: '410' }], [{ output: { statusCode: 404 } }]])(
    'is no event if the request is answered so: %j',
    async (more) => {
      const handler = (response: http.ServerResponse) => findOrder(notFound(more)).catch(() => answer(response, 404));
      await serve(handler, ({ events, transactions }) => {
        expect(events).toEqual([]);
        expect(transactions[0]!.spans).toMatchObject([{ status: 'internal_error' }, { status: 'internal_error' }]);
      });
    },
  );

  it('is an event if the request is answered with 5xx, with its request, tags and innermost span', async () => {
    const handler = (response: http.ServerResponse) => findOrder(notFound()).catch(() => answer(response, 502));
    await serve(handler, ({ events, transactions }) => {
      expect(events).toMatchObject([
        {
          transaction: 'GET /orders/7',
          tags: { order: '7' },
          exception: {
            values: [{ value: 'no such order', mechanism: { type: 'auto.function.start_span', handled: false } }],
          },
        },
      ]);
      const query = transactions[0]!.spans.find(({ op }) => op === 'db');
      expect(events[0]!.contexts.trace.span_id).toBe(query!.span_id);
    });
  });

  it('is no event if another error of the request is', async () => {
    const handler = (response: http.ServerResponse) =>
      findOrder(notFound()).catch((cause) => {
        captureException(new Error('cannot ship', { cause }));
        answer(response, 500);
      });
    await serve(handler, ({ events }) => {
      expect(events.map(({ exception }) => exception.values.at(-1)!.value)).toEqual(['cannot ship']);
    });
  });

  it('is an event once the request is answered', async () => {
    const handler = async (response: http.ServerResponse) => {
      answer(response, 202);
      await once(response, 'close');
      await findOrder(notFound()).catch(() => undefined);
    };
    await serve(handler, ({ events }) => expect(events).toHaveLength(1));
  });

  it('is captured by the code that catches it', async () => {
    const handler = (response: http.ServerResponse) =>
      findOrder(notFound()).catch((error) => {
        captureException(error);
        answer(response, 404);
      });
    await serve(handler, ({ events }) => {
      expect(events.map(({ exception }) => exception.values[0]!.mechanism)).toEqual([
        { type: 'generic', handled: true },
      ]);
    });
  });
});

it('an error that says 4xx and leaves a span outside of requests is an event', async () => {
  await tell(
    {},
    () => findOrder(notFound()).catch(() => undefined),
    ({ receiver }) => expect(receiver.events).toHaveLength(1),
  );
});
