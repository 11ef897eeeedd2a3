import { expect, it } from 'vitest';
import { printVariables as print } from '../../../src/integrations/local-variables/variable-text.js';
import { sensitiveNames } from '../../../src/scrubbing/sensitive-names.js';

const printVariables = (scopes: object[], sendDefaultPii = true) => print(scopes, sensitiveNames(sendDefaultPii));

class Cart {}
const explode = () => {
  throw new Error('touched');
};

it.each<[what: string, value: unknown, printed: unknown]>([
  ['a text', 'abc', 'abc'],
  ['a long text', 'x'.repeat(300), `${'x'.repeat(256)}...`],
  ['a number', 1.5, 1.5],
  ['NaN', Number.NaN, '<NaN>'],
  ['a boolean', true, 'true'],
  ['null', null, '<null>'],
  ['undefined', undefined, '<undefined>'],
  ['a bigint', 12n, '<12n>'],
  ['a huge bigint', 1n << 5000n, '<bigint>'],
  ['a symbol', Symbol('s'), '<Symbol(s)>'],
  ['a list', [1, 'a', null, {}, [1, 2]], [1, 'a', '<null>', '<Object>', '<Array(2)>']],
  ['a list of arguments', ['--password', 'x', 'y'], ['--password', '[Filtered]', 'y']],
  ['a long list', Array.from({ length: 22 }, () => 0), [...Array.from({ length: 20 }, () => 0), '<2 more>']],
  ['an object', { a: 1, b: { c: 1 }, f: explode }, { a: 1, b: '<Object>' }],
  ['an object without a prototype', Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['an instance', new Cart(), '<Cart>'],
  ['a map', new Map(), '<Map>'],
  ['an error', new RangeError('far'), '<RangeError: far>'],
  ['a date', new Date(0), '<1970-01-01T00:00:00.000Z>'],
  ['a date that is none', new Date(Number.NaN), '<Invalid Date>'],
  ['a getter', Object.defineProperty({}, 'g', { get: explode, enumerable: true }), {}],
  ['a list with a getter', Object.defineProperty([0], 0, { get: explode }), ['<getter>']],
  ['a proxy', new Proxy({}, { get: explode, ownKeys: explode, getPrototypeOf: explode }), '<Proxy>'],
  [
    'a date with methods of its own',
    new (class Day extends Date {
      override getTime = explode;
      override toISOString = explode;
    })(0),
    '<1970-01-01T00:00:00.000Z>',
  ],
  ['an error with a getter', Object.defineProperty(new RangeError(), 'message', { get: explode }), '<RangeError: >'],
  ['an object with a proxy above it', Object.create(new Proxy({}, { get: explode, getPrototypeOf: explode })), {}],
])('%s is printed', (_, value, printed) => {
  expect(printVariables([{ value }])).toEqual({ value: printed });
});

it('functions are left out', () => {
  expect(printVariables([{ f: explode, C: Cart, a: 1 }])).toEqual({ a: 1 });
});

it('the innermost of two of the same name is printed', () => {
  expect(printVariables([{ a: 1 }, { a: 2, b: 3 }])).toEqual({ a: 1, b: 3 });
});

it('secrets are not printed, neither on their own nor in objects', () => {
  const scope = { password: 'p', options: { apiKey: 'k', port: 1 } };
  expect(printVariables([scope])).toEqual({ password: '[Filtered]', options: { apiKey: '[Filtered]', port: 1 } });
});

it('lists of tokens are not printed, lists of words are', () => {
  const scope = { tokens: ['x8Qz3vT6kW1', 'y9Ra4wU7lX2'], keys: ['id', 'name'] };
  expect(printVariables([scope])).toEqual({ tokens: '[Filtered]', keys: ['id', 'name'] });
  const throwing = { get: () => expect.unreachable(), getOwnPropertyDescriptor: () => expect.unreachable() };
  expect(printVariables([{ tokens: new Proxy([], throwing) }])).toEqual({ tokens: '<Proxy>' });
});

it('no value, yes and no are printed, whatever the name is', () => {
  const scope = { password: undefined, token: null, secret: false, pin: 0, apiKey: '' };
  expect(printVariables([scope])).toEqual({
    password: '<undefined>',
    token: '<null>',
    secret: 'false',
    pin: '[Filtered]',
    apiKey: '[Filtered]',
  });
});

it('personal data is printed only when it may leave', () => {
  expect(printVariables([{ email: 'a@example.com' }], false)).toEqual({ email: '[Filtered]' });
  expect(printVariables([{ email: 'a@example.com' }], true)).toEqual({ email: 'a@example.com' });
});

it('credentials in texts are not printed', () => {
  const url = 'postgres://shop:hunter2@db.example.com/shop';
  expect(JSON.stringify(printVariables([{ url, urls: [url], error: new Error(url) }]))).not.toContain('hunter2');
});

it('50 variables and 20 members of each are printed at most', () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`v${i}`, i]));
  expect(Object.keys(printVariables([{ many }, many]))).toHaveLength(50);
  expect(Object.keys(printVariables([{ many }])['many'] as object)).toHaveLength(20);
});

it('a name may be that of the prototype', () => {
  expect(Object.keys(printVariables([JSON.parse('{"__proto__":1}')]))).toEqual(['__proto__']);
});
