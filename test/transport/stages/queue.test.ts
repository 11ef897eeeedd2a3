import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Envelope } from '../../../src/model/delivery/envelope.js';
import type { EnvelopeItemType } from '../../../src/model/delivery/item-types.js';
import { ENVELOPE_FORMAT } from '../../../src/transport/formats/envelope-format.js';
import { type Drop, type Outcome, PendingEnvelope, STORED } from '../../../src/transport/pending-envelope.js';
import { Queue, type QueueBounds, type QueueExtras } from '../../../src/transport/stages/queue.js';

type ReadFailure = QueueExtras['failureToRetry'];

const ANSWERED: Outcome = { kind: 'answered', response: { statusCode: 200 } };

/** A queue over a destination that answers when the test says so. */
function setUp(bounds: Partial<QueueBounds> = {}, failureToRetry?: ReadFailure, spool?: QueueExtras['spool']) {
  const underWay: { text: string; answer: (outcome?: Outcome) => void }[] = [];
  const started: string[] = [];
  const dropped: [reason: string, texts: string[]][] = [];
  const drop: Drop = (reason, items) => void dropped.push([reason, items.map(([, payload]) => String(payload))]);
  const next = (envelope: PendingEnvelope): Promise<Outcome> => {
    const text = String(envelope.items[0]![1]);
    envelope.serialize();
    started.push(text);
    return new Promise((resolve) => underWay.push({ text, answer: (outcome = ANSWERED) => resolve(outcome) }));
  };
  const queue = new Queue(next, drop, { maxEnvelopes: 10, maxInFlight: 2, ...bounds }, { failureToRetry, spool });
  const send = (text: string, type: EnvelopeItemType = 'event') => {
    const envelope: Envelope = [{}, [[{ type }, text]]];
    return queue.send(new PendingEnvelope(envelope, ENVELOPE_FORMAT));
  };
  const answerFirst = async (outcome?: Outcome) => {
    underWay.shift()!.answer(outcome);
    await settle();
  };
  return { queue, started, dropped, send, answerFirst };
}

