import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Event } from '../../src/model/event/event.js';
import type { EventHint } from '../../src/model/hint.js';
import {
  applyMechanism,
  eventFromException,
  eventFromMessage,
  eventFromRecorded,
} from '../../src/pipeline/create-event.js';
import fc from '../support/fast-check.js';

const SETTINGS = { attachStacktrace: false, normalizeDepth: 3, normalizeMaxBreadth: 1000 };

const eventFrom = (exception: unknown, hint: EventHint = {}): Event => eventFromException(exception, hint, SETTINGS);
const exceptionFrom = (exception: unknown, hint?: EventHint) => eventFrom(exception, hint).exception!.values![0]!;

function throwError(): never {
  throw new Error('no');
}

class Failure {
  constructor(readonly reason: string) {}
}

describe('an error', () => {
  it('becomes one exception that was handled', () => {
    const event = eventFrom(new TypeError('boom'));
    expect(event).toEqual({
      exception: {
        values: [
          {
            type: 'TypeError',
            value: 'boom',
            mechanism: { type: 'generic', handled: true },
            stacktrace: { frames: expect.any(Array) },
          },
        ],
      },
    });
    expect(exceptionFrom(new TypeError('boom')).stacktrace!.frames!.at(-1)!.filename).toContain('create-event.test.ts');
  });

  it('may be of another realm', () => {
    expect(exceptionFrom(runInNewContext('new RangeError("boom")'))).toMatchObject({
      type: 'RangeError',
      value: 'boom',
    });
  });

  it('takes its mechanism from the data of the hint', () => {
    const hint: EventHint = { data: { mechanism: { type: 'test', handled: false } } };
    expect(exceptionFrom(new Error('boom'), hint).mechanism).toEqual({ type: 'test', handled: false });
  });
});

describe('what is thrown without being an error', () => {
  it.each<[string, () => unknown, string]>([
    ['a text', () => 'boom', 'boom'],
    ['a number', () => 42, '42'],
    ['null', () => null, 'null'],
    ['undefined', () => undefined, 'undefined'],
    ['a bigint', () => 12n, '12'],
    ['a symbol', () => Symbol('x'), 'Symbol(x)'],
    ['a function', () => throwError, '[Function: throwError]'],
    ['an object', () => ({ b: 1, a: 2 }), 'Object captured as exception with keys: a, b'],
    ['an empty object', () => ({}), 'Object captured as exception with keys: [object has no keys]'],
    [
      'an object without a prototype',
      () => Object.assign(Object.create(null), { a: 1 }),
      'Object captured as exception with keys: a',
    ],
    ['an instance of a class', () => new Failure('x'), "'Failure' captured as exception with keys: reason"],
    ['an array', () => ['x', 'y'], "'Array' captured as exception with keys: 0, 1"],
    [
      'a name and a message',
      () => ({ name: 'Oops', message: 'boom' }),
      "'Oops' captured as exception with message 'boom'",
    ],
    ['a name', () => ({ name: 'Oops' }), "'Oops' captured as exception"],
    ['a message', () => ({ message: 'boom', code: 1 }), 'boom'],
    [
      'properties that throw',
      () => Object.defineProperty({ a: 1 }, 'message', { get: throwError, enumerable: true }),
      'Object captured as exception with keys: a, message',
    ],
  ])('is described: %s', (_, make, value) => {
    expect(exceptionFrom(make())).toEqual({
      type: 'Error',
      value,
      mechanism: { type: 'generic', handled: true, synthetic: true },
    });
  });

  it('gets the stack of where it was captured', () => {
    const frames = exceptionFrom('boom', { syntheticException: new Error('x') }).stacktrace!.frames!;
    expect(frames.at(-1)!.filename).toContain('create-event.test.ts');
  });

  it('may hold the error', () => {
    const event = eventFrom({ status: 500, error: new TypeError('inner') });
    expect(event.exception!.values).toMatchObject([
      { type: 'TypeError', value: 'inner', mechanism: { synthetic: true } },
    ]);
    expect(event.extra).toBeUndefined();
  });

  it('goes along, normalized', () => {
    expect(eventFrom({ a: { b: { c: {} } }, n: 5n }).extra).toEqual({
      __serialized__: { a: { b: { c: '[Object]' } }, n: '[BigInt: 5]' },
    });
  });

  it('goes along without what are secrets by their names', () => {
    expect(eventFrom({ headers: { Authorization: 'x', accept: '*/*' }, list: [{ token: ['x'] }] }).extra).toEqual({
      __serialized__: { headers: { Authorization: '[Filtered]', accept: '*/*' }, list: [{ token: '[Filtered]' }] },
    });
  });

  it('goes along less deep, where it would be more than 100 kB', () => {
    const wide = Object.fromEntries(Array.from({ length: 50 }, (_, index) => [index, 'x'.repeat(5000)]));
    expect(eventFrom({ a: wide, b: 1 }).extra).toEqual({ __serialized__: { a: '[Object]', b: 1 } });
    expect(eventFrom(wide).extra).toEqual({ __serialized__: '[Object]' });
  });

  it.each<[string, () => unknown]>([
    ['an array of 10 million elements', () => new Array(10_000_000).fill(1)],
    ['a buffer of 100 MB', () => Buffer.alloc(100_000_000)],
    ['a text object of 100 MB', () => Object('x'.repeat(100_000_000))],
    ['a huge bigint', () => 1n << 100_000_000n],
  ])('makes an event of bounded size: %s', (_, make) => {
    const event = eventFrom(make());
    expect(JSON.stringify(event).length).toBeLessThan(200_000);
  });

  it('may be anything at all', () => {
    fc.assert(
      fc.property(fc.anything({ withBigInt: true, withNullPrototype: true, withTypedArray: true }), (thrown) => {
        const [exception] = eventFrom(thrown).exception!.values!;
        expect(typeof exception!.value).toBe('string');
        expect(exception!.type).toBe('Error');
      }),
    );
  });

  it('may be a proxy that fails at everything', () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    expect(exceptionFrom(proxy)).toMatchObject({
      type: 'Error',
      value: expect.stringContaining('captured as exception'),
    });
  });
});

