import { setTimeout as sleep } from 'node:timers/promises';
import { runInNewContext } from 'node:vm';
import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { type LambdaOptions, wrapHandler } from '../../src/frameworks/lambda.js';
import { continueTrace, setTag, startSpan } from '../../src/index.js';
import type { Receiver } from '../support/receiver.js';
import { tell } from '../support/story.js';

const context = (remainingMillis = 3000) => ({
  functionName: 'resize',
  functionVersion: '7',
  awsRequestId: 'request-1',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:1:function:resize',
  getRemainingTimeInMillis: () => remainingMillis,
});

/** What can be awaited and is no promise, and rejects. */
const thenable = (error: Error) => ({
  // biome-ignore lint/suspicious/noThenProperty: that is what it is.
  then: (_: unknown, reject: (error: Error) => void): void => void setTimeout(reject, 5, error),
});

/** Invokes a handler; the receiver is looked at when the invocation is over, which is when Lambda freezes the process. */
async function invoke(
  handler: (...args: never[]) => unknown,
  check: (outcome: PromiseSettledResult<unknown>, receiver: Receiver) => void,
  { options, remainingMillis }: { options?: LambdaOptions; remainingMillis?: number } = {},
): Promise<void> {
  await tell(
    {},
    async ({ receiver }) => {
      const wrapped = wrapHandler(handler, options) as (...args: unknown[]) => unknown;
      const [outcome] = await Promise.allSettled([wrapped({ key: 'value' }, context(remainingMillis))]);
      check(outcome!, receiver);
    },
    () => undefined,
  );
}

