import { describe, expect, it } from 'vitest';
import {
  addEventProcessor,
  type ClientOptions,
  captureEvent,
  captureException,
  captureFeedback,
  captureMessage,
  type DataCategory,
  type Event,
  getGlobalScope,
  init,
  lastEventId,
  parameterize,
  setTag,
} from '../../src/index.js';
import type { EnvelopeItemType } from '../../src/model/delivery/item-types.js';
import type { Receiver } from '../support/receiver.js';
import { resetOpenTelemetry, tell } from '../support/story.js';

interface Kind {
  readonly name: string;
  readonly event: Event;
  readonly item: EnvelopeItemType;
  /** What one of it counts as. */
  readonly counts: Partial<Record<DataCategory, number>>;
}

const SPAN = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16), start_timestamp: 1, timestamp: 2, data: {} };
const TRANSACTION: Event = {
  type: 'transaction',
  transaction: 'GET /',
  start_timestamp: 1,
  timestamp: 2,
  contexts: { trace: { trace_id: SPAN.trace_id, span_id: 'c'.repeat(16) } },
  spans: [SPAN],
};

const KINDS: Kind[] = [
  { name: 'an error', event: { message: 'boom' }, item: 'event', counts: { error: 1 } },
  { name: 'a transaction', event: TRANSACTION, item: 'transaction', counts: { transaction: 1, span: 2 } },
  { name: 'a profile', event: { type: 'profile' }, item: 'profile', counts: { profile: 1 } },
  { name: 'a replay event', event: { type: 'replay_event' }, item: 'replay_event', counts: { replay: 1 } },
  {
    name: 'a feedback',
    event: { type: 'feedback', contexts: { feedback: { message: 'nice' } } },
    item: 'feedback',
    counts: { feedback: 1 },
  },
];

const capture = ({ event }: Kind) => captureEvent(structuredClone(event));
const captureAll = () => KINDS.map(capture);
const arrived = (receiver: Receiver) =>
  KINDS.filter(({ item }) => receiver.items(item).length > 0).map(({ name }) => name);
const namesOf = (isWanted: (kind: Kind) => boolean) => KINDS.filter(isWanted).map(({ name }) => name);

/** Captures one of each kind, and expects which of them arrive and what is reported of the others. */
async function expectLost(
  options: ClientOptions,
  lost: string[],
  reason: string,
  prepare: () => void = () => undefined,
) {
  await tell(
    options,
    () => {
      prepare();
      captureAll();
    },
    ({ receiver }) => {
      expect(arrived(receiver)).toEqual(namesOf(({ name }) => !lost.includes(name)));
      const expected = KINDS.filter(({ name }) => lost.includes(name)).flatMap(({ counts }) =>
        Object.entries(counts).map(([category, quantity]) => ({ reason, category, quantity })),
      );
      expect(receiver.discards()).toEqual(expect.arrayContaining(expected));
      expect(receiver.discards()).toHaveLength(expected.length);
    },
  );
}

