import { PatternGuard } from '../internal/options/pattern-guard.js';
import type { StringMatcher } from '../model/options.js';
import { escapePattern, withFlags } from './custom-names.js';
import { FILTERED } from './sensitive-names.js';

/** The patterns of the option `scrubbing`. */
export class CustomPatterns {
  readonly #patterns: readonly RegExp[];
  readonly #guard = new PatternGuard('scrubbing.patterns');

  constructor(matchers: readonly StringMatcher[]) {
    this.#patterns = matchers.map((one) =>
      typeof one === 'string' ? new RegExp(escapePattern(one), 'g') : withFlags(one, 'g'),
    );
  }

  /**
   * Finds the texts in which a pattern matches. Texts that could not be searched in time are replaced as a whole.
   *
   * @returns replacements by text; texts without a match are absent
   */
  findReplacements(texts: Iterable<string>): ReadonlyMap<string, string> {
    const replacements = new Map<string, string>();
    const unsearched = new Set(texts);
    this.#guard.run(() => {
      for (const text of [...unsearched]) {
        const replaced = this.#patterns.reduce((rest, pattern) => rest.replace(pattern, filterMatch), text);
        if (replaced !== text) replacements.set(text, replaced);
        unsearched.delete(text);
      }
    });
    for (const text of unsearched) replacements.set(text, FILTERED);
    return replacements;
  }
}

/** A pattern such as `x*` also matches nothing, between any two characters. */
function filterMatch(match: string): string {
  return match === '' ? '' : FILTERED;
}
