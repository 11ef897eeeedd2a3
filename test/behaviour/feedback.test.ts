import { expect, it } from 'vitest';
import {
  captureException,
  captureFeedback,
  type FeedbackParams,
  lastEventId,
  setTag,
  setUser,
  withScope,
} from '../../src/index.js';
import type { Receiver } from '../support/receiver.js';
import { tell } from '../support/story.js';

const MESSAGE = 'The cart is empty again.';
const feedbacks = (receiver: Receiver) => receiver.items('feedback').map(({ json }) => json!);
const contextOf = (feedback: Record<string, unknown>) => (feedback['contexts'] as Record<string, object>)['feedback'];

it('a feedback arrives with the protocol’s names, the data of the scopes and the returned id', async () => {
  let id: string | undefined;
  await tell(
    { environment: 'staging' },
    () => {
      setUser({ id: '42' });
      setTag('region', 'eu');
      id = captureFeedback({
        message: MESSAGE,
        name: 'Ada',
        email: 'ada@example.com',
        url: 'https://shop.example.com/cart',
        source: 'widget',
        associatedEventId: 'a'.repeat(32),
        tags: { plan: 'free' },
      });
    },
    ({ client, receiver }) => {
      const [feedback] = feedbacks(receiver);
      expect(feedback).toMatchObject({
        event_id: id,
        type: 'feedback',
        level: 'info',
        environment: 'staging',
        user: { id: '42' },
        tags: { region: 'eu', plan: 'free' },
        contexts: { trace: { trace_id: expect.any(String) } },
      });
      expect(contextOf(feedback!)).toEqual({
        message: MESSAGE,
        name: 'Ada',
        contact_email: 'ada@example.com',
        url: 'https://shop.example.com/cart',
        source: 'widget',
        associated_event_id: 'a'.repeat(32),
      });
      expect(receiver.counts()).toEqual({ feedback: 1 });
      expect(client.ledger.balance().feedback).toMatchObject({ captured: 1, delivered: 1 });
    },
  );
});

it('a feedback with only a message has no other member', async () => {
  await tell(
    {},
    () => void captureFeedback({ message: MESSAGE }),
    ({ receiver }) => expect(contextOf(feedbacks(receiver)[0]!)).toEqual({ message: MESSAGE }),
  );
});

it('a feedback can refer to an event', async () => {
  await tell(
    {},
    () => {
      captureException(new Error('a'));
      captureFeedback({ message: MESSAGE, associatedEventId: lastEventId() });
      expect(lastEventId()).toBeDefined();
    },
    ({ receiver }) =>
      expect(contextOf(feedbacks(receiver)[0]!)).toMatchObject({ associated_event_id: receiver.events[0]!.event_id }),
  );
});

it('attachments of a feedback follow it in the same envelope', async () => {
  await tell(
    {},
    () => {
      const attachments = [{ filename: 'screen.png', data: new Uint8Array([1, 2]), contentType: 'image/png' }];
      captureFeedback({ message: MESSAGE }, { attachments });
    },
    ({ receiver }) => {
      expect(receiver.envelopes).toHaveLength(1);
      expect(receiver.envelopes[0]!.items.map(({ headers }) => headers.type)).toEqual(['feedback', 'attachment']);
      expect(receiver.attachments[0]!.headers).toMatchObject({ filename: 'screen.png', content_type: 'image/png' });
    },
  );
});

it('event processors may change or drop a feedback; `beforeSend` and `sampleRate` do not apply to it', async () => {
  await tell(
    { beforeSend: () => null, sampleRate: 0 },
    () => {
      withScope((scope) => {
        scope.addEventProcessor((event) => ({ ...event, tags: { seen: 'true' } }));
        captureFeedback({ message: 'changed' });
      });
      withScope((scope) => {
        scope.addEventProcessor(() => null);
        captureFeedback({ message: 'dropped' });
      });
    },
    ({ receiver }) => {
      expect(feedbacks(receiver).map((one) => [contextOf(one), one['tags']])).toEqual([
        [{ message: 'changed' }, { seen: 'true' }],
      ]);
      expect(receiver.discards()).toEqual([{ reason: 'event_processor', category: 'feedback', quantity: 1 }]);
    },
  );
});

it.each([
  [4096, 4096, 'a'],
  [4097, 4096, '...'],
  [100_000, 4096, '...'],
])('a message of %i characters arrives with %i', async (length, arriving, end) => {
  await tell(
    {},
    () => void captureFeedback({ message: 'a'.repeat(length) }),
    ({ receiver }) => {
      const { message } = contextOf(feedbacks(receiver)[0]!) as FeedbackParams;
      expect(message).toHaveLength(arriving);
      expect(message.endsWith(end)).toBe(true);
    },
  );
});

const hostile = Object.defineProperty({}, 'message', {
  get: () => {
    throw new Error('hostile');
  },
});

it.each<[string, unknown]>([
  ['nothing', undefined],
  ['no message', { name: 'Ada' }],
  ['an empty message', { message: '  ' }],
  ['a message that is no text', { message: {} }],
  ['a message that cannot be read', hostile],
])('%s returns an id, and nothing is sent', async (_, params) => {
  await tell(
    {},
    () => expect(captureFeedback(params as FeedbackParams)).toMatch(/^[0-9a-f]{32}$/),
    ({ client, receiver }) => {
      expect(receiver.requests).toEqual([]);
      expect(client.ledger.balance().feedback).toBeUndefined();
    },
  );
});

it('captureFeedback returns an id before `init`', () => {
  expect(captureFeedback({ message: MESSAGE })).toMatch(/^[0-9a-f]{32}$/);
});
