import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { exceptionFromError, framesOf } from '../../src/errors/thrown.js';
import { isError } from '../../src/internal/values/is-error.js';

function revoked(): object {
  const { proxy, revoke } = Proxy.revocable(new Error('gone'), {});
  revoke();
  return proxy;
}

const throwing = () => {
  throw new Error('no');
};

function unreadable(): Error {
  const error = new Error('boom');
  for (const key of ['stack', 'name', 'message', 'constructor']) {
    Object.defineProperty(error, key, { get: throwing });
  }
  return error;
}

describe('isError', () => {
  it.each([
    ['an error', new TypeError('x'), true],
    ['an error of another realm', runInNewContext('new RangeError("x")'), true],
    ['an error whose prototype was taken away', Object.setPrototypeOf(new Error('x'), null), true],
    ['an object that inherits from an error', Object.create(new Error('x')), true],
    ['a DOMException', new DOMException('x'), true],
    ['a proxy of an error', new Proxy(new Error('x'), {}), true],
    ['an object with a message and a stack of its own', { message: 'x', stack: 'Error: x' }, true],
    ['an object with a message', { message: 'x' }, false],
    ['a revoked proxy', revoked(), false],
    ['a text', 'x', false],
    ['null', null, false],
    ['a class', Error, false],
  ])('takes %s', (_, value, expected) => {
    expect(isError(value)).toBe(expected);
  });
});

describe('exceptionFromError', () => {
  class Unnamed extends Error {}
  it.each([
    ['its name', new TypeError('boom'), { type: 'TypeError', value: 'boom' }],
    [
      'a name given later',
      Object.assign(new Error('boom'), { name: 'HttpError' }),
      { type: 'HttpError', value: 'boom' },
    ],
    ['its class, when it has no name', Object.assign(new Unnamed('boom'), { name: '' }), { type: 'Unnamed' }],
    ['the name of a DOMException', new DOMException('boom', 'AbortError'), { type: 'AbortError', value: 'boom' }],
    ['the name in another realm', runInNewContext('new RangeError("boom")'), { type: 'RangeError', value: 'boom' }],
    ['no message, when that is no text', Object.assign(new Error(), { message: {} }), { type: 'Error', value: '' }],
  ])('gives %s', (_, error, expected) => {
    expect(exceptionFromError(error)).toMatchObject(expected);
  });

  it.each([
    ['its properties throw', unreadable],
    ['it is a revoked proxy', revoked],
  ])('gives an error without a stack and with a note for its message, when %s', (_, make) => {
    expect(exceptionFromError(make())).toEqual({ type: 'Error', value: '[message cannot be read]' });
  });

  it('has the frames of the stack', () => {
    expect(exceptionFromError(new Error('boom')).stacktrace?.frames?.at(-1)?.filename).toContain('thrown.test.ts');
  });
});

it('an error whose message cannot be read says so', () => {
  const error = Object.defineProperty(new Error('x'), 'message', {
    get() {
      throw new Error('no');
    },
  });
  expect(exceptionFromError(error)).toMatchObject({ type: 'Error', value: '[message cannot be read]' });
});

it.each<[unknown, string]>([
  [Symbol('s'), 'Symbol(s)'],
  [{ reason: 'late' }, '{"reason":"late"}'],
  [42, '42'],
  [undefined, ''],
])('a message that is not a string is described: %s', (message, expected) => {
  expect(exceptionFromError(Object.assign(new Error('x'), { message })).value).toBe(expected);
});

describe('the frames of a thrown value', () => {
  it.each([
    ['a stack whose getter throws', Object.defineProperty(new Error(), 'stack', { get: throwing })],
    ['a stack that is not a string', Object.assign(new Error(), { stack: [1] })],
    ['null', null],
    ['undefined', undefined],
    ['a string', 'boom'],
  ])('are none for %s', (_, thrown) => {
    expect(framesOf(thrown)).toEqual([]);
  });

  it('are read from a frozen error', () => {
    expect(framesOf(Object.freeze(new Error('boom'))).at(-1)?.filename).toContain('thrown.test.ts');
  });
});
