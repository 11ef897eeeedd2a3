import { describe, expect, it } from 'vitest';
import { maskText } from '../../../src/scrubbing/credentials.js';
import { sensitiveNames } from '../../../src/scrubbing/sensitive-names.js';
import { growthOf } from '../../support/growth.js';

const NAMES = sensitiveNames(false);
const mask = (text: string) => maskText(text, NAMES);
/** Among thousands of measurements, some are disturbed by other work of the process. */
const ATTEMPTS = [1, 2, 3, 4];

describe('a text of names and values takes linear time', () => {
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
  const ends = ['!', ' !', '"', "'", '\n'];
  /** Exponential time shows at the first size, and would not end at the second one; what is quadratic shows there. */
  const sizes = [3, 1024];

  it.each(names)('%s', (name) => {
    const slow: string[] = [];
    for (const start of starts) {
      for (const part of parts) {
        for (const end of ends) {
          const prepare = (size: number) => name + start + part.repeat(Math.ceil(size / part.length)) + end;
          const isSlow = sizes.some((size) => ATTEMPTS.every(() => growthOf(size, prepare, mask) > 24));
          if (isSlow) slow.push(prepare(3));
        }
      }
    }
    expect(slow).toEqual([]);
  });
});
