import { describe, expect, it } from 'vitest';
import { maskText } from '../../../src/scrubbing/credentials.js';
import { sensitiveNames } from '../../../src/scrubbing/sensitive-names.js';
import { cpuMicrosOf, growthOf } from '../../support/growth.js';

const NAMES = sensitiveNames(false);

describe('texts of names and values take linear time together', () => {
  const names = ['token=', 'password: ', '--password ', 'Authorization: ', 'tokenUrl: "', "auth('", 'value='];
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
