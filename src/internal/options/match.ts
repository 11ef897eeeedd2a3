import { types } from 'node:util';

/**
 * Whether a string contains one of the matchers, or one of the patterns matches it. `lastIndex` plays no part, also
 * with the flags `g` and `y`. A matcher of another type, and a pattern that throws, match nothing.
 */
export function matchesAny(value: string, matchers: readonly (string | RegExp)[]): boolean {
  for (const matcher of matchers) {
    if (typeof matcher === 'string' ? value.includes(matcher) : isMatch(value, matcher)) return true;
  }
  return false;
}

function isMatch(value: string, pattern: RegExp): boolean {
  try {
    // `search` neither reads nor changes `lastIndex`; `test` does.
    return types.isRegExp(pattern) && value.search(pattern) >= 0;
  } catch {
    return false;
  }
}
