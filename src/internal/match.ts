import { types } from 'node:util';

/**
 * Whether a text contains one of the strings, or one of the patterns matches it. Every call begins at the start of the
 * text, also with the flags `g` and `y`. What is neither string nor pattern, and a pattern that throws, match nothing.
 */
export function matchesAny(text: string, matchers: readonly (string | RegExp)[]): boolean {
  for (const matcher of matchers) {
    if (typeof matcher === 'string' ? text.includes(matcher) : isMatch(text, matcher)) return true;
  }
  return false;
}

function isMatch(text: string, pattern: RegExp): boolean {
  try {
    // Unlike `test`, `search` neither minds nor leaves a `lastIndex`.
    return types.isRegExp(pattern) && text.search(pattern) >= 0;
  } catch {
    return false;
  }
}
