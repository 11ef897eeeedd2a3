import { afterEach, beforeEach, expect, it } from 'vitest';
import { EVENT, EVENT_ID, envelopeBytes, postEnvelope } from '../support/envelope-bytes.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());

const SESSION = {
  sid: '9c5e0d0e4b0f4a5c8a3f6d1b2c3d4e5f',
  init: true,
  started: '2026-01-05T09:30:00.000Z',
  timestamp: '2026-01-05T09:30:12.000Z',
  status: 'ok',
  errors: 1,
  attrs: { release: 'shop@1.2.0', environment: 'production' },
};
const COUNTS = { started: '2026-01-05T09:30:00.000Z', exited: 40, errored: 2, crashed: 0 };

const session = (changes: object = {}) =>
  envelopeBytes({}, [{ type: 'session' }, JSON.stringify({ ...SESSION, ...changes })]);
const sessions = (counts: object[], attrs: object = SESSION.attrs) =>
  envelopeBytes({}, [{ type: 'sessions' }, JSON.stringify({ attrs, aggregates: counts })]);
const feedback = (changes: object) =>
  envelopeBytes({ event_id: EVENT_ID }, [{ type: 'feedback' }, JSON.stringify({ ...EVENT, ...changes })]);

it.each<[string, Buffer]>([
  ['a session', session()],
  ['one that has ended', session({ status: 'crashed', duration: 12 })],
  ['counts of sessions', sessions([COUNTS, { ...COUNTS, exited: undefined }])],
  ['a feedback', feedback({ type: 'feedback', contexts: { feedback: { message: 'a'.repeat(4096) } } })],
])('no objection is made to %s', async (_, body) => {
  expect(await postEnvelope(receiver, body)).toMatchObject({ statusCode: 200 });
  expect(receiver.violations).toEqual([]);
});

it.each<[string, Buffer, RegExp]>([
  ['a session without an id', session({ sid: 'x' }), /sid x/],
  ['a session without a release', session({ attrs: {} }), /no release/],
  ['a session in an unknown state', session({ status: 'errored' }), /status errored/],
  ['a time in seconds', session({ started: 1736069412 }), /from 1736069412/],
  ['a session that ends before it starts', session({ timestamp: '2026-01-05T09:29:00.000Z' }), /ends before/],
  ['half an error', session({ errors: 0.5 }), /0.5 errors/],
  ['a session that does not say whether it is new', session({ init: undefined }), /init undefined/],
  ['counts without a release', sessions([COUNTS], {}), /no release/],
  ['counts of nothing', sessions([]), /aggregates are empty/],
  ['a minute of nothing', sessions([{ ...COUNTS, exited: 0, errored: 0 }]), /without sessions/],
  ['a negative count', sessions([{ ...COUNTS, exited: -1 }]), /counts are -1/],
  ['a feedback of another type', feedback({}), /has the type undefined/],
  [
    'a feedback that is too long',
    feedback({ type: 'feedback', contexts: { feedback: { message: 'a'.repeat(4097) } } }),
    /4097 characters/,
  ],
])('a violation is %s', async (_, body, violation) => {
  await postEnvelope(receiver, body);
  expect(receiver.violations).toEqual([expect.stringMatching(violation)]);
});
