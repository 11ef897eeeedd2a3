import { afterEach, describe, expect, it, vi } from 'vitest';
import { captureEvent, captureMessage, continueTrace, startSpan } from '../../src/index.js';
import { send, UPSTREAM } from './send.js';

const SENTRY_TRACE = `${UPSTREAM.traceId}-${UPSTREAM.spanId}`;
const span = (name = 'work') => startSpan({ name }, () => undefined);
const transaction = { type: 'transaction', transaction: 'by hand', start_timestamp: 1, timestamp: 2 } as const;

describe('Sampling rules', () => {
  afterEach(() => vi.restoreAllMocks());

  it.each<[title: string, random: number, sampleRate: unknown, kept: boolean]>([
    ['an error event is discarded when the random number is greater than sampleRate', 0.26, 0.25, false],
    ['an error event is kept when the random number is smaller than sampleRate', 0.24, 0.25, true],
    ['an error event is kept when the random number equals sampleRate', 0.25, 0.25, true],
    ['sampleRate is parsed: a numeric string decides like a number', 0.26, '0.25', false],
    ['sampleRate that parses to no number discards nothing', 0.999999, 'often', true],
  ])('%s', async (_, random, sampleRate, kept) => {
    // The rule is about a draw that only the process-wide generator can give to the public interface.
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const { events } = await send(() => captureMessage('m'), { sampleRate: sampleRate as number });
    expect(events).toHaveLength(Number(kept));
  });

  it('sampleRate is for error events alone', async () => {
    const receiver = await send(
      () => {
        span();
        captureEvent({ ...transaction });
        captureEvent({ type: 'feedback', contexts: { feedback: { message: 'nice' } } });
        captureMessage('m');
      },
      { sampleRate: 0, tracesSampleRate: 1 },
    );
    expect(receiver.items('event')).toHaveLength(0);
    expect(receiver.items('transaction')).toHaveLength(2);
    expect(receiver.items('feedback')).toHaveLength(1);
  });

  it.each<[title: string, answer: number | boolean, kept: number]>([
    ['tracesSampler keeps all with 1.0', 1, 20],
    ['tracesSampler keeps none with 0.0', 0, 0],
    ['tracesSampler keeps all with true', true, 20],
    ['tracesSampler keeps none with false', false, 0],
  ])('%s', async (_, answer, kept) => {
    const { transactions } = await send(
      () => {
        for (let i = 0; i < 20; i++) span();
      },
      { tracesSampler: () => answer },
    );
    expect(transactions).toHaveLength(kept);
  });

  it('the decision is made at the root span, once, and children inherit it', async () => {
    const asked: string[] = [];
    const { transactions } = await send(
      () => {
        for (const root of ['kept', 'dropped']) {
          startSpan({ name: root }, (parent) =>
            startSpan({ name: 'child' }, (child) =>
              startSpan({ name: 'grandchild' }, (grandchild) => {
                const recording = [parent, child, grandchild].map((one) => one.isRecording());
                expect(recording).toEqual(Array(3).fill(root === 'kept'));
              }),
            ),
          );
        }
      },
      {
        tracesSampler: ({ name }) => {
          asked.push(name);
          return name === 'kept';
        },
      },
    );
    expect(asked).toEqual(['kept', 'dropped']);
    expect(transactions.map((one) => [one.transaction, one.spans.length])).toEqual([['kept', 2]]);
  });

  it('a tracesSampler may follow parentSampled, and apply its own logic to roots', async () => {
    const { transactions } = await send(
      () => {
        for (const [name, flag] of [
          ['sampled', '-1'],
          ['unsampled', '-0'],
        ] as const) {
          continueTrace({ sentryTrace: `${SENTRY_TRACE}${flag}` }, () => span(name));
        }
        span('root');
        span('root that matters');
      },
      {
        tracesSampler: ({ name, parentSampled }) => {
          if (parentSampled !== undefined) return parentSampled ? 1.0 : 0.0;
          return name === 'root that matters' ? 1 : 0;
        },
      },
    );
    expect(transactions.map((one) => one.transaction).sort()).toEqual(['root that matters', 'sampled']);
  });

  it('tracesSampler wins over tracesSampleRate when both are set', async () => {
    const keeps = await send(() => span(), { tracesSampler: () => 1, tracesSampleRate: 0 });
    expect(keeps.transactions).toHaveLength(1);
    const drops = await send(() => span(), { tracesSampler: () => 0, tracesSampleRate: 1 });
    expect(drops.transactions).toHaveLength(0);
  });
});
