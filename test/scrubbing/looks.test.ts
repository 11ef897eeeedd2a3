import { expect, it } from 'vitest';
import { LOOKS, LOOKS_BY_MIDDLE } from '../../src/scrubbing/looks/looks.js';
import { growthOf } from '../support/growth.js';

/** The letters and digits with which the strings of a look begin. */
const beginningOf = (look: string) => /^\\b([A-Za-z\d_]+)/.exec(look)?.[1] ?? 'a';

it.each(['/', '+', '-', '.'])('beginnings of tokens take linear time, each followed by "%s"', (separator) => {
  for (const look of LOOKS) {
    const pattern = new RegExp(look.replace(' ', ''), 'g');
    const part = `${beginningOf(look)}${separator}`;
    const prepare = (size: number) => part.repeat(size);
    expect(
      growthOf(1000, prepare, (text) => text.replace(pattern, '')),
      look,
    ).toBeLessThan(20);
  }
});

it('each look has at most one space, behind its beginning', () => {
  for (const look of LOOKS) expect(look).toMatch(/^[^ ]{4,}(?: [^ ]+)?$/);
});

it.each([
  'sk_',
  'a_',
  'live-a1B_',
  '?code=',
  '&key=aB1-',
  'session with ',
  'session id not a1B-',
  'JQQJ99+ASt',
  'abcdefghijklmnop\\n',
  'a'.repeat(16),
  '0a'.repeat(16),
  `${'ab'.repeat(40)}\n`,
  'a1B2_',
])('looks that are searched for by their middle take linear time in many %j', (part) => {
  const ends = ['-----END PRIVATE KEY-----', ' JQQJ9 8Q~ AZDO _mmk .atlasv1. NRAL'];
  for (const [, look] of LOOKS_BY_MIDDLE) {
    const prepare = (size: number) => part.repeat(size) + ends.join('');
    expect(
      growthOf(500, prepare, (text) => text.replace(look, '')),
      look.source,
    ).toBeLessThan(20);
  }
});
