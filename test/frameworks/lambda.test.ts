import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type LambdaOptions, wrapHandler } from '../../src/frameworks/lambda.js';
import { setTag } from '../../src/index.js';
import type { Receiver } from '../support/receiver.js';
import { tell } from '../support/story.js';

const context = (remainingMillis = 3000) => ({
  functionName: 'resize',
  functionVersion: '7',
  awsRequestId: 'request-1',
  invokedFunctionArn: 'arn:aws:lambda:eu-west-1:1:function:resize',
  getRemainingTimeInMillis: () => remainingMillis,
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
});
