import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Envelope, EnvelopeItem } from '../../../src/model/delivery/envelope.js';
import type { DataCategory } from '../../../src/model/delivery/outcome.js';
import type { TransportResponse } from '../../../src/model/delivery/transport.js';
import { ENVELOPE_FORMAT } from '../../../src/transport/formats/envelope-format.js';
import { type Drop, type Outcome, PendingEnvelope } from '../../../src/transport/pending-envelope.js';
import { RateLimits, rateLimited } from '../../../src/transport/stages/rate-limits.js';
import { parseRetryAfter } from '../../../src/transport/stages/retry.js';

/** Since some moment. */
const NOW = 5_000_000;
const UNIX = Date.UTC(2026, 0, 5, 9, 30, 0);
const PROBES = ['error', 'transaction', 'attachment', 'internal'] as const satisfies DataCategory[];
const [ALL, NONE] = [60, 0];

const limited = (header: string, statusCode = 200): TransportResponse => {
  return { statusCode, headers: { 'x-sentry-rate-limits': header } };
};
const retryAfter = (header: string, statusCode = 429): TransportResponse => {
  return { statusCode, headers: { 'retry-after': header } };
};

/** For how many seconds each category is closed, looked at from both sides of the moment. */
function closedSeconds(limits: RateLimits, seconds: number, category: DataCategory): boolean {
  const end = NOW + seconds * 1000;
  return (seconds === 0 || limits.isClosed(category, end - 1)) && !limits.isClosed(category, end);
}

describe('an answer closes categories for so many seconds:', () => {
  const all = (seconds: number) => ({ error: seconds, transaction: seconds, attachment: seconds, internal: seconds });
  const rows: [what: string, answer: TransportResponse, seconds: Partial<Record<DataCategory, number>>][] = [
    ['200', { statusCode: 200, headers: {} }, all(NONE)],
    ['500', { statusCode: 500, headers: {} }, all(NONE)],
    ['no status', {}, all(NONE)],
    ['429 without headers', { statusCode: 429 }, all(ALL)],
    ['429, empty headers', { statusCode: 429, headers: { 'x-sentry-rate-limits': '', 'retry-after': null } }, all(ALL)],
    ['one category', limited('30:error:key'), { error: 30 }],
    ['two categories', limited('30:error;transaction:organization'), { error: 30, transaction: 30 }],
    ['two limits', limited('30:error:key, 90:transaction:key'), { error: 30, transaction: 90 }],
    ['no category is all', limited('2700::organization'), all(2700)],
    ['nothing but seconds is all', limited('5'), all(5)],
    ['one and all', limited('60:error:key, 10::organization'), { ...all(10), error: 60 }],
    ['further parts are ignored', limited('30:error:key:quota_exceeded:custom:x'), { error: 30 }],
    ['unknown categories are ignored', limited('30:cat;error;dog:key'), { error: 30 }],
    ['only unknown categories', limited('30:cat;dog:key', 429), all(NONE)],
    ['a decimal is cut', limited('30.9:error:key'), { error: 30 }],
    ['no number is 60', limited('soon:error:key'), { error: 60 }],
    ['a missing number is 60', limited(':error:key'), { error: 60 }],
    ['a negative number', limited('-30:error:key'), all(NONE)],
    ['a name of Object.prototype', limited('30:constructor:key'), all(NONE)],
    ['client reports', limited('30:internal:key'), { internal: 30 }],
    ['Retry-After in seconds', retryAfter('17'), all(17)],
    ['Retry-After as a date', retryAfter('Mon, 05 Jan 2026 09:32:00 GMT'), all(120)],
    ['Retry-After in the past', retryAfter('Mon, 05 Jan 2026 09:00:00 GMT'), all(NONE)],
    ['Retry-After as nonsense', retryAfter('later'), all(ALL)],
    ['Retry-After with 503', retryAfter('17', 503), all(17)],
    [
      'the header of its own before Retry-After',
      { statusCode: 429, headers: { 'x-sentry-rate-limits': '30:error:key', 'retry-after': '90' } },
      { error: 30 },
    ],
    ['413 says nothing about others', retryAfter('17', 413), all(NONE)],
  ];
  it.each(rows)('%s', (_, answer, seconds) => {
    const limits = new RateLimits();
    limits.update(answer, NOW, UNIX);
    for (const category of PROBES) {
      expect(closedSeconds(limits, seconds[category] ?? NONE, category), category).toBe(true);
    }
  });
});

it('of two limits for a category the longer holds, in whatever order they come', () => {
  for (const headers of [
    ['90:error:key', '30:error:key'],
    ['30:error:key', '90:error:key'],
  ]) {
    const limits = new RateLimits();
    for (const header of headers) limits.update(limited(header), NOW, UNIX);
    expect(closedSeconds(limits, 90, 'error')).toBe(true);
  }
});

it.each([
  ['a date in 2099', retryAfter('Thu, 01 Jan 2099 00:00:00 GMT', 503)],
  ['a year of seconds', retryAfter('31536000')],
  ['a limit of its own header', limited('99999999:error:key')],
])('%s closes for an hour, not longer', (_, answer) => {
  const limits = new RateLimits();
  limits.update(answer, NOW, UNIX);
  expect(closedSeconds(limits, 3600, 'error')).toBe(true);
  expect(limits.isAnyClosed(NOW + 3_600_000)).toBe(false);
});

