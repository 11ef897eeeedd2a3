import { describe, expect, it } from 'vitest';
import { eventFromException, eventFromMessage } from '../../../src/pipeline/create-event.js';
import { sanitizeEvent } from '../../../src/pipeline/sanitize/sanitize-event.js';
import { growthOf } from '../../support/growth.js';

const SETTINGS = { attachStacktrace: false, normalizeDepth: 3, normalizeMaxBreadth: 1000 };
const HUGE = 'x'.repeat(10_000_000);

describe('of an event made by hand, bounded length is taken of', () => {
  it.each([
    ['a text', { message: HUGE, logger: HUGE, server_name: HUGE }],
    ['the fingerprint', { fingerprint: [HUGE] }],
    [
      'the data of a mechanism',
      { exception: { values: [{ value: HUGE, mechanism: { type: HUGE, data: { a: HUGE } } }] } },
    ],
    [
      'a frame',
      { exception: { values: [{ type: 'E', stacktrace: { frames: [{ filename: HUGE, vars: { a: HUGE } }] } }] } },
    ],
    ['a member that is not known', { other: HUGE, request: { method: HUGE, query_string: HUGE } }],
  ])('%s', (_, event) => {
    expect(JSON.stringify(sanitizeEvent(event)).length).toBeLessThan(100_000);
  });
});

it('a thrown error or a message of many megabytes is cut before anything is done with it', () => {
  const prepare = (size: number) => [new Error('x'.repeat(size)), 'x'.repeat(size)] as const;
  const createEvents = ([error, message]: ReturnType<typeof prepare>) => [
    eventFromException(error, {}, SETTINGS),
    eventFromException(message, {}, SETTINGS),
    eventFromMessage(message, undefined, {}, SETTINGS),
  ];
  for (const event of createEvents(prepare(HUGE.length))) {
    expect(JSON.stringify(event).length).toBeLessThan(100_000);
  }
  expect(growthOf(HUGE.length / 8, prepare, createEvents)).toBeLessThan(4);
});

it('`sdk.settings` only holds what servers know', () => {
  const settingsOf = (settings: object) => sanitizeEvent({ sdk: { settings } }).sdk?.settings;
  expect(settingsOf({ infer_ip: 'never', other: 1 })).toEqual({ infer_ip: 'never' });
  expect([settingsOf({}), settingsOf({ infer_ip: 7 }), settingsOf({ infer_ip: undefined })]).toEqual(
    Array(3).fill(undefined),
  );
});

it('an event has no members of a changed Object.prototype', () => {
  Object.assign(Object.prototype, { tags: { a: 'inherited' }, logger: 'inherited' });
  try {
    expect(JSON.stringify(sanitizeEvent({ message: 'm' }))).not.toContain('inherited');
  } finally {
    Reflect.deleteProperty(Object.prototype, 'tags');
    Reflect.deleteProperty(Object.prototype, 'logger');
  }
});