describe.each(KINDS)('$name', (kind) => {
  it('is sent as its own item type, counts in its own category, and has the members of every event', async () => {
    let id: string | undefined;
    await tell(
      { release: 'shop@1', environment: 'staging', defaultIntegrations: false },
      () => {
        setTag('a', '1');
        id = capture(kind);
      },
      ({ client, receiver }) => {
        expect(receiver.envelopes).toHaveLength(1);
        const [{ headers, items }] = receiver.envelopes as [(typeof receiver.envelopes)[number]];
        expect(items.map((one) => one.headers.type)).toEqual([kind.item]);
        expect(headers.event_id).toBe(id);
        // An event that names its trace itself says nothing about how that was sampled.
        expect(headers.trace === undefined).toBe(kind.event.contexts?.trace !== undefined);
        expect(items[0]!.json).toMatchObject({
          event_id: id,
          timestamp: expect.any(Number),
          platform: 'node',
          release: 'shop@1',
          environment: 'staging',
          tags: { a: '1' },
          contexts: { trace: { trace_id: expect.any(String), span_id: expect.any(String) } },
          sdk: { name: 'faultline.javascript.node' },
        });
        expect(items[0]!.json).not.toHaveProperty('sdkProcessingMetadata');
        expect(receiver.counts()).toEqual(kind.counts);
        for (const [category, quantity] of Object.entries(kind.counts)) {
          expect(client.ledger.balance()[category as DataCategory]).toMatchObject({ delivered: quantity });
        }
      },
    );
  });

  it('is sent with its attachments', async () => {
    await tell(
      {},
      () => void captureEvent(structuredClone(kind.event), { attachments: [{ filename: 'a.txt', data: 'a' }] }),
      ({ receiver }) => {
        const types = receiver.envelopes[0]!.items.map(({ headers }) => headers.type);
        expect(types).toEqual([kind.item, 'attachment']);
      },
    );
  });

  it('passes the event processors of integrations, client and scopes, each of which may drop it', async () => {
    const seen: string[] = [];
    const see = (name: string) => (event: Event) => {
      seen.push(name);
      return event;
    };
    const integration = { name: 'Seeing', processEvent: see('integration') };
    await tell(
      { integrations: [integration] },
      ({ client }) => {
        client.addEventProcessor(see('client'));
        getGlobalScope().addEventProcessor(see('global'));
        addEventProcessor(() => null);
        capture(kind);
      },
      ({ receiver }) => {
        expect(seen).toEqual(['integration', 'client', 'global']);
        expect(arrived(receiver)).toEqual([]);
        const told = Object.fromEntries(receiver.discards().map(({ category, quantity }) => [category, quantity]));
        expect(told).toEqual(kind.counts);
      },
    );
  });

  it('is discarded alone while its category is rate limited', async () => {
    const [category] = Object.keys(kind.counts) as [DataCategory];
    await tell(
      {},
      async ({ client, receiver }) => {
        receiver.respondWith({ headers: { 'x-sentry-rate-limits': `60:${category}:key` } });
        capture(kind);
        await client.flush(5000);
        captureAll();
      },
      ({ receiver }) => {
        expect(KINDS.map(({ item }) => receiver.items(item).length)).toEqual(KINDS.map(() => 1));
        expect(receiver.discardedTotal('ratelimit_backoff', category)).toBe(1);
      },
    );
  });
});

describe('of all kinds,', () => {
  const EVERYTHING = [/^/];

  it.each<[what: string, options: ClientOptions, lost: string[], reason: string]>([
    ['`beforeSend` sees errors only', { beforeSend: () => null }, ['an error'], 'before_send'],
    [
      '`beforeSendTransaction` sees transactions only',
      { beforeSendTransaction: () => null },
      ['a transaction'],
      'before_send',
    ],
    ['`sampleRate` applies to errors only', { sampleRate: 0 }, ['an error'], 'sample_rate'],
    ['`ignoreErrors` applies to errors only', { ignoreErrors: EVERYTHING }, ['an error'], 'event_processor'],
    [
      '`ignoreTransactions` applies to transactions only',
      { ignoreTransactions: EVERYTHING },
      ['a transaction'],
      'event_processor',
    ],
  ])('%s', (_, options, lost, reason) => expectLost(options, lost, reason));

  it('`lastEventId` follows errors only', async () => {
    await tell({}, () => {
      const [error] = captureAll();
      expect(lastEventId()).toBe(error);
    });
  });

  it('hooks see each before scopes are merged in, and before it is sent', async () => {
    const seen: unknown[] = [];
    await tell(
      {},
      ({ client }) => {
        client.on('preprocessEvent', ({ type, tags }) => seen.push(['preprocess', type, tags]));
        client.on('beforeSendEvent', ({ type, tags }) => seen.push(['send', type, tags]));
        setTag('a', '1');
        captureAll();
      },
      () => {
        const expected = KINDS.flatMap(({ event: { type } }) => [
          ['preprocess', type, undefined],
          ['send', type, { a: '1' }],
        ]);
        expect(seen).toHaveLength(expected.length);
        expect(seen).toEqual(expect.arrayContaining(expected));
      },
    );
  });
});