it('whether any limit holds is known without looking at categories', () => {
  const limits = new RateLimits();
  // A clock of a test may stand before its begin.
  for (const now of [-1, NOW]) expect([limits.isAnyClosed(now), limits.isClosed('error', now)]).toEqual([false, false]);
  limits.update(limited('30:error:key'), NOW, UNIX);
  expect([NOW, NOW + 29_999, NOW + 30_000].map((now) => limits.isAnyClosed(now))).toEqual([true, true, false]);
});

it.each([
  ['0', 0],
  [' 5 ', 5],
  ['5.9', 5],
  ['-5', 60],
  ['', 60],
  ['2026', 2026],
])('a Retry-After of %j means %d seconds', (value, seconds) => {
  expect(parseRetryAfter(value, UNIX)).toBe(seconds * 1000);
});

describe('the stage', () => {
  const event: EnvelopeItem = [{ type: 'event' }, { message: 'x' }];
  const attachment: EnvelopeItem = [{ type: 'attachment', filename: 'a' }, 'x'];
  const report: EnvelopeItem = [{ type: 'client_report' }, {}];
  const envelope = (...items: EnvelopeItem[]): Envelope => [{ event_id: 'e' }, items];

  afterEach(() => void vi.restoreAllMocks());

  /** A stage over a destination that answers as told and records what reaches it. */
  function setUp() {
    const state = { now: NOW, unix: UNIX, answer: { statusCode: 200 } as TransportResponse };
    const arrived: (readonly EnvelopeItem[])[] = [];
    const dropped: Parameters<Drop>[] = [];
    const send = rateLimited(
      async (parcel): Promise<Outcome> => {
        arrived.push(parcel.items);
        return { kind: 'answered', response: state.answer };
      },
      (...args) => void dropped.push(args),
      () => state.unix,
      false,
      new RateLimits(),
    );
    vi.spyOn(performance, 'now').mockImplementation(() => state.now);
    const sendEnvelope = (given: Envelope) => send(new PendingEnvelope(given, ENVELOPE_FORMAT));
    return {
      state,
      arrived,
      dropped,
      sendEnvelope,
      send: (...items: EnvelopeItem[]) => sendEnvelope(envelope(...items)),
    };
  }

  it('takes items of closed categories out, and says which', async () => {
    const { state, arrived, dropped, send } = setUp();
    state.answer = limited('30:attachment:key');
    await send(event, attachment);
    state.answer = { statusCode: 200 };
    expect(await send(event, attachment)).toEqual({ kind: 'answered', response: { statusCode: 200 } });
    expect(arrived).toEqual([[event, attachment], [event]]);
    expect(dropped).toEqual([['ratelimit_backoff', [attachment]]]);
  });

  it('sends nothing when nothing is left, and sends again when the time is over', async () => {
    const { state, arrived, dropped, send } = setUp();
    state.answer = limited('30:error:key');
    await send(event);
    expect(await send(event)).toEqual({ kind: 'dropped' });
    state.now += 30_000;
    await send(event);
    expect(arrived).toHaveLength(2);
    expect(dropped).toEqual([['ratelimit_backoff', [event]]]);
  });

  it.each([
    ['seconds', limited('30:error:key')],
    ['a date', retryAfter('Mon, 05 Jan 2026 09:30:30 GMT')],
  ])('sends again after a limit in %s, although the system clock was set back', async (_, answer) => {
    const { state, arrived, send } = setUp();
    state.answer = answer;
    await send(event);
    state.unix -= 12 * 3_600_000;
    state.now += 29_999;
    expect(await send(event)).toEqual({ kind: 'dropped' });
    state.now += 1;
    await send(event);
    expect(arrived).toHaveLength(2);
  });

  it('lets client reports through while only the categories of the application are closed', async () => {
    const { state, arrived, send } = setUp();
    state.answer = limited('30:error;transaction;attachment:key');
    await send(event);
    await send(report);
    expect(arrived).toEqual([[event], [report]]);
  });

  it('leaves the envelope that was handed in as it was', async () => {
    const { state, arrived, send, sendEnvelope } = setUp();
    state.answer = limited('30:attachment:key');
    await send(event);
    const given = envelope(event, attachment);
    await sendEnvelope(given);
    expect(arrived[1]).toEqual([event]);
    expect(given[1]).toEqual([event, attachment]);
  });

  it('does not serialize what it drops', async () => {
    const { state, send } = setUp();
    state.answer = limited('30:error:key');
    await send(event);
    const costly: EnvelopeItem = [{ type: 'event' }, { toJSON: () => expect.unreachable() }];
    expect(await send(costly)).toEqual({ kind: 'dropped' });
  });

  it('survives an answer that is no answer', async () => {
    const { state, arrived, send } = setUp();
    state.answer = { statusCode: 429, headers: { 'x-sentry-rate-limits': 5 as unknown as string } };
    await send(event);
    await send(event);
    expect(arrived).toHaveLength(2);
  });
});