/** Lets promises that are ready run. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

it('so many are under way at once; the others follow in the order in which they came', async () => {
  const { started, send, answerFirst } = setUp({ maxInFlight: 2 });
  const outcomes = ['a', 'b', 'c', 'd', 'e'].map((text) => send(text));
  expect(started).toEqual(['a', 'b']);
  await answerFirst();
  expect(started).toEqual(['a', 'b', 'c']);
  void send('f');
  expect(started).toEqual(['a', 'b', 'c']);
  for (let i = 0; i < 5; i++) await answerFirst();
  expect(started).toEqual(['a', 'b', 'c', 'd', 'e', 'f']);
  expect(await Promise.all(outcomes)).toEqual(Array(5).fill(ANSWERED));
});

it('32 are under way at once by default', () => {
  const { started, send } = setUp({ maxEnvelopes: 100, maxInFlight: undefined });
  for (let i = 0; i < 40; i++) void send(String(i));
  expect(started).toHaveLength(32);
});

it('what exceeds the number is dropped at once, and there is room again after an answer', async () => {
  const { started, dropped, send, answerFirst } = setUp({ maxEnvelopes: 3 });
  const outcomes = ['a', 'b', 'c', 'd'].map((text) => send(text));
  expect(dropped).toEqual([['queue_overflow', ['d']]]);
  expect(await outcomes[3]).toEqual({ kind: 'dropped' });
  await answerFirst();
  void send('e');
  expect(dropped).toHaveLength(1);
  await answerFirst();
  await answerFirst();
  expect(started).toEqual(['a', 'b', 'c', 'e']);
});

it('a queue without room drops everything', () => {
  const { dropped, send } = setUp({ maxEnvelopes: 0 });
  void send('a');
  expect(dropped).toEqual([['queue_overflow', ['a']]]);
});

it('what comes while the size is reached is dropped; a large one passes when it comes alone', async () => {
  const { started, dropped, send, answerFirst } = setUp({ maxSize: 1000 });
  const large = 'x'.repeat(5000);
  void send(large);
  void send('a');
  expect(started).toEqual([large]);
  expect(dropped).toEqual([['queue_overflow', ['a']]]);
  await answerFirst();
  void send('b');
  expect(started).toEqual([large, 'b']);
});

it('what waits counts with its size, too', () => {
  const { dropped, send } = setUp({ maxSize: 1000, maxInFlight: 1 });
  for (const letter of ['a', 'b', 'c', 'd']) void send(letter.repeat(400));
  expect(dropped).toEqual([['queue_overflow', ['d'.repeat(400)]]]);
});

it('a client report passes a full queue and takes no place in it', () => {
  const { started, dropped, send } = setUp({ maxEnvelopes: 1 });
  void send('report', 'client_report');
  void send('a');
  expect(started).toEqual(['report', 'a']);
  void send('b');
  expect(dropped).toEqual([['queue_overflow', ['b']]]);
  void send('another report', 'client_report');
  expect(dropped).toHaveLength(1);
});

it('what waits is held as it was when it came', async () => {
  const bodies: unknown[] = [];
  const answers: (() => void)[] = [];
  const next = (envelope: PendingEnvelope) => {
    bodies.push(envelope.serialize());
    return new Promise<Outcome>((resolve) => answers.push(() => resolve(ANSWERED)));
  };
  const queue = new Queue(next, vi.fn(), { maxEnvelopes: 10, maxInFlight: 1 });
  const payload = { message: 'before' };
  const envelope: Envelope = [{}, [[{ type: 'event' }, payload]]];
  void queue.send(new PendingEnvelope([{}, [[{ type: 'event' }, {}]]], ENVELOPE_FORMAT));
  void queue.send(new PendingEnvelope(envelope, ENVELOPE_FORMAT));
  payload.message = 'after';
  answers[0]!();
  await settle();
  expect(bodies[1]).toContain('"before"');
});

it('flush waits for what was sent before, not for what comes later', async () => {
  const { queue, send, answerFirst } = setUp({ maxInFlight: 1 });
  expect(await queue.flush()).toBe(true);
  void send('a');
  void send('b');
  const isFlushed = vi.fn();
  void queue.flush().then(isFlushed);
  void send('c');
  await answerFirst();
  expect(isFlushed).not.toHaveBeenCalled();
  await answerFirst();
  expect(isFlushed).toHaveBeenCalledExactlyOnceWith(true);
});

it('flush is false when time is up', async () => {
  const { queue, send } = setUp();
  void send('a');
  expect(await queue.flush(5)).toBe(false);
});

it('closing lets go what waits and what comes later, not what is under way', async () => {
  const { queue, started, dropped, send, answerFirst } = setUp({ maxInFlight: 1 });
  const [first, second] = [send('a'), send('b')];
  queue.close();
  const third = send('c');
  expect(dropped).toEqual([
    ['network_error', ['b']],
    ['network_error', ['c']],
  ]);
  expect(await second).toMatchObject({ kind: 'unreachable' });
  expect(await third).toMatchObject({ kind: 'unreachable' });
  await answerFirst();
  expect(await first).toEqual(ANSWERED);
  expect(started).toEqual(['a']);
  expect(await queue.flush()).toBe(true);
});

describe('with retries', () => {
  const FAILED: Outcome = { kind: 'unreachable', error: new Error('down') };
  const failureToRetry: ReadFailure = ({ kind }) => (kind === 'unreachable' ? { why: 'down' } : undefined);
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
  afterEach(() => void vi.useRealTimers());

  it('what failed is sent again, and nothing else before it is answered', async () => {
    const { started, send, answerFirst } = setUp({ maxInFlight: 2 }, failureToRetry);
    const outcome = send('a');
    await answerFirst(FAILED);
    for (const text of ['b', 'c']) void send(text);
    expect(started).toEqual(['a']);
    vi.advanceTimersByTime(250);
    expect(started).toEqual(['a', 'a']);
    await answerFirst(FAILED);
    vi.advanceTimersByTime(500);
    expect(started).toEqual(['a', 'a', 'a']);
    await answerFirst();
    expect(await outcome).toEqual(ANSWERED);
    expect(started).toEqual(['a', 'a', 'a', 'b', 'c']);
  });

  it('what failed together leaves again in the order in which it came', async () => {
    const { started, send, answerFirst } = setUp({ maxInFlight: 3 }, failureToRetry);
    for (const text of ['a', 'b', 'c', 'd']) void send(text);
    for (let i = 0; i < 3; i++) await answerFirst(FAILED);
    vi.advanceTimersByTime(250);
    await answerFirst();
    for (let i = 0; i < 3; i++) await answerFirst();
    expect(started).toEqual(['a', 'b', 'c', 'a', 'b', 'c', 'd']);
  });

  it('what alone fails does not hold up others, and is tried less and less often', async () => {
    const { started, dropped, send, answerFirst } = setUp({ maxInFlight: 1, maxEnvelopes: 100 }, failureToRetry);
    const outcome = send('a');
    for (let i = 0; i < 3; i++) {
      await answerFirst(FAILED);
      if (i === 0) void send('b');
      vi.advanceTimersByTime(1000);
    }
    expect(started).toEqual(['a', 'a', 'a', 'b']);
    await answerFirst();
    expect(started.at(-1)).toBe('a');
    const delays: number[] = [];
    for (;;) {
      await answerFirst(FAILED);
      if (dropped.length > 0) break;
      void send('c');
      expect(started.at(-1)).toBe('c');
      await answerFirst();
      let millis = 0;
      for (; started.at(-1) !== 'a'; millis += 250) vi.advanceTimersByTime(250);
      delays.push(millis);
    }
    expect(delays).toEqual([500, 1000, 2000, 4000, 8000, 16_000, 32_000, 64_000, 128_000, 256_000]);
    expect(dropped).toEqual([['network_error', ['a']]]);
    expect(await outcome).toEqual({ kind: 'dropped' });
  });

  it('many that a destination never takes hold others up for a moment only', async () => {
    const { started, send, answerFirst } = setUp({ maxInFlight: 8, maxEnvelopes: 100 }, failureToRetry);
    for (let i = 0; i < 8; i++) void send(`bad ${i}`);
    for (let i = 0; i < 8; i++) await answerFirst(FAILED);
    void send('good');
    for (let i = 0; i < 2; i++) {
      vi.advanceTimersByTime(1000);
      await answerFirst(FAILED);
    }
    vi.advanceTimersByTime(1000);
    expect(started.at(-1)).toBe('good');
  });

  it('a flush without a timeout does not wait for what fails alone', async () => {
    const { queue, send, answerFirst } = setUp({ maxInFlight: 2 }, failureToRetry);
    void send('a');
    void send('b');
    await answerFirst(FAILED);
    const flushed = queue.flush();
    await answerFirst();
    await answerFirst(FAILED);
    expect(await flushed).toBe(false);
  });

  it('what fails alone gives up its place to others', async () => {
    const { dropped, send, answerFirst } = setUp({ maxInFlight: 2, maxEnvelopes: 2 }, failureToRetry);
    void send('a');
    void send('b');
    await answerFirst(FAILED);
    await answerFirst();
    await answerFirst(FAILED);
    void send('c');
    void send('d');
    expect(dropped).toEqual([['queue_overflow', ['a']]]);
  });

  it('what fails twice with one answer in between is not alone the second time', async () => {
    const { started, send, answerFirst } = setUp({ maxInFlight: 3 }, failureToRetry);
    for (const text of ['a', 'b', 'c']) void send(text);
    for (let i = 0; i < 3; i++) await answerFirst(FAILED);
    vi.advanceTimersByTime(250);
    await answerFirst();
    expect(started).toEqual(['a', 'b', 'c', 'a', 'b', 'c']);
    await answerFirst(FAILED);
    await answerFirst(FAILED);
    void send('d');
    expect(started).toHaveLength(6);
  });

  it.each([
    ['a flush tries it again', (queue: Queue) => void queue.flush(1), ['a'], []],
    ['the end of the queue drops it', (queue: Queue) => queue.close(), [], [['network_error', ['a']]]],
  ])('while something waits because it fails alone, %s', async (_, act, startedAgain, lost) => {
    const { queue, started, dropped, send, answerFirst } = setUp({ maxInFlight: 2 }, failureToRetry);
    void send('a');
    void send('b');
    await answerFirst(FAILED);
    await answerFirst();
    expect(started).toEqual(['a', 'b', 'a']);
    await answerFirst(FAILED);
    act(queue);
    expect(started.slice(3)).toEqual(startedAgain);
    expect(dropped).toEqual(lost);
  });

  it('errors leave first, then transactions, then the rest', async () => {
    const { started, send, answerFirst } = setUp({ maxInFlight: 1 }, failureToRetry);
    void send('transaction', 'transaction');
    await answerFirst(FAILED);
    void send('session', 'session');
    void send('report', 'client_report');
    void send('second transaction', 'transaction');
    void send('error');
    vi.advanceTimersByTime(250);
    for (let i = 0; i < 5; i++) await answerFirst();
    expect(started.slice(1)).toEqual(['error', 'transaction', 'second transaction', 'session', 'report']);
  });

  it('an error takes the place of the oldest transaction that waits, not of another error', async () => {
    const { dropped, send, answerFirst } = setUp({ maxEnvelopes: 3, maxInFlight: 1 }, failureToRetry);
    const first = send('error 1');
    await answerFirst(FAILED);
    const second = send('transaction 2', 'transaction');
    void send('transaction 3', 'transaction');
    void send('transaction 4', 'transaction');
    void send('error 5');
    expect(dropped).toEqual([
      ['queue_overflow', ['transaction 4']],
      ['queue_overflow', ['transaction 2']],
    ]);
    expect(await second).toEqual({ kind: 'dropped' });
    void send('error 6');
    void send('error 7');
    expect(dropped.slice(2)).toEqual([
      ['queue_overflow', ['transaction 3']],
      ['queue_overflow', ['error 7']],
    ]);
    vi.advanceTimersByTime(250);
    await answerFirst();
    expect(await first).toEqual(ANSWERED);
  });

  it('a slow destination gets more requests at once, and one that failed gets fewer', async () => {
    const { started, send, answerFirst } = setUp({ maxEnvelopes: 100, maxInFlight: 16 }, failureToRetry);
    for (let i = 0; i < 30; i++) void send(String(i));
    expect(started).toHaveLength(16);
    await answerFirst();
    expect(started).toHaveLength(18);
    await answerFirst(FAILED);
    for (let i = 0; i < 16; i++) await answerFirst(FAILED);
    vi.advanceTimersByTime(250);
    expect(started).toHaveLength(19);
    await answerFirst();
    expect(started).toHaveLength(28);
  });

  it('what exceeds the number goes to disk until all that waited for the destination is sent', async () => {
    const store = vi.fn(async () => true);
    const spool = { accepts: () => true, store, storeSync: () => new Set<PendingEnvelope>() };
    const { dropped, send, answerFirst } = setUp({ maxEnvelopes: 12 }, failureToRetry, spool);
    const answered = [send('error 1')];
    await answerFirst(FAILED);
    const sendMany = (count: number) => Array.from({ length: count }, (_, index) => send(`error ${index}`));
    answered.push(...sendMany(11));
    expect(await send('one too many')).toEqual(STORED);
    vi.advanceTimersByTime(250);
    await answerFirst();
    // The destination answers, and most of them still wait.
    answered.push(send('the place of the first'));
    expect(await send('one too many')).toEqual(STORED);
    for (let i = 0; i < 12; i++) await answerFirst();
    expect(await Promise.all(answered)).toEqual(Array(13).fill(ANSWERED));
    void sendMany(12);
    void send('one too many of a destination that keeps up');
    expect(dropped).toEqual([['queue_overflow', ['one too many of a destination that keeps up']]]);
    expect(store).toHaveBeenCalledTimes(2);
  });
});
