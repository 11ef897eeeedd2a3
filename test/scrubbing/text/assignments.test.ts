import { describe, expect, it } from 'vitest';
import { maskText } from '../../../src/scrubbing/credentials.js';
import { sensitiveNames } from '../../../src/scrubbing/sensitive-names.js';
import { cpuMicrosOf, growthOf } from '../../support/growth.js';

const NAMES = sensitiveNames(false);

/** Texts in which nothing but the value of `secret` is a credential; where it ends, only its brackets say. */
const BRACKETED: readonly (readonly [value: string, masked?: string])[] = [
  ["{ a: [ 1, 2 ], b: 'letmein' }"],
  ["{ a: { b: { c: [ 1 ] } }, d: 'letmein' }"],
  ['[ { a: [ 1 ] }, { b: "letmein" } ]'],
  ['[["a"],["letmein"]]'],
  ["{ a: '}', b: 'letmein' }"],
  ['{"a":"]}","b":"letmein"}'],
  [String.raw`{"a":"\"}","b":"letmein"}`],
  ["{ a: `'}`, b: 'letmein' }"],
  [String.raw`{\"a\":\"]}\",\"b\":\"letmein\"}`],
  ["{ a: /}/, b: 'letmein' }"],
  ["{ a: [Function: a], b: [Object], c: [Getter], d: 'letmein' }"],
  ["{\n  a: Error: it doesn't work\n      at f (/app/a.js:1:2) {\n    code: 1\n  },\n  b: 'letmein'\n}"],
  ["Map(2) { 'a' => [ 1 ], 'b' => 'letmein' }"],
  ["Set(1) { 'letmein' }"],
  ["Account { a: [ 1 ], b: 'letmein' }"],
  ["Account [Secret] { b: 'letmein' }"],
  ["Array(2) [ [ 1 ], 'letmein' ]"],
  ["[Object: null prototype] { a: 'letmein' }"],
  ["<ref *1> { self: [Circular *1], b: 'letmein' }"],
  ["<ref *2> Account { self: [Circular *2], b: 'letmein' }"],
  ['Uint8Array(3) [ 120, 56, 81 ]'],
  ['ArrayBuffer { [Uint8Contents]: <78 38 51>, byteLength: 3 }'],
  // Cut, so that nothing closes the bracket
  ["{ a: [ 1 ], b: 'letm", ''],
];

it.each(BRACKETED)(
  'a value in brackets is masked to the bracket that closes it: %s',
  (value, rest = ', user: 7 }, a: 1') => {
    expect(maskText(`failed { secret: ${value}${rest}`, NAMES)).toBe(`failed { secret: [Filtered]${rest}`);
  },
);

it.each([
  "{ errors: { password: ['is too short'] }, user: { a: [ 1 ], b: 'x' } }",
  '{ secret: [Object], b: { a: [ 1 ] } }',
  '{ credentials: [Getter/Setter], secret: [Function: secret] }',
  "{ properties: { password: { type: 'string', oneOf: [ { min: 3 } ] }, user: { a: 'x' } } }",
  'Unexpected token: Identifier { in line 3',
  'Unexpected token: expected { but found }',
])('a value in brackets that is none stays, with what follows: %s', (text) => {
  expect(maskText(text, NAMES)).toBe(text);
});

describe('texts of names and values take linear time together', () => {
  const names = [
    'token=',
    'password: ',
    'secret: { a',
    '--password ',
    'Authorization: ',
    'tokenUrl: "',
    "auth('",
    'value=',
  ];
  const starts = ['', '/tmp/', 'https://', './', '["', '$(', '{'];
  const parts = [
    'a',
    'A1',
    'a1/',
    'a.',
    'a-',
    '/',
    '.',
    ' a',
    'value=',
    'a=',
    'a:',
    'a, ',
    "a', '",
    '\\"',
    '%20',
    '{{',
    'a\\"',
    '"\'',
    ' / ',
    '<ref *1> ',
  ];
  const ends = ['!', '"'];

  const textsOf = (name: string, size: number) =>
    starts.flatMap((start) =>
      parts.flatMap((part) => ends.map((end) => name + start + part.repeat(Math.ceil(size / part.length)) + end)),
    );
  const mask = (texts: readonly string[]) => {
    for (const text of texts) maskText(text, NAMES);
  };

  // Exponential time shows with few characters, and would not end with many.
  it.each(names)('%s', (name) => {
    for (const size of [3, 1024]) {
      expect(
        growthOf(size, (length) => textsOf(name, length), mask),
        `${size}`,
      ).toBeLessThan(64);
    }
  });
});

it.each(['value=', 'data=', 'content='])('a text of %j alone takes hardly longer than one of another word', (part) => {
  const costOf = (one: string) => {
    const text = `token=${one.repeat(2000)}`;
    return Math.min(...[1, 2, 3].map(() => cpuMicrosOf(() => maskText(text, NAMES))));
  };
  expect(costOf(part) / costOf('holder=')).toBeLessThan(50);
});

it.each([
  'value: "',
  "value: 'a' b: ",
  'input: user name: ada content: text type: x mode: y level: z ',
  'value: x a: b ',
  'value: "a", b: "c", ',
])('members of a structure have one reading, so that %j takes no longer than other words', (part) => {
  const costOf = (one: string) => {
    const text = `password: ${one.repeat(96 / one.length)}`;
    return Math.min(...[1, 2, 3].map(() => cpuMicrosOf(() => maskText(text, NAMES))));
  };
  maskText(part, NAMES);
  // With several readings, 96 characters took a second.
  expect(costOf(part) / Math.max(100, costOf('holder: "'))).toBeLessThan(50);
});

it.each([
  ['authorization: Bearer x8Qz3vT6kW1x8Qz3vT6kW1 status=401 order=77', 'authorization: [Filtered] status=401 order=77'],
  [
    "{ cookie: { path: '/', _expires: null, httpOnly: true }, views: 3, userId: 7 }",
    '{ cookie: [Filtered], views: 3, userId: 7 }',
  ],
  ['cookie: {"secure":true,"maxAge":3600} port=3000 host=db1', 'cookie: [Filtered] port=3000 host=db1'],
  ['[auth] token: [abc (expires in 5m] refreshed in time', '[auth] token: [Filtered] refreshed in time'],
])('what follows a masked value stays: %s', (text, masked) => {
  expect(maskText(text, NAMES)).toBe(masked);
});