describe('a wrapped Lambda handler', () => {
  it('returns what the handler returns', () =>
    invoke(
      async (event: object) => ({ event }),
      (outcome, { events }) => {
        expect(outcome).toEqual({ status: 'fulfilled', value: { event: { key: 'value' } } });
        expect(events).toEqual([]);
      },
    ));

  it.each([
    ['rejects', async () => Promise.reject(new Error('no space'))],
    [
      'throws',
      () => {
        throw new Error('no space');
      },
    ],
    ['rejects a promise of another library', () => thenable(new Error('no space'))],
    [
      'rejects a promise of another realm',
      () => runInNewContext('Promise.reject(error)', { error: new Error('no space') }),
    ],
  ])('has sent the error when it %s', (_how, handler) =>
    invoke(handler, (outcome, { events }) => {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'no space' } });
      expect(events).toHaveLength(1);
      expect(events[0]).toMatchObject({
        transaction: 'resize',
        exception: { values: [{ value: 'no space', mechanism: { type: 'auto.function.lambda', handled: false } }] },
        contexts: { 'aws.lambda': { function_name: 'resize', function_version: '7', aws_request_id: 'request-1' } },
      });
    }),
  );

  it('has sent the error before it calls a callback', async () => {
    await tell(
      {},
      async ({ receiver }) => {
        const handler = wrapHandler((_event: unknown, _context: unknown, callback: (error: Error) => void) => {
          setTimeout(() => callback(new Error('by callback')), 1);
        });
        const [error, received] = await new Promise<[Error, number]>((resolve) => {
          handler({}, context(), (failure) => resolve([failure, receiver.events.length]));
        });
        expect([error.message, received]).toEqual(['by callback', 1]);
      },
      () => undefined,
    );
  });

  it('warns when the invocation is about to time out', () =>
    invoke(
      () => sleep(150),
      (_outcome, { events }) => {
        expect(events).toMatchObject([{ level: 'warning', message: 'resize is about to time out after 100 ms' }]);
      },
      { remainingMillis: 100, options: { timeoutWarningMillis: 50 } },
    ));

  it.each([Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER, 100_000n as unknown as number])(
    'does not warn, and does not fail, with a remaining time of %s',
    (remainingMillis) =>
      invoke(
        () => sleep(20),
        (outcome, { events }) => expect([outcome.status, events]).toEqual(['fulfilled', []]),
        {
          options: { timeoutWarningMillis: 0 },
          remainingMillis,
        },
      ),
  );

  it('is called although the context cannot be read', async () => {
    const broken = {
      ...context(),
      get functionName(): string {
        throw new Error('no name');
      },
    };
    expect(await wrapHandler(async (..._: unknown[]) => 7)({}, broken)).toBe(7);
  });

  it('does not warn when told so', () =>
    invoke(
      () => sleep(150),
      (_outcome, { events }) => expect(events).toEqual([]),
      { remainingMillis: 100, options: { captureTimeoutWarning: false } },
    ));

  it('keeps the property by which Lambda recognizes a handler that streams', () => {
    const streaming = Symbol.for('aws.lambda.runtime.handler.streaming');
    const handler = Object.assign(async () => undefined, { [streaming]: 'response' });
    expect(Reflect.get(wrapHandler(handler), streaming)).toBe('response');
  });

  it('has scopes and a trace of its own in each invocation', async () => {
    await tell(
      {},
      async () => {
        const handler = wrapHandler(async (event: { tag?: string }) => {
          if (event.tag) setTag(event.tag, true);
          throw new Error('once more');
        });
        for (const event of [{ tag: 'first' }, {}]) await Promise.allSettled([handler(event)]);
      },
      ({ receiver }) => {
        expect(receiver.events.map(({ tags }) => tags)).toEqual([{ first: 'true' }, undefined]);
        expect(new Set(receiver.events.map(({ contexts }) => contexts.trace.trace_id)).size).toBe(2);
      },
    );
  });

  describe('with tracing', () => {
    const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
    const PARENT_ID = 'b7ad6b7169203331';

    /** Expects what has arrived when the invocation is over. */
    async function trace(
      handler: (...args: never[]) => unknown,
      event: unknown,
      check: (receiver: Receiver) => void,
      remainingMillis?: number,
    ): Promise<void> {
      await tell({ tracesSampleRate: 1 }, async ({ receiver }) => {
        const wrapped = wrapHandler(handler) as (...args: unknown[]) => unknown;
        await Promise.allSettled([wrapped(event, context(remainingMillis))]);
        check(receiver);
      });
    }

    it('is a transaction with the spans of its invocation', () =>
      trace(
        () => startSpan({ name: 'step' }, async () => 'done'),
        {},
        ({ transactions }) => {
          expect(transactions).toMatchObject([
            {
              transaction: 'resize',
              contexts: {
                trace: {
                  op: 'function.aws.lambda',
                  origin: 'auto.function.lambda',
                  status: 'ok',
                  data: {
                    'faas.name': 'resize',
                    'faas.invocation_id': 'request-1',
                    'faas.coldstart': expect.any(Boolean),
                    'cloud.resource_id': 'arn:aws:lambda:eu-west-1:1:function:resize',
                  },
                },
              },
              spans: [{ description: 'step' }],
            },
          ]);
        },
      ));

    it('has the warning of its timeout in its trace', () =>
      trace(
        () => sleep(150),
        {},
        ({ transactions, events }) => {
          const { trace_id, span_id } = transactions[0]!.contexts.trace;
          expect(events).toMatchObject([{ level: 'warning', contexts: { trace: { trace_id, span_id } } }]);
        },
        100,
      ));

    it('has failed with its error, which is in its trace', () =>
      trace(
        async () => Promise.reject(new Error('no space')),
        {},
        ({ transactions, events }) => {
          expect(transactions).toMatchObject([{ contexts: { trace: { status: 'internal_error' } } }]);
          const { trace_id, span_id } = transactions[0]!.contexts.trace;
          expect(events).toMatchObject([
            {
              contexts: { trace: { trace_id, span_id } },
              exception: { values: [{ mechanism: { type: 'auto.function.lambda', handled: false } }] },
            },
          ]);
        },
      ));

    const REQUESTS = {
      'API Gateway, first format': { httpMethod: 'GET', path: '/x' },
      'API Gateway, second format, or a function URL': {
        version: '2.0',
        requestContext: { http: { method: 'GET', path: '/x' } },
      },
    };

    it.each(Object.entries(REQUESTS))('has the status of its answer to a request (%s)', async (_, event) => {
      const answered = [
        [200, 'ok', undefined],
        ['404', 'not_found', undefined],
        [500, 'internal_error', '500'],
      ] as const;
      for (const [statusCode, status, errorType] of answered) {
        await trace(
          async () => ({ statusCode }),
          event,
          ({ transactions, events }) => {
            expect(transactions).toMatchObject([
              { contexts: { trace: { status }, response: { status_code: Number(statusCode) } } },
            ]);
            expect(transactions[0]?.contexts.trace.data?.['error.type']).toBe(errorType);
            expect(events).toEqual([]);
          },
        );
      }
    });

    it('has the status of an answer that is handed to a callback', () =>
      tell({ tracesSampleRate: 1 }, async ({ receiver }) => {
        const handler = wrapHandler((_event: unknown, _context: unknown, callback: (...args: unknown[]) => void) => {
          callback(null, { statusCode: 503 });
        });
        await new Promise((resolve) => handler({ httpMethod: 'GET' }, context(), resolve));
        expect(receiver.transactions).toMatchObject([{ contexts: { trace: { status: 'unavailable' } } }]);
      }));

    it('has the status of an answer that is streamed', () =>
      tell({ tracesSampleRate: 1 }, async ({ receiver }) => {
        const written: unknown[] = [];
        // As `HttpResponseStream.from(stream, { statusCode: 503 })` of Lambda's runtime leaves it.
        const _onBeforeFirstWrite = (write: (chunk: unknown) => void) => {
          write('{"statusCode":503}');
          write(new Uint8Array(8));
        };
        const stream = { _onBeforeFirstWrite, write: (chunk: unknown) => written.push(chunk) };
        const handler = wrapHandler(async (_event: unknown, out: typeof stream, _context: unknown) =>
          out.write('busy'),
        );
        await handler({ requestContext: { http: { method: 'GET' } } }, stream, context());
        expect(receiver.transactions).toMatchObject([
          { contexts: { trace: { status: 'unavailable' }, response: { status_code: 503 } } },
        ]);
        expect(written).toEqual(['busy']);
      }));

    it.each([
      ['an event that is no request', {}, { statusCode: 500 }],
      ['an answer that names no status', REQUESTS['API Gateway, first format'], { statusCode: 'broken', status: 500 }],
    ])('has no status of HTTP for %s', (_, event, answer) =>
      trace(
        async () => answer,
        event,
        ({ transactions }) => {
          expect(transactions).toMatchObject([{ contexts: { trace: { status: 'ok' } } }]);
          expect(transactions[0]?.contexts).not.toHaveProperty('response');
        },
      ),
    );

    it.each([
      ['sentry-trace', { 'Sentry-Trace': `${TRACE_ID}-${PARENT_ID}-1` }],
      ['traceparent', { traceparent: `00-${TRACE_ID}-${PARENT_ID}-01` }],
    ])('continues the trace of the header %s of its event', (_name, headers) =>
      trace(
        async () => undefined,
        { headers },
        ({ transactions }) => {
          expect(transactions).toMatchObject([
            { contexts: { trace: { trace_id: TRACE_ID, parent_span_id: PARENT_ID } } },
          ]);
        },
      ),
    );

    it('has ended before its callback is called', () =>
      tell({ tracesSampleRate: 1 }, async ({ receiver }) => {
        const handler = wrapHandler((_event: unknown, _context: unknown, callback: () => void) => {
          setTimeout(callback, 1);
        });
        const received = await new Promise((resolve) => {
          handler({}, context(), () => resolve(receiver.transactions.length));
        });
        expect(received).toBe(1);
      }));

    it('continues the trace into which it is called, which has no decision yet', async () => {
      const traceId = '0af7651916cd43dd8448eb211c80319c';
      const wrapped = wrapHandler(async () => 'done') as (...args: unknown[]) => Promise<string>;
      await tell(
        { tracesSampleRate: 1 },
        () => continueTrace({ sentryTrace: `${traceId}-b7ad6b7169203331` }, () => wrapped({}, context())),
        ({ receiver }) => expect(receiver.transactions).toMatchObject([{ contexts: { trace: { trace_id: traceId } } }]),
      );
    });

    it('is none where OpenTelemetry has made one', () =>
      tell(
        { tracesSampleRate: 1 },
        () => {
          const handler = wrapHandler(async (_event: unknown, _context: unknown) => 'done');
          return startSpan({ name: 'by OTel', kind: SpanKind.SERVER }, () => handler({}, context()));
        },
        ({ receiver }) => {
          expect(receiver.transactions).toMatchObject([{ transaction: 'by OTel', spans: [] }]);
        },
      ));
  });
});
