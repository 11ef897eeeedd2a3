import { expect, it } from 'vitest';
import { toPrintable } from '../../../src/internal/values/printable.js';

it.each([
  ['bad key', 'bad key'],
  ['\u001b[31mred\u001b[0m\u0007', '[31mred [0m'],
  ['two\r\nlines\u2028three', 'two lines three'],
  ['\u202eright to left\u009b2J', 'right to left 2J'],
  ['half \ud800 of a pair', 'half of a pair'],
  ['  ', ''],
])('%j is printed as %j', (text, printed) => {
  expect(toPrintable(text, 100)).toBe(printed);
});

it('a long string is cut', () => {
  expect(toPrintable('x'.repeat(10_000_000), 10)).toBe('xxxxxxxxx…');
});
