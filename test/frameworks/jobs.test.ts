import { describe, expect, it } from 'vitest';
import { wrapJob } from '../../src/frameworks/jobs.js';
import { setTag, startSpan } from '../../src/index.js';
import { tell } from '../support/story.js';

/** As queues call their workers. */
const settle = (call: () => unknown) => Promise.allSettled([(async () => call())()]);

describe('a wrapped job', () => {
  it('fails as before, and its error is captured with the job', async () => {
    const job = { id: '7', name: 'welcome', queueName: 'mails', attemptsMade: 1, data: { to: 'ada@example.com' } };
    await tell(
      {},
      async () => {
        const send = wrapJob('mails', async ({ id }: typeof job) => {
          setTag('job', id);
          throw new Error('no connection');
        });
        expect(await settle(() => send(job))).toMatchObject([
          { status: 'rejected', reason: { message: 'no connection' } },
        ]);
      },
      ({ receiver }) => {
        expect(receiver.events).toHaveLength(1);
        expect(receiver.events[0]).toMatchObject({
          transaction: 'mails',
          tags: { job: '7' },
          exception: { values: [{ mechanism: { type: 'auto.function.job', handled: false } }] },
        });
        expect(receiver.events[0]!.contexts['job']).toEqual({
          name: 'mails',
          id: '7',
          queueName: 'mails',
          attemptsMade: 1,
        });
      },
    );
  });

  it('may get a list of jobs, as those of pg-boss', async () => {
    await tell(
      {},
      () => settle(() => wrapJob('thumbnails', (_jobs: unknown[]) => Promise.reject('no jpeg'))([{ id: 'a1' }])),
      ({ receiver }) => {
        expect(receiver.events.map(({ contexts }) => contexts['job'])).toEqual([{ name: 'thumbnails', id: 'a1' }]);
      },
    );
  });

  it('does not leak scopes into the next, and each attempt is captured', async () => {
    await tell(
      {},
      async () => {
        const job = wrapJob('nightly', (tag?: string) => {
          if (tag) setTag(tag, true);
          throw new Error('attempt');
        });
        await settle(() => job('first'));
        await settle(() => job());
      },
      ({ receiver }) => {
        expect(receiver.events.map(({ tags }) => tags)).toEqual([{ first: 'true' }, undefined]);
      },
    );
  });

  it('is captured once when a span within it has captured the error', async () => {
    await tell(
      {},
      () => settle(wrapJob('nightly', () => startSpan({ name: 'step' }, () => Promise.reject('gone')))),
      ({ receiver }) => expect(receiver.events).toHaveLength(1),
    );
  });

  it('may tell BullMQ to wait', async () => {
    await tell(
      {},
      () => settle(wrapJob('nightly', () => Promise.reject(new Error('bullmq:movedToDelayed')))),
      ({ receiver }) => expect(receiver.events).toEqual([]),
    );
  });
});
