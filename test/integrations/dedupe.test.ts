import { describe, expect, it } from 'vitest';
import { captureEvent, captureException, captureMessage, startSpan } from '../../src/index.js';
import { dedupeIntegration } from '../../src/integrations/dedupe.js';
import type { Client } from '../../src/model/contracts.js';
import type { Event } from '../../src/model/event/event.js';
import { tell } from '../support/story.js';

const options = { defaultIntegrations: false as const, integrations: () => [dedupeIntegration()] };

describe('an error equal to the one before it', () => {
  it('is dropped and counted as event_processor', async () => {
    await tell(
      options,
      () => {
        const thrown = () => new Error('again');
        for (let i = 0; i < 3; i++) captureException(thrown());
      },
      ({ receiver }) => {
        expect(receiver.events).toHaveLength(1);
        expect(receiver.discards()).toEqual([{ reason: 'event_processor', category: 'error', quantity: 2 }]);
      },
    );
  });

  it('is sent when another one came between them', async () => {
    await tell(
      options,
      () => ['a', 'b', 'a', 'a'].forEach((text) => void captureMessage(text)),
      ({ receiver }) => expect(receiver.events.map(({ message }) => message).sort()).toEqual(['a', 'a', 'b']),
    );
  });

  it('is dropped also when a transaction came between them', async () => {
    await tell(
      { ...options, tracesSampleRate: 1 },
      () => {
        captureMessage('a');
        startSpan({ name: 'work' }, () => undefined);
        captureMessage('a');
      },
      ({ receiver }) => {
        expect(receiver.transactions).toHaveLength(1);
        expect(receiver.events).toHaveLength(1);
      },
    );
  });

  it('is dropped also when the first was changed by a later processor', async () => {
    await tell(
      {
        ...options,
        beforeSend: (event) => {
          event.exception!.values![0]!.stacktrace!.frames![0]!.filename = 'elsewhere';
          return event;
        },
      },
      () => {
        const event = () => errorEvent({});
        captureEvent(event());
        captureEvent(event());
      },
      ({ receiver }) => expect(receiver.events).toHaveLength(1),
    );
  });
});

function errorEvent({ type = 'Error', value = 'x', filename = '/a.js', name = 'f', lineno = 1, colno = 2 }): Event {
  return {
    exception: { values: [{ type, value, stacktrace: { frames: [{ filename, function: name, lineno, colno }] } }] },
  };
}

const process = ({ processEvent } = dedupeIntegration()) => {
  return (event: Event) => processEvent!(event, {}, {} as Client);
};

it.each<[what: string, first: Event, second: Event]>([
  ['another type', errorEvent({}), errorEvent({ type: 'TypeError' })],
  ['another value', errorEvent({}), errorEvent({ value: 'y' })],
  ['another file', errorEvent({}), errorEvent({ filename: '/b.js' })],
  ['another function', errorEvent({}), errorEvent({ name: 'g' })],
  ['another line', errorEvent({}), errorEvent({ lineno: 2 })],
  ['another column', errorEvent({}), errorEvent({ colno: 3 })],
  ['another fingerprint', errorEvent({}), { ...errorEvent({}), fingerprint: ['a'] }],
  [
    'another cause',
    errorEvent({}),
    { exception: { values: [{ type: 'Cause' }, ...errorEvent({}).exception!.values!] } },
  ],
  ['another message', { message: 'a' }, { message: 'b' }],
  ['an exception in place of the message', { message: 'x' }, errorEvent({})],
  ['neither message nor exception', {}, {}],
  ['feedback of the same text', { message: 'a' }, { message: 'a', type: 'feedback' }],
])('an error is not the same with %s', (_, first, second) => {
  const next = process();
  expect(next(first)).toBe(first);
  expect(next(second)).toBe(second);
});

it.each<[what: string, event: Event]>([
  ['an exception', errorEvent({})],
  ['a message', { message: 'a' }],
])('what is equal about %s is its content', (_, event) => {
  const next = process();
  expect(next(event)).toBe(event);
  expect(next(structuredClone(event))).toBeNull();
});

it('two clients have nothing to do with each other', () => {
  expect(process()({ message: 'a' })).not.toBeNull();
  expect(process()({ message: 'a' })).not.toBeNull();
});
