import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { type LinkedErrorsOptions, linkedErrorsIntegration } from '../../src/integrations/linked-errors.js';
import type { Client } from '../../src/model/contracts.js';
import type { Event } from '../../src/model/event/event.js';
import type { Exception } from '../../src/model/event/exception.js';

const CAUGHT: Exception = { type: 'Error', value: 'caught', mechanism: { type: 'generic', handled: true } };

function link(originalException: unknown, options?: LinkedErrorsOptions, values: Exception[] = [CAUGHT]): Exception[] {
  const event: Event = { exception: { values } };
  linkedErrorsIntegration(options).preprocessEvent?.(event, { originalException }, {} as Client);
  return event.exception!.values!;
}

const valuesOf = (exceptions: Exception[]) => exceptions.map(({ value }) => value);
const mechanismsOf = (exceptions: Exception[]) => exceptions.map(({ mechanism }) => mechanism);

const errorWith = (message: string, properties: object): Error => Object.assign(new Error(message), properties);

function chainOf(length: number): Error {
  let error = new Error(`cause ${length}`);
  for (let i = length - 1; i >= 0; i--) error = new Error(`cause ${i}`, { cause: error });
  return error;
}

describe('the errors behind an error', () => {
  it('come before it, the oldest cause first, each with its stack and its place', () => {
    const error = new Error('caught', { cause: new TypeError('middle', { cause: new RangeError('oldest') }) });
    const exceptions = link(error);
    expect(exceptions.map(({ type, value }) => `${type}: ${value}`)).toEqual([
      'RangeError: oldest',
      'TypeError: middle',
      'Error: caught',
    ]);
    expect(mechanismsOf(exceptions)).toEqual([
      { type: 'chained', handled: true, source: 'cause', exception_id: 2, parent_id: 1 },
      { type: 'chained', handled: true, source: 'cause', exception_id: 1, parent_id: 0 },
      { type: 'generic', handled: true, exception_id: 0 },
    ]);
    expect(exceptions[0]!.stacktrace!.frames!.at(-1)!.filename).toContain('linked-errors.test.ts');
  });

  it('are also the members of an aggregate error', () => {
    const error = new AggregateError([new Error('first'), 'no error', new Error('third')], 'caught', {
      cause: new Error('cause'),
    });
    const exceptions = link(error);
    expect(valuesOf(exceptions)).toEqual(['third', 'first', 'cause', 'caught']);
    expect(mechanismsOf(exceptions)).toEqual([
      { type: 'chained', handled: true, source: 'errors[2]', exception_id: 3, parent_id: 0 },
      { type: 'chained', handled: true, source: 'errors[0]', exception_id: 2, parent_id: 0 },
      { type: 'chained', handled: true, source: 'cause', exception_id: 1, parent_id: 0 },
      { type: 'generic', handled: true, exception_id: 0, is_exception_group: true },
    ]);
  });

  it('are five at most', () => {
    expect(valuesOf(link(chainOf(10)))).toEqual(['cause 5', 'cause 4', 'cause 3', 'cause 2', 'cause 1', 'caught']);
    const many = new AggregateError(Array.from({ length: 10 }, (_, index) => new Error(`${index}`)));
    expect(valuesOf(link(many))).toEqual(['4', '3', '2', '1', '0', 'caught']);
  });

  it.each([
    [0, ['caught']],
    [2, ['cause 2', 'cause 1', 'caught']],
    [-1, ['caught']],
    [Number.NaN, ['caught']],
  ])('are %i at most when the limit says so', (limit, expected) => {
    expect(valuesOf(link(chainOf(10), { limit }))).toEqual(expected);
  });

  it('are 100 at most, whatever the limit says', () => {
    expect(link(chainOf(10_000), { limit: Number.POSITIVE_INFINITY })).toHaveLength(101);
  });

  it('may hang on another property', () => {
    expect(valuesOf(link(errorWith('x', { inner: new Error('inner') }), { key: 'inner' }))).toEqual([
      'inner',
      'caught',
    ]);
  });

  it('come once each, also where they go round in a circle', () => {
    const first = new Error('first');
    const second = new Error('second', { cause: first });
    first.cause = second;
    expect(valuesOf(link(first))).toEqual(['second', 'caught']);
    const shared = new Error('shared');
    expect(valuesOf(link(new AggregateError([shared, shared], 'x', { cause: shared })))).toEqual(['shared', 'caught']);
  });

  it('may be of another realm', () => {
    const error = new Error('x', { cause: runInNewContext('new RangeError("foreign")') });
    expect(link(error)[0]).toMatchObject({ type: 'RangeError', value: 'foreign' });
  });
});

describe('an event', () => {
  it('whose exception says nothing of its mechanism gets one when something is linked', () => {
    const [, caught] = link(chainOf(1), {}, [{ value: 'caught' }]);
    expect(caught!.mechanism).toEqual({ type: 'auto.core.linked_errors', handled: true, exception_id: 0 });
  });

  it.each<[string, () => unknown]>([
    ['has no cause', () => new Error('x')],
    ['is no error', () => ({ cause: new Error('x') })],
    ['is caused by a text', () => new Error('x', { cause: 'text' })],
    ['has an errors list of something else', () => errorWith('x', { errors: 'text' })],
    [
      'is caused by itself',
      () => {
        const error = new Error('x');
        error.cause = error;
        return error;
      },
    ],
    [
      'has a cause that throws',
      () =>
        Object.defineProperty(new Error('x'), 'cause', {
          get: () => {
            throw new Error('no');
          },
        }),
    ],
  ])('is left as it is when what was captured %s', (_, make) => {
    const values = [CAUGHT];
    expect(link(make(), {}, values)).toBe(values);
  });

  it('is not changed below its own members', () => {
    const values = Object.freeze([Object.freeze({ ...CAUGHT })]) as Exception[];
    expect(link(chainOf(1), {}, values)).toHaveLength(2);
  });

  it.each<Event>([{}, { exception: {} }, { exception: { values: [] } }])(
    'without exceptions is left alone: %j',
    (event) => {
      linkedErrorsIntegration().preprocessEvent?.(event, { originalException: chainOf(2) }, {} as Client);
      expect(event.exception?.values ?? []).toEqual([]);
    },
  );

  it('survives a list of 10 million errors', () => {
    let reads = 0;
    const errors = new Proxy(new Array(10_000_000).fill('text'), {
      get(list, key) {
        reads++;
        return Reflect.get(list, key);
      },
    });
    expect(link(errorWith('x', { errors }))).toEqual([CAUGHT]);
    expect(reads).toBeLessThan(10_000);
  });
});
