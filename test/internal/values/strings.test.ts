import { describe, expect, it } from 'vitest';
import { detach, truncate } from '../../../src/internal/values/strings.js';

describe('truncate', () => {
  it.each([
    ['as long as allowed', 'abcd', 4, 'abcd'],
    ['longer', 'abcde', 4, 'abcd...'],
    ['much longer', 'ab'.repeat(1000), 3, 'aba...'],
    ['of any length, when the limit is 0', 'abcde', 0, 'abcde'],
    ['that would be cut within a character', 'abc\u{1F600}d', 4, 'abc...'],
    ['that would be cut after a character', 'ab\u{1F600}d', 4, 'ab\u{1F600}...'],
  ])('takes a text %s', (_, text, maxLength, expected) => {
    expect(truncate(text, maxLength)).toBe(expected);
  });
});

describe('detach', () => {
  it('keeps the text', () => {
    expect(detach('grüße \u{1F600}')).toBe('grüße \u{1F600}');
  });

  it('replaces half a character, which servers refuse', () => {
    expect(detach('a\ud83d')).toBe('a\ufffd');
  });
});
