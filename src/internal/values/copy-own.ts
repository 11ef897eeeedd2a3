import { guard } from '../guard.js';
import { keysOf } from '../patching/originals.js';
import { ignoreMadePromise, isIndexed } from './read.js';
import { setOwn } from './set-own.js';

/**
 * Makes a shallow copy of an object's own enumerable properties. A property whose getter throws is left out; a value
 * that is not an object with named members gives an empty copy.
 */
export function copyOwn(source: unknown): Record<string, unknown> {
  // The spread would make a property of each character.
  if (typeof source === 'string' || isIndexed(source)) return {};
  try {
    const copy: Record<string, unknown> = { ...(source as object) };
    for (const key in copy) {
      const value = copy[key];
      if (typeof value === 'object') ignoreMadePromise(value, source as object, key);
    }
    return copy;
  } catch {
    return copyKeys(source, listKeys(source));
  }
}

/** Members of one object that are looked at: more are never sent. */
export const MAX_MEMBERS = 10_000;

/**
 * Like `copyOwn`, but of more than {@link MAX_MEMBERS} members only the first. For data of any size.
 *
 * @param keys those of the source, if they were listed before
 */
export function copyLimited(source: unknown, keys?: readonly string[]): Record<string, unknown> {
  // Listing the keys of a string would list its characters.
  if (typeof source === 'string' || isIndexed(source)) return {};
  const all = keys ?? listKeys(source);
  return all.length > MAX_MEMBERS ? copyKeys(source, all.slice(0, MAX_MEMBERS)) : copyOwn(source);
}

/** Own enumerable keys; none if listing them throws. */
export function listKeys(source: unknown): string[] {
  return guard('Object.keys of user data', () => keysOf(Object(source)), []);
}

/** Copies some members. One whose getter throws is left out. */
export function copyKeys(source: unknown, keys: readonly string[]): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of keys) {
    try {
      const value = (source as Record<string, unknown>)[key];
      ignoreMadePromise(value, source as object, key);
      setOwn(copy, key, value);
    } catch {
      // Its getter throws.
    }
  }
  return copy;
}

/** Like `copyOwn`, without the properties that are `undefined`, which count as absent. */
export function copyDefined(source: unknown): Record<string, unknown> {
  const copy = copyLimited(source);
  for (const key in copy) {
    if (copy[key] === undefined)
      return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined));
  }
  return copy;
}
