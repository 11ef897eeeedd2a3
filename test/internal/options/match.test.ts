import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { matchesAny } from '../../../src/internal/options/match.js';

class BrokenPattern extends RegExp {
  override [Symbol.search](): number {
    throw new Error('broken');
  }
}

describe('matchesAny', () => {
  it.each<[string, string, (string | RegExp)[], boolean]>([
    ['a string that the text contains', 'GET /health', ['/health'], true],
    ['a string of other case', 'GET /Health', ['/health'], false],
    ['a pattern', 'GET /health', [/^get/i], true],
    ['the second of two', 'GET /health', ['POST', /health$/], true],
    ['nothing', 'GET /health', [], false],
    ['a pattern of another realm', 'abc', [runInNewContext('/b/') as RegExp], true],
    ['a sticky pattern, only at the beginning', 'xfoo', [/foo/y], false],
  ])('matches %s', (_, text, matchers, expected) => {
    expect(matchesAny(text, matchers)).toBe(expected);
  });

  it.each([/b/g, /a/y])(
    'gives the same answer each time with the stateful %s, and leaves its state alone',
    (pattern) => {
      pattern.lastIndex = 3;
      expect([1, 2, 3].map(() => matchesAny('abc', [pattern]))).toEqual([true, true, true]);
      expect(pattern.lastIndex).toBe(3);
    },
  );

  it('passes over what is no matcher, and over patterns that throw', () => {
    const nonsense = [undefined, null, 1, {}, new BrokenPattern('b')] as unknown as RegExp[];
    expect(matchesAny('abc', nonsense)).toBe(false);
    expect(matchesAny('abc', [...nonsense, 'c'])).toBe(true);
  });
});
