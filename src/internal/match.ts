import { types } from 'node:util';

/**
 * Whether a string contains one of the matchers, or one of the patterns matches it. `lastIndex` plays no part, also
 * with the flags `g` and `y`. A matcher of another type, and a pattern that throws, match nothing.
 */
export function matchesAny(text: string, matchers: readonly (string | RegExp)[]): boolean {
  for (const matcher of matchers) {
    if (typeof matcher === 'string' ? text.includes(matcher) : isMatch(text, matcher)) return true;
  }
  return false;
}

function isMatch(text: string, pattern: RegExp): boolean {
  try {
    // `search` neither reads nor changes `lastIndex`; `test` does.
    return types.isRegExp(pattern) && text.search(pattern) >= 0;
  } catch {
    return false;
  }
}
