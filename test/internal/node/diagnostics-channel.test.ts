import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { observeChannel, observeChannelAround } from '../../../src/internal/node/diagnostics-channel.js';

const NAME = 'faultline:test';

function listener(calls: string[], name: string) {
  return () => void calls.push(name);
}

it('an observer that throws does not end the process', () => {
  const stop = observeChannel(NAME, () => {
    throw new Error('observer');
  });
  expect(() => channel(NAME).publish({})).not.toThrow();
  stop();
  expect(channel(NAME).hasSubscribers).toBe(false);
});

/** Observes the test channel and notes when the observer runs. */
function observeAround(calls: string[], name: string) {
  return observeChannelAround(NAME, (_, publish) => {
    calls.push(`before ${name}`);
    publish();
    calls.push(`after ${name}`);
  });
}

it('an observer around a channel acts before and after all subscribers, also later ones', () => {
  const calls: string[] = [];
  const [first, second, third] = ['first', 'second', 'third'].map((name) => listener(calls, name));
  subscribe(NAME, first!);
  const stop = observeAround(calls, 'us');
  subscribe(NAME, second!);
  channel(NAME).subscribe(third!);
  channel(NAME).publish({});
  expect(calls).toEqual(['before us', 'first', 'second', 'third', 'after us']);
  stop();
  for (const one of [first, second, third]) unsubscribe(NAME, one!);
});

it('subscribers get a message once, also when the observer throws or does not publish', () => {
  const calls: string[] = [];
  const other = listener(calls, 'other');
  subscribe(NAME, other);
  const stops = [
    observeChannelAround(NAME, () => {
      throw new Error('observer');
    }),
    observeChannelAround(NAME, () => undefined),
    observeChannelAround(NAME, (_, publish) => {
      publish();
      publish();
    }),
  ];
  channel(NAME).publish({});
  expect(calls).toEqual(['other']);
  for (const stop of stops.reverse()) stop();
  unsubscribe(NAME, other);
});

it('an observer that stops leaves the channel as it was', () => {
  const calls: string[] = [];
  const observed = channel(NAME);
  observeAround(calls, 'us')();
  expect(Object.hasOwn(observed, 'publish')).toBe(false);
  expect(observed.hasSubscribers).toBe(false);
});

it('two observers may overlap and stop in the order in which they started', () => {
  const calls: string[] = [];
  const stopFirst = observeAround(calls, 'first');
  const stopSecond = observeAround(calls, 'second');
  stopFirst();
  expect(channel(NAME).hasSubscribers).toBe(true);
  channel(NAME).publish({});
  expect(calls).toEqual(['before second', 'after second']);
  stopSecond();
  channel(NAME).publish({});
  expect(calls).toHaveLength(2);
  expect(channel(NAME).hasSubscribers).toBe(false);
});
