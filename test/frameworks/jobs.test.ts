import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { wrapJob } from '../../src/frameworks/jobs.js';
import { continueTrace, getTraceData, setTag, startSpan } from '../../src/index.js';
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

  it('may return what can be awaited and is no promise', async () => {
    const query = {
      // biome-ignore lint/suspicious/noThenProperty: that is what it is.
      then: (_: unknown, reject: (error: Error) => void) => void setTimeout(reject, 5, new Error('refused')),
    };
    await tell(
      { tracesSampleRate: 1 },
      async () => {
        const [outcome] = await settle(() => wrapJob('mails', () => query)());
        expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'refused' } });
      },
      ({ receiver }) => {
        expect(receiver.events.map(({ exception }) => exception.values[0]!.value)).toEqual(['refused']);
        expect(receiver.transactions.map(({ contexts }) => contexts.trace.status)).toEqual(['internal_error']);
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

  describe('with tracing', () => {
    const TRACED = { tracesSampleRate: 1 };

    it('is a transaction with the spans of its run', async () => {
      const send = wrapJob('mails', (_job: object) =>
        startSpan({ name: 'step' }, async () => setTag('job', '7') ?? 'sent'),
      );
      await tell(
        TRACED,
        async () => expect(await send({ id: 7, queueName: 'outbox' })).toBe('sent'),
        ({ receiver }) => {
          expect(receiver.transactions).toMatchObject([
            {
              transaction: 'mails',
              tags: { job: '7' },
              transaction_info: { source: 'task' },
              contexts: {
                trace: {
                  op: 'queue.process',
                  origin: 'auto.function.job',
                  status: 'ok',
                  data: {
                    'messaging.operation.type': 'process',
                    'messaging.destination.name': 'outbox',
                    'messaging.message.id': '7',
                  },
                },
              },
              spans: [{ description: 'step' }],
            },
          ]);
        },
      );
    });

    it.each([
      ['rejects', async () => Promise.reject(new Error('broken'))],
      [
        'throws',
        () => {
          throw new Error('broken');
        },
      ],
    ])('has failed when it %s, and its error is in its trace', async (_how, fail) => {
      await tell(
        TRACED,
        () => settle(wrapJob('nightly', fail)),
        ({ receiver }) => {
          expect(receiver.transactions).toMatchObject([
            { transaction: 'nightly', contexts: { trace: { op: 'job', status: 'internal_error' } } },
          ]);
          const { trace_id, span_id } = receiver.transactions[0]!.contexts.trace;
          expect(receiver.events).toMatchObject([
            {
              contexts: { trace: { trace_id, span_id } },
              exception: { values: [{ mechanism: { type: 'auto.function.job', handled: false } }] },
            },
          ]);
        },
      );
    });

    it('is a transaction of its own in a timer that an ended span has started', async () => {
      await tell(
        TRACED,
        () =>
          new Promise((resolve) => {
            const job = wrapJob('nightly', () => resolve(undefined));
            startSpan({ name: 'start' }, () => setTimeout(job, 1));
          }),
        ({ receiver }) => {
          expect(receiver.transactions.map(({ transaction }) => transaction).sort()).toEqual(['nightly', 'start']);
          expect(new Set(receiver.transactions.map(({ contexts }) => contexts.trace.trace_id)).size).toBe(2);
        },
      );
    });

    describe('in the trace of its message', () => {
      const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
      const PARENT = `${TRACE_ID}-b7ad6b7169203331`;
      const baggage = `sentry-trace_id=${TRACE_ID},sentry-public_key=producer,sentry-transaction=publish`;

      it.each([
        ['was sampled', `${PARENT}-1`, true],
        ['has no decision, as without a span around the publishing', PARENT, true],
        ['was not sampled', `${PARENT}-0`, false],
      ])('is a transaction of it if the trace is kept: the trace %s', async (_what, sentryTrace, isKept) => {
        const send = wrapJob('mails', (_job: object) => {});
        await tell(
          TRACED,
          () => continueTrace({ sentryTrace, baggage }, () => send({ id: '7' })),
          ({ receiver }) => {
            const traces = receiver.transactions.map(({ contexts }) => contexts.trace);
            expect(traces).toMatchObject(isKept ? [{ trace_id: TRACE_ID, parent_span_id: PARENT.slice(-16) }] : []);
          },
        );
      });

      it('passes on the baggage with which the trace began', async () => {
        const forward = wrapJob('mails', () => getTraceData().baggage);
        await tell(TRACED, () => {
          const passedOn = continueTrace({ sentryTrace: `${PARENT}-1`, baggage }, forward);
          expect(passedOn).toContain('sentry-public_key=producer');
          expect(passedOn).toContain('sentry-transaction=publish');
        });
      });

      it('passes on decision and baggage without tracing, also in a span of instrumentation', async () => {
        const forward = wrapJob('mails', () => getTraceData());
        await tell({}, () => {
          const passedOn = continueTrace({ sentryTrace: `${PARENT}-1`, baggage }, () =>
            startSpan({ name: 'mails process', kind: SpanKind.CONSUMER }, forward),
          );
          expect(passedOn['sentry-trace']).toMatch(new RegExp(`^${TRACE_ID}-[0-9a-f]{16}-1$`));
          expect(passedOn.baggage).toContain('sentry-public_key=producer');
        });
      });

      it('has its errors in that trace without tracing, too', async () => {
        const fail = wrapJob('mails', () => Promise.reject(new Error('broken')));
        await tell(
          {},
          () => settle(() => continueTrace({ sentryTrace: PARENT, baggage }, fail)),
          ({ receiver }) => {
            expect(receiver.events).toMatchObject([{ contexts: { trace: { trace_id: TRACE_ID } } }]);
          },
        );
      });
    });

    it('is none where instrumentation of the queue has made one', async () => {
      const job = wrapJob('mails', () => undefined);
      await tell(
        TRACED,
        () => startSpan({ name: 'mails process', kind: SpanKind.CONSUMER }, job),
        ({ receiver }) => {
          expect(receiver.transactions).toMatchObject([{ transaction: 'mails process', spans: [] }]);
        },
      );
    });
  });
});
