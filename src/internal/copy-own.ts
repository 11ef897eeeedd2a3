import { guard } from './guard.js';
import { setOwn } from './set-own.js';

/**
 * Makes a shallow copy of an object's own enumerable properties. A property whose getter throws is left out; a value
 * that is not an object gives an empty copy.
 */
export function copyOwn(source: unknown): Record<string, unknown> {
  try {
    return { ...(source as object) };
  } catch {
    return copyReadable(source as object);
  }
}

/** Like `copyOwn`, without the properties that are `undefined`, which count as absent. */
export function copyDefined(source: unknown): Record<string, unknown> {
  const copy = copyOwn(source);
  for (const key in copy) {
    if (copy[key] === undefined)
      return Object.fromEntries(Object.entries(copy).filter(([, value]) => value !== undefined));
  }
  return copy;
}

function copyReadable(source: object): Record<string, unknown> {
  const copy: Record<string, unknown> = {};
  for (const key of guard('Object.keys of user data', () => Object.keys(source), [])) {
    try {
      setOwn(copy, key, (source as Record<string, unknown>)[key]);
    } catch {
      // Its getter throws.
    }
  }
  return copy;
}
