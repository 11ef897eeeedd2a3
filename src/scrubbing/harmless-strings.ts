import { oncePerObject } from '../internal/collections/once-per-object.js';
import { RecentMap } from '../internal/collections/recent-map.js';
import { detach } from '../internal/values/strings.js';
import type { SensitiveNames } from './sensitive-names.js';

/** Longer strings are searched each time. */
const MAX_LENGTH = 256;
const MIN_STRINGS = 1000;
/** Of one string. */
const MAX_FORMS = 8;

/**
 * Strings in which nothing was filtered, with their forms. The same ones come again and again: in one event, which has the
 * path of its request in several places, and in the requests of one client. Searching them takes longer than the rest of a
 * request. Strings with secrets are never kept.
 */
const harmlessFor = oncePerObject((_: SensitiveNames) => new RecentMap<string, string[]>(MIN_STRINGS, detach));

/**
 * Calls `filter` unless it is known to find nothing in this string.
 *
 * @param form what the string is: the name of a header, `(path)` or `(query)`
 */
export function filterUnlessHarmless(
  form: string,
  text: string,
  names: SensitiveNames,
  filter: (text: string, names: SensitiveNames, form: string) => string,
): string {
  if (text.length > MAX_LENGTH) return filter(text, names, form);
  const known = harmlessFor(names);
  const forms = known.get(text);
  if (forms?.includes(form)) return text;
  const filtered = filter(text, names, form);
  if (filtered !== text) return filtered;
  if (forms === undefined) known.set(text, [form]);
  else if (forms.length < MAX_FORMS) forms.push(form);
  return text;
}
