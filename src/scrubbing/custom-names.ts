import { RecentMap } from '../internal/collections/recent-map.js';
import { PatternGuard } from '../internal/options/pattern-guard.js';
import { limitLength } from '../internal/values/strings.js';
import type { StringMatcher } from '../model/options.js';

/** Longer names are cut before they are matched. */
const MAX_NAME_LENGTH = 256;
/** Decisions kept, because names repeat and running a pattern is slow. */
const MIN_DECISIONS = 500;

/** Names of one list in the option `scrubbing`. */
export class CustomNames {
  /** That of {@link sourceOf} for the strings of the list. */
  readonly source: string | undefined;
  readonly #word: RegExp | undefined;
  readonly #patterns: readonly RegExp[];
  readonly #guard: PatternGuard;
  readonly #whenUnknown: boolean;
  readonly #decisions = new RecentMap<string, boolean>(MIN_DECISIONS);

  /** @param whenUnknown the answer when a pattern takes too long: the one that filters */
  constructor(option: string, matchers: readonly StringMatcher[], whenUnknown: boolean) {
    this.source = sourceOf(matchers.filter((one) => typeof one === 'string'));
    this.#word = this.source === undefined ? undefined : new RegExp(`(?:^|[[._ -])(?:${this.source})\\]*$`, 'i');
    this.#patterns = matchers.filter((one) => typeof one !== 'string').map((one) => withFlags(one, ''));
    this.#guard = new PatternGuard(option);
    this.#whenUnknown = whenUnknown;
  }

  /** Whether a pattern may match names that {@link source} does not. */
  get hasPatterns(): boolean {
    return this.#patterns.length > 0;
  }

  has(name: string): boolean {
    const limited = limitLength(name, MAX_NAME_LENGTH);
    return this.#word?.test(limited) === true || this.matches(limited);
  }

  /** Whether a pattern of the list matches a name or a value. */
  matches(text: string): boolean {
    if (this.#patterns.length === 0) return false;
    const limited = limitLength(text, MAX_NAME_LENGTH);
    const known = this.#decisions.get(limited);
    if (known !== undefined) return known;
    const decision = this.#guard.run(() => this.#patterns.some((pattern) => pattern.test(limited)));
    if (decision !== undefined) this.#decisions.set(limited, decision);
    return decision ?? this.#whenUnknown;
  }
}

/** @returns the source of a regular expression for names, as whole words, with any separators; `undefined` for none */
export function sourceOf(names: readonly string[]): string | undefined {
  return names.length > 0 ? names.map(toSource).join('|') : undefined;
}

/** `employeeNo` also stands for `employee_no`, `employee-no` and `EmployeeNo`. */
function toSource(name: string): string {
  const words = name.replace(/([a-z\d])([A-Z])/g, '$1-$2').split(/[-_. ]+/);
  return words
    .filter((word) => word !== '')
    .map(escapePattern)
    .join('[-_. ]?');
}

/** A regular expression that matches the text and nothing else. */
export function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

/** A copy whose matches do not depend on `lastIndex`: without the flags `g` and `y`, and with those that are passed. */
export function withFlags(pattern: RegExp, added: string): RegExp {
  return new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, '') + added);
}
