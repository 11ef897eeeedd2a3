import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { anError, assertSent, aTransaction, matches } from '../../src/testing/testing.js';

const error = {
  event_id: '1',
  level: 'error',
  exception: {
    values: [
      { type: 'Error', value: 'cause' },
      { type: 'TypeError', value: 'broken', mechanism: { type: 'generic', handled: false } },
    ],
  },
  tags: { a: '1', b: '2' },
};

describe('a matcher', () => {
  it.each([
    ['a string that the title contains', 'TypeError: bro', 'Error: cause'],
    ['a pattern', /broken$/, /^broken/],
    ['a function', (event: { level: string }) => event.level === 'error', () => false],
    ['members of the event', { tags: { a: '1' } }, { tags: { a: '2' } }],
    ['a pattern inside of an object', { tags: { a: /\d/ } }, { tags: { a: /x/ } }],
    ['members of the exception', { type: 'TypeError', value: 'broken', handled: false }, { handled: true }],
    ['an asymmetric matcher', expect.objectContaining({ level: 'error' }), expect.objectContaining({ level: 'info' })],
    ['one inside of an object', { event_id: expect.any(String) }, { event_id: expect.any(Number) }],
  ])('may be %s', (_name, matching, other) => {
    expect(error).toEqual(anError(matching));
    expect(error).not.toEqual(anError(other));
  });

  it('compares the members of arrays one by one', () => {
    expect(matches([{ a: 1, b: 2 }, 3], [{ a: 1 }, 3])).toBe(true);
    expect(matches([1, 2], [1])).toBe(false);
    expect(matches(undefined, { a: 1 })).toBe(false);
    expect(matches({}, { a: undefined })).toBe(true);
  });

  it('knows the root span of a transaction', () => {
    const transaction = { transaction: 'GET /', contexts: { trace: { op: 'http.server', status: 'ok' } } };
    expect([transaction]).toContainEqual(aTransaction({ name: 'GET /', op: 'http.server', status: 'ok' }));
    expect([transaction]).not.toContainEqual(aTransaction({ op: 'db' }));
    expect(transaction).toEqual(aTransaction('GET'));
  });
});

it('matches patterns of another realm, such as a test runner makes', () => {
  assertSent([error], anError(runInNewContext('/broken/')));
  assertSent([error], anError({ level: runInNewContext('/^error$/') }));
});

it('assertSent throws an error that shows what is wanted and what there is', () => {
  assertSent([error], anError('broken'));
  const fail = () => assertSent([error], anError({ value: 'other' }));
  // Jest prints more of an AssertionError than its message.
  expect(fail).toThrow(expect.not.objectContaining({ code: 'ERR_ASSERTION' }));
  expect(fail).toThrow(
    `expected error { value: 'other' } among 1 items:\n  error "TypeError: broken" { value: 'broken' }`,
  );
  const wanted = anError({ tags: { a: '2' }, level: /fatal/, user: { id: '7' } });
  expect(() => assertSent([error], wanted)).toThrow(
    `error "TypeError: broken" { tags: { a: '1' }, level: 'error', user: undefined }`,
  );
  expect(() => assertSent(Array(25).fill(error), anError('other'))).toThrow(
    `${'\n  error "TypeError: broken"'.repeat(20)}\n  … 5 more`,
  );
  expect(() => assertSent([{ a: 1 }], expect.objectContaining({ b: 2 }))).toThrow('among 1 items:\n  { a: 1 }');
});

it('is printed as what it wants when an expectation fails', () => {
  expect(anError({ value: 'other' })).toMatchInlineSnapshot(`error { value: 'other' }`);
});