describe('a message', () => {
  const hint = { syntheticException: new Error('job failed') };

  it('becomes an event of its level, without an exception', () => {
    expect(eventFromMessage('job failed', 'warning', hint, SETTINGS)).toEqual({
      message: 'job failed',
      level: 'warning',
    });
  });

  it('leaves a missing level to the scopes', () => {
    expect(eventFromMessage('job failed', undefined, {}, SETTINGS).level).toBeUndefined();
  });

  it('gets a stack where the settings ask for it', () => {
    const event = eventFromMessage('job failed', 'info', hint, { ...SETTINGS, attachStacktrace: true });
    expect(event).toMatchObject({
      message: 'job failed',
      level: 'info',
      exception: { values: [{ value: 'job failed', mechanism: { synthetic: true } }] },
    });
    expect(event.exception!.values![0]!.stacktrace!.frames!.at(-1)!.filename).toContain('create-event.test.ts');
  });

  it('that is an error or object is treated as an exception', () => {
    const event = eventFromMessage(new TypeError('boom'), 'warning', {}, SETTINGS);
    expect(event).toMatchObject({ level: 'warning', exception: { values: [{ type: 'TypeError', value: 'boom' }] } });
  });

  it.each([
    [undefined, 'undefined'],
    [5, '5'],
    [Symbol('x'), 'Symbol(x)'],
  ])('that is no text becomes one', (message, expected) => {
    expect(eventFromMessage(message, undefined, {}, SETTINGS).message).toBe(expected);
  });
});

it('an object that was recorded as `[object Object]` is described by its members', () => {
  const recorded = { traceId: '', atSeconds: 0, mechanism: { type: 'test' }, about: { extra: { from: 'span' } } };
  const event = eventFromRecorded(
    { ...recorded, thrown: { code: 7, order: 'a' }, strings: { message: '[object Object]' } },
    {},
    SETTINGS,
  );
  expect(event.exception!.values![0]!.value).toBe('Object captured as exception with keys: code, order');
  expect(event.extra).toEqual({ from: 'span', __serialized__: { code: 7, order: 'a' } });
});

describe('applyMechanism', () => {
  it('marks the exception that was caught, not its cause', () => {
    const event: Event = { exception: { values: [{ value: 'cause' }, { value: 'caught' }] } };
    applyMechanism(event, { type: 'test', handled: false });
    expect(event.exception!.values).toEqual([
      { value: 'cause' },
      { value: 'caught', mechanism: { type: 'test', handled: false } },
    ]);
  });

  it.each([
    ['the default', undefined, undefined, { type: 'generic', handled: true }],
    [
      'what is there over the default',
      { type: 'a', synthetic: true },
      undefined,
      { type: 'a', handled: true, synthetic: true },
    ],
    [
      'what is given over what is there',
      { type: 'a', handled: true },
      { handled: false },
      { type: 'a', handled: false },
    ],
    [
      'nothing that is undefined',
      { type: 'a', handled: false },
      { type: undefined, handled: undefined },
      { type: 'a', handled: false },
    ],
    [
      'the data of both',
      { type: 'a', data: { x: 1, y: 1 } },
      { data: { y: 2 } },
      { type: 'a', handled: true, data: { x: 1, y: 2 } },
    ],
    ['a type in any case', { type: 'a' }, { type: undefined }, { type: 'a', handled: true }],
  ])('takes %s', (_, existing, given, expected) => {
    const event: Event = { exception: { values: [{ mechanism: existing }] } };
    applyMechanism(event, given);
    expect(event.exception!.values![0]!.mechanism).toEqual(expected);
  });

  it('writes into nothing that it was given', () => {
    const exception = Object.freeze({ values: Object.freeze([Object.freeze({ value: 'x' })]) as never });
    const event: Event = { exception };
    applyMechanism(event, { handled: false });
    expect(event.exception!.values![0]!.mechanism!.handled).toBe(false);
  });

  it.each<[string, unknown]>([
    ['no exception', {}],
    ['an empty list', { exception: { values: [] } }],
  ])('leaves an event with %s alone', (_, event) => {
    const before = JSON.stringify(event);
    applyMechanism(event as Event, { handled: false });
    expect(JSON.stringify(event)).toBe(before);
  });
});
