import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { expect, it } from 'vitest';
import { observeChannel, observeChannelLast } from '../../src/internal/diagnostics-channel.js';

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

it('the last observer is called after everyone who subscribed later, in either way', () => {
  const calls: string[] = [];
  const [first, second, third] = ['first', 'second', 'third'].map((name) => listener(calls, name));
  subscribe(NAME, first!);
  const stop = observeChannelLast(NAME, listener(calls, 'last'));
  subscribe(NAME, second!);
  channel(NAME).subscribe(third!);
  channel(NAME).publish({});
  expect(calls).toEqual(['first', 'second', 'third', 'last']);
  stop();
  for (const one of [first, second, third]) unsubscribe(NAME, one!);
});

it('stopping leaves the channel as it was', () => {
  const calls: string[] = [];
  const observed = channel(NAME);
  const other = listener(calls, 'other');
  observeChannelLast(NAME, listener(calls, 'last'))();
  expect(Object.hasOwn(observed, 'subscribe')).toBe(false);
  expect(observed.hasSubscribers).toBe(false);

  const stop = observeChannelLast(NAME, listener(calls, 'last'));
  subscribe(NAME, other);
  stop();
  observed.publish({});
  expect(calls).toEqual(['other']);
  unsubscribe(NAME, other);
  expect(observed.hasSubscribers).toBe(false);
});

it('two last observers may overlap and stop in the order in which they came', () => {
  const calls: string[] = [];
  const other = listener(calls, 'other');
  const stopFirst = observeChannelLast(NAME, listener(calls, 'first'));
  const stopSecond = observeChannelLast(NAME, listener(calls, 'second'));
  stopFirst();
  subscribe(NAME, other);
  channel(NAME).publish({});
  expect(calls).toEqual(['other', 'second']);
  stopSecond();
  unsubscribe(NAME, other);
  expect(Object.hasOwn(channel(NAME), 'subscribe')).toBe(false);
  expect(channel(NAME).hasSubscribers).toBe(false);
});
