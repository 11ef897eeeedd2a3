import { RecentMap } from '../internal/recent-map.js';
import type { SensitiveNames } from './sensitive-names.js';

/** Longer strings are searched each time. */
const MAX_LENGTH = 256;
const MIN_STRINGS = 1000;

/**
 * Strings in which nothing was filtered. The same ones come again and again: in one event, which has the path of its
 * request in several places, and in the requests of one client. Searching them takes longer than the rest of a request.
 * Strings with secrets are never kept.
 */
const harmless = new WeakMap<SensitiveNames, RecentMap<string, true>>();

/**
 * Calls `filter` unless it is known to find nothing in this string.
 *
 * @param form what the string is: the name of a header, `(path)` or `(query)`
 */
export function filterUnlessHarmless(
  form: string,
  text: string,
  names: SensitiveNames,
  filter: (text: string, names: SensitiveNames) => string,
): string {
  if (text.length > MAX_LENGTH) return filter(text, names);
  let known = harmless.get(names);
  if (!known) {
    known = new RecentMap(MIN_STRINGS);
    harmless.set(names, known);
  }
  const key = `${form}: ${text}`;
  if (known.get(key)) return text;
  const filtered = filter(text, names);
  if (filtered === text) known.set(key, true);
  return filtered;
}