describe('spans of a transaction made by hand that cannot be sent are counted:', () => {
  const many = (count: number) => Array.from({ length: count }, (_, i) => ({ ...SPAN, description: `${i}` }));
  const invalid = { ...SPAN, start_timestamp: 9, timestamp: 1 };

  it.each<[string, unknown[], number]>([
    ['those beyond 10,000', many(10_007), 7],
    ['those that end before they start', [...many(2), invalid, invalid], 2],
    ['values that are not spans', [...many(2), null, 'x', {}], 3],
  ])('%s', async (_, spans, cut) => {
    await tell(
      {},
      ({ client }) => {
        captureEvent({ ...TRANSACTION, spans: spans as Event['spans'] });
        expect(client.ledger.balance().span).toMatchObject({ captured: spans.length + 1, discarded: cut });
      },
      ({ receiver }) => {
        expect(receiver.discardedTotal('buffer_overflow', 'span')).toBe(cut);
        expect(receiver.transactions[0]?.spans).toHaveLength(spans.length - cut);
      },
    );
  });

  it('also if the transaction is refused', async () => {
    const client = init({ dsn: 'http://key@127.0.0.1:1/1', enabled: false });
    captureEvent({ ...TRANSACTION, spans: many(10_007) });
    expect(client.ledger.balance()).toMatchObject({ transaction: { discarded: 1 }, span: { discarded: 10_008 } });
    await client.close(0);
    resetOpenTelemetry();
  });

  it('but not those of a transaction that was captured before', async () => {
    await tell({}, ({ client }) => {
      const originalException = new Error('known');
      for (let i = 0; i < 2; i++) captureEvent({ ...TRANSACTION, spans: many(10_007) }, { originalException });
      expect(client.ledger.balance().span?.captured).toBe(10_008);
    });
  });
});

it('a list that lies about its length is no count, and is not read to its end', async () => {
  let reads = 0;
  const get = (list: unknown[], key: string) => {
    reads += 1;
    return key === 'length' ? 2 ** 40 : list[Number(key)];
  };
  const lying = <T>(list: T[]) => new Proxy(list, { get } as never);
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    ignoreErrors: lying(['none']),
    beforeSend: () => null,
  });
  captureMessage('x', { attachments: lying([{ filename: 'a', data: '' }]) });
  expect(client.ledger.balance().attachment?.captured).toBe(1);
  captureMessage(parameterize(['', ' failed'] as never, lying([1])));
  expect(reads).toBeLessThan(100_000);
  await client.close(0);
  resetOpenTelemetry();
});

describe('attachments beyond 10,000 are counted:', () => {
  const attachments = Array.from({ length: 10_007 }, (_, i) => ({ filename: `${i}.txt`, data: '' }));

  it.each<[string, () => unknown]>([
    ['of an error', () => captureException(new Error('x'), { attachments })],
    ['of a message', () => captureMessage('x', { attachments })],
    ['of an event', () => captureEvent({ message: 'x' }, { attachments })],
    ['of a feedback', () => captureFeedback({ message: 'x' }, { attachments })],
    ['of a capture context', () => captureMessage('x', { tags: { a: '1' }, attachments })],
  ])('%s', async (_, story) => {
    const client = init({ dsn: 'http://key@127.0.0.1:1/1', beforeSend: () => null });
    client.addEventProcessor(() => null);
    story();
    expect(client.ledger.balance().attachment).toMatchObject({ captured: 10_007, discarded: 10_007 });
    await client.close(0);
    resetOpenTelemetry();
  });

  it('and the others are sent', async () => {
    await tell(
      {},
      () => void captureMessage('x', { attachments }),
      ({ receiver }) => {
        expect(receiver.discardedTotal('buffer_overflow', 'attachment')).toBe(7);
        const queued = receiver.discardedTotal('queue_overflow', 'attachment');
        expect(receiver.attachments).toHaveLength(10_000 - queued);
      },
    );
  });
});

it('a length that a proxy of spans claims is not counted', async () => {
  const client = init({ dsn: 'http://key@127.0.0.1:1/1' });
  const spans = new Proxy([], { get: (list, key) => (key === 'length' ? 2 ** 40 : Reflect.get(list, key)) });
  captureEvent({ type: 'transaction', transaction: 'a', start_timestamp: 1, timestamp: 2, spans });
  expect(client.ledger.balance().span).toMatchObject({ captured: 1 });
  await client.close(0);
  resetOpenTelemetry();
});
