import { describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  captureEvent,
  captureException,
  type Event,
  setContext,
  setExtra,
  setTag,
  setUser,
  startSpan,
} from '../../src/index.js';
import { tell } from '../support/story.js';

const TRACE_ID = 'a'.repeat(32);
const SPAN_ID = 'b'.repeat(16);
const SPAN = { trace_id: TRACE_ID, span_id: SPAN_ID, start_timestamp: 1 };
const TRANSACTION = {
  type: 'transaction',
  transaction: 'GET /',
  start_timestamp: 1,
  timestamp: 2,
  contexts: { trace: { trace_id: TRACE_ID, span_id: 'c'.repeat(16) } },
};
const hex = (length: number) => expect.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`));

async function leaves(event: unknown): Promise<Event> {
  const received: Event[] = [];
  await tell(
    {},
    () => captureEvent(event as Event),
    ({ receiver }) => received.push(...receiver.events, ...receiver.transactions),
  );
  return received[0]!;
}

describe('an event passed to captureEvent keeps its members, and required ones are filled in:', () => {
  it.each<[what: string, given: object, expected: object]>([
    [
      'a mechanism without a type',
      exceptionWith({ handled: false }),
      exceptionWith({ type: 'generic', handled: false }),
    ],
    ['a trace without a span', inTrace({ trace_id: TRACE_ID }), inTrace({ trace_id: TRACE_ID, span_id: hex(16) })],
    [
      'a measurement without a unit',
      { measurements: { lcp: { value: 1 } } },
      { measurements: { lcp: { value: 1, unit: '' } } },
    ],
    ['an sdk without a version', { sdk: { name: 'mine' } }, { sdk: { name: 'mine', version: expect.any(String) } }],
    ['breadcrumbs as values', { breadcrumbs: { values: [{ message: 'a' }] } }, { breadcrumbs: [{ message: 'a' }] }],
    ['a tag that is an object', { tags: { cart: { id: 1 } } }, { tags: { cart: '[Object]' } }],
    [
      'a span without data, not ended',
      { ...TRANSACTION, spans: [SPAN] },
      { spans: [{ ...SPAN, timestamp: 1, data: {} }] },
    ],
    [
      'ids in another notation',
      { event_id: 'AAAAAAAA-AAAA-4AAA-8AAA-AAAAAAAAAAAA' },
      { event_id: 'aaaaaaaaaaaa4aaa8aaaaaaaaaaaaaaa' },
    ],
    [
      'a span that began in milliseconds',
      { ...TRANSACTION, spans: [{ ...SPAN, start_timestamp: 1.7e12 }] },
      { spans: [] },
    ],
  ])('%s', async (_, given, expected) => {
    expect(await leaves({ message: 'made by hand', ...given })).toMatchObject(expected);
  });
});

it.each([1.7e12, 1e15, -1])('a time that servers cannot parse, such as %d, is replaced', async (time) => {
  const before = Date.now() / 1000;
  const event = await leaves({
    message: 'made by hand',
    timestamp: time,
    breadcrumbs: [{ message: 'a', timestamp: time }],
  });
  expect(event.timestamp).toBeGreaterThanOrEqual(before);
  expect(event.timestamp).toBeLessThan(before + 86_400);
  expect(event.breadcrumbs).toEqual([{ message: 'a' }]);

  const transaction = await leaves({ ...TRANSACTION, start_timestamp: time, timestamp: time });
  expect(transaction.timestamp).toBeGreaterThanOrEqual(before);
  expect(transaction.start_timestamp).toBe(transaction.timestamp);
});

it('a breadcrumb with a time in milliseconds gets the time at which it was added', async () => {
  const before = Date.now() / 1000;
  await tell(
    {},
    () => {
      addBreadcrumb({ message: 'in milliseconds', timestamp: Date.now() });
      captureException(new Error('boom'));
    },
    ({ receiver }) => {
      const [breadcrumb] = receiver.events[0]!.breadcrumbs!;
      expect(breadcrumb!.timestamp).toBeGreaterThanOrEqual(before);
      expect(breadcrumb!.timestamp).toBeLessThan(before + 86_400);
    },
  );
});

it.each([5, true, null, ['a']])(
  'data whose toJSON returns %j is sent in an object, as servers require',
  async (value) => {
    const data = { toJSON: () => value };
    await tell(
      {},
      () => {
        setContext('of the scope', data);
        setUser(data);
        addBreadcrumb({ message: 'before', data });
        captureEvent({ message: 'made by hand', contexts: { own: data }, extra: data });
      },
      ({ receiver }) =>
        expect(receiver.events).toMatchObject([
          {
            contexts: { 'of the scope': { value }, own: { value } },
            user: { value },
            extra: { value },
            breadcrumbs: [{ data: { value } }],
          },
        ]),
    );
  },
);

it.each(['extra', 'tags', 'contexts'] as const)(
  'a getter that throws in %s costs its member, not the event',
  async (member) => {
    const values = {
      kept: member === 'contexts' ? { a: 1 } : 'a',
      get broken(): never {
        throw new Error('getter');
      },
    };
    await tell(
      {},
      () => {
        setExtra('b', 1);
        setTag('b', 'b');
        setContext('b', { b: 1 });
        captureEvent({ message: 'made by hand', [member]: values } as Event);
      },
      ({ receiver }) =>
        expect(receiver.events).toMatchObject([{ [member]: { kept: values.kept, b: expect.anything() } }]),
    );
  },
);

function exceptionWith(mechanism: object): object {
  return { exception: { values: [{ type: 'Error', value: 'boom', mechanism }] } };
}

function inTrace(trace: object): object {
  return { contexts: { trace } };
}

describe('a valid event is sent, whatever a hook returns:', () => {
  it.each<[what: string, change: (event: Event) => unknown]>([
    ['without an id', ({ event_id: _, ...rest }) => rest],
    ['without a time', ({ timestamp: _, ...rest }) => rest],
    ['without contexts', ({ contexts: _, ...rest }) => rest],
    ['with members of other types', (event) => ({ ...event, level: 5, tags: 'none', breadcrumbs: 1, fingerprint: {} })],
    ['frozen', (event) => Object.freeze({ ...event, sdk: undefined })],
    ['behind a proxy', (event) => new Proxy(event, {})],
  ])('%s', async (_, change) => {
    await tell(
      { beforeSend: (event) => change(event) as never },
      () => captureException(new Error('boom')),
      ({ receiver }) => {
        expect(receiver.events).toHaveLength(1);
        expect(receiver.events[0]).toMatchObject({
          event_id: hex(32),
          timestamp: expect.any(Number),
          platform: 'node',
          sdk: { name: expect.any(String), version: expect.any(String) },
          contexts: { trace: { trace_id: hex(32), span_id: hex(16) } },
        });
      },
    );
  });

  it('for a transaction without name and spans', async () => {
    const beforeSendTransaction = (event: Event) => ({ ...event, transaction: '', spans: 'none' }) as never;
    await tell(
      { tracesSampleRate: 1, beforeSendTransaction },
      () => startSpan({ name: 'root' }, () => startSpan({ name: 'child' }, () => undefined)),
      ({ receiver }) => {
        expect(receiver.transactions).toMatchObject([{ transaction: '<unlabeled transaction>' }]);
        expect(receiver.discardedTotal('before_send', 'span')).toBe(1);
      },
    );
  });
});
