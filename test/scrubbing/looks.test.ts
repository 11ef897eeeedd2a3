import { expect, it } from 'vitest';
import { LOOKS } from '../../src/scrubbing/looks/looks.js';
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
