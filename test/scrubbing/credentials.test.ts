import { describe, expect, it } from 'vitest';
import { maskText } from '../../src/scrubbing/credentials.js';
import { sensitiveNames } from '../../src/scrubbing/sensitive-names.js';
import { growthOf } from '../support/growth.js';

const NAMES = sensitiveNames(false);
const LENGTHS = [120, 140, 300, 600, 1200, 3000];

/** Letters and digits as of a token, none of them known by its looks. */
function tokenOf(length: number): string {
  const characters = 'aZ3kQ9xW7bT1mR5cY8dL2pN6';
  return Array.from({ length }, (_, i) => characters[(i * 7 + Math.floor(i / 24)) % characters.length]).join('');
}

describe('a credential of any length is masked whole:', () => {
  it.each([
    (token: string) => `connect failed postgres://admin:${token}@db/x`,
    (token: string) => `https://${token}@github.com/a/b`,
    (token: string) => `password=${token} and so on`,
    (token: string) => `body {"password":"${token}","a":1}`,
    (token: string) => `"body {\\"password\\":\\"${token}\\",\\"a\\":1}"`,
    (token: string) => `?access_token=${token}&a=1`,
    (token: string) => `run --password ${token} --verbose`,
    (token: string) => `the password is ${token}`,
    (token: string) => `Server=x;Password=${token};Database=y`,
  ])('%s', (textOf) => {
    for (const length of LENGTHS) {
      const token = tokenOf(length);
      const masked = maskText(textOf(token), NAMES);
      expect(masked, `${length}`).not.toContain(token.slice(-20));
      // What stands around it stays.
      expect(masked.replace(/\[filtered\]:|\[filtered\]/gi, '')).toBe(textOf('').replace(/admin:(?=@)/, ''));
    }
  });
});

it.each([
  `https://cdn.example.com/${'a/'.repeat(200)}x@2x.png`,
  `https://cdn.example.com:8080/${'a/'.repeat(200)}x@2x.png`,
  `see https://example.com/?q=${'a'.repeat(300)}&to=me@example.com`,
  `${'a'.repeat(300)}@example.com`,
  `42;https://shop.example,Meyer,${'a,'.repeat(80)}foo@bar.com,4711`,
  `http://[::1]:3000/${'a'.repeat(150)}/@scope/pkg`,
  `见https://例え.jp${'。文'.repeat(80)}a@b.cn`,
])('an @ that ends no user info changes nothing: %.40s', (text) => {
  expect(maskText(text, NAMES)).toBe(text);
});

it.each([
  'sk_live_4eC39HqLyjWDarjt',
  'AKIAIOSFODNN7EXAMPLE',
  '4000056655665556',
  'eyJhbGciOiJIUzI1.eyJzdWIiOiIx.c2lnbmF0dXJl',
])('a color in front of it does not hide %s', (token) => {
  for (const [on, off] of [
    ['\u001b[33m', '\u001b[39m'],
    ['\\u001b[1;33m', '\\u001b[0m'],
  ])
    expect(maskText(`the key ${on}${token}${off} is wrong`, NAMES)).toBe('the key [Filtered] is wrong');
});

it('colors of a text without credentials stay', () => {
  const text = '\u001b[32mGET\u001b[39m /orders \u001b[33m12 ms\u001b[0m';
  expect(maskText(text, NAMES)).toBe(text);
});

it.each([
  'charge 4000056655665556 12/26 123 failed',
  'card 4000 0566 5566 5556 12/26',
  'card 4000-0566-5566-5556 123',
  'GET /cards/4000056655665556 200 3 ms',
  '10:15:32 4000056655665556',
  '378282246310005 12/26',
  '3782 822463 10005 12/26',
])('the number of a card does not leave because another number stands beside it: %s', (text) => {
  const masked = maskText(text, NAMES);
  expect(masked).toContain('[Filtered]');
  expect(masked).not.toMatch(/5556|0005/);
});

it.each(['GET /products/4048151288966 200 12.3 ms', 'mem 25826869 68986768'])('%s leaves as it is', (text) => {
  expect(maskText(text, NAMES)).toBe(text);
});

it('what follows a short value in a long text stays', () => {
  const text = `password="hunter22X"class_name_is_rather_long="x" ${'word '.repeat(200)}`;
  expect(maskText(text, NAMES)).toBe(text.replace('hunter22X', '[Filtered]'));
});

it.each([
  '//a:',
  '//',
  'http://a@',
  'a@//',
  '[Filtered]a',
  'a://b:"',
  '://b:c<',
  'Headers.set: "',
  "'a' as ",
  'insert into a (password) select ',
  '\u001b[1m',
  '<password><![CDATA[',
])('many %s take linear time', (part) => {
  const textOf = (size: number) => `${part.repeat(size / part.length)} password=a b@c`;
  expect(growthOf(2 ** 13, textOf, (text) => maskText(text, NAMES))).toBeLessThan(40);
});

it('a value that is masked is masked again where the text repeats it, but not within longer words', () => {
  expect(maskText('token=build42x not found; retry build42x, build42x00', NAMES)).toBe(
    'token=[Filtered] not found; retry [Filtered], build42x00',
  );
});

it('many values that differ take linear time', () => {
  const text = (length: number) => Array.from({ length: length / 16 }, (_, i) => `password=a${i}b1c2 `).join('');
  expect(growthOf(2 ** 13, text, (one) => maskText(one, NAMES))).toBeLessThan(20);
});
