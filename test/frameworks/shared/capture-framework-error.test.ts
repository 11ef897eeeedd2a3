import type { IncomingMessage, ServerResponse } from 'node:http';
import { trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { type ExpressErrorHandlerOptions, setupExpressErrorHandler } from '../../../src/frameworks/express.js';
import type { ErrorMiddleware } from '../../../src/frameworks/shared/error-middleware.js';
import { startSpan, withIsolationScope } from '../../../src/index.js';
import { tell } from '../../support/story.js';

const startInnerSpan = <T>(name: string, callback: () => T) =>
  trace.getTracer('an instrumentation').startActiveSpan(name, (span) => {
    const result = callback();
    void Promise.resolve(result).finally(() => span.end());
    return result;
  });

const withStatus = (status: unknown) => Object.assign(new Error('failed'), { status });

/** How many events an error makes on its way through the error handler, and what the next handler gets. */
async function pass(error: unknown, options?: ExpressErrorHandlerOptions): Promise<number> {
  let count = 0;
  await tell(
    {},
    () => {
      const handlers: ErrorMiddleware[] = [];
      setupExpressErrorHandler({ use: (handler: ErrorMiddleware) => handlers.push(handler) }, options);
      const passedOn: unknown[] = [];
      const response = { statusCode: 200 } as ServerResponse;
      handlers[0]!(error, {} as IncomingMessage, response, (next) => passedOn.push(next));
      expect(passedOn).toEqual([error]);
    },
    ({ receiver }) => {
      count = receiver.events.length;
    },
  );
  return count;
}

describe('an error that a framework handles', () => {
  it.each([
    [undefined, 1],
    [500, 1],
    [503, 1],
    ['502', 1],
    [200, 1],
    [7, 1],
    ['nonsense', 1],
    [400, 0],
    [404, 0],
    ['404', 0],
    [499, 0],
  ])('with the status %j becomes %i events', async (status, count) => {
    expect(await pass(withStatus(status))).toBe(count);
  });

  it.each([[true], [false]])(
    'becomes an event when shouldHandleError says %j, whatever its status',
    async (verdict) => {
      expect(await pass(withStatus(404), { shouldHandleError: () => verdict })).toBe(Number(verdict));
      expect(await pass(withStatus(500), { shouldHandleError: () => verdict })).toBe(Number(verdict));
    },
  );

  it('is decided by its status when shouldHandleError throws', async () => {
    const shouldHandleError = () => {
      throw new Error('broken');
    };
    expect(await pass(withStatus(500), { shouldHandleError })).toBe(1);
    expect(await pass(withStatus(404), { shouldHandleError })).toBe(0);
  });

  it('was captured already if it is a string that has left a span of the request, whichever span is active now', async () => {
    const handlers: ErrorMiddleware[] = [];
    const handle = () =>
      withIsolationScope(() => {
        const fail = () => startSpan({ name: 'work' }, () => Promise.reject('out of stock'));
        // As instrumentations do: the handler and the error handler have spans of their own.
        return startSpan({ name: 'request' }, () =>
          startInnerSpan('handler', () => fail().catch((error: unknown) => error)).then((error) =>
            startInnerSpan('error handler', () =>
              handlers[0]!(error, {} as IncomingMessage, { statusCode: 200 } as ServerResponse, () => undefined),
            ),
          ),
        );
      });
    await tell(
      { tracesSampleRate: 1 },
      async () => {
        setupExpressErrorHandler({ use: (handler: ErrorMiddleware) => handlers.push(handler) });
        await handle();
        await handle();
      },
      ({ receiver }) => expect(receiver.events).toHaveLength(2),
    );
  });

  it('has no stack if it was thrown without one: that of the error handler would name the framework', async () => {
    const story = () => {
      const handlers: ErrorMiddleware[] = [];
      setupExpressErrorHandler({ use: (handler: ErrorMiddleware) => handlers.push(handler) });
      handlers[0]!('out of stock', {} as IncomingMessage, { statusCode: 200 } as ServerResponse, () => undefined);
    };
    await tell({}, story, ({ receiver }) => {
      const [exception] = receiver.events[0]!.exception.values;
      expect(exception).toMatchObject({ type: 'Error', value: 'out of stock' });
      expect(exception).not.toHaveProperty('stacktrace');
    });
  });

  it.each([[null], ['text'], [0], [Symbol('one')], [{}]])('may be any value: %j', async (error) => {
    expect(await pass(error)).toBe(1);
  });
});
