import { isArray, isObject, isPlainObject, readProperty } from '../internal/values/read.js';

/** The methods by which a provider, a processor, an exporter, a sampler and a propagator are recognized. */
const METHODS = ['getTracer', 'onEnd', 'export', 'shouldSample', 'inject'] as const;

/** Bounds of the search; real pipelines are far smaller. */
const MAX_PARTS = 300;
const MAX_ELEMENTS = 50;

/** Whether a value is a part of this kind. */
export function isPart(value: unknown, method: (typeof METHODS)[number]): value is object {
  return typeof readProperty(value, method) === 'function';
}

/**
 * All parts reachable from a part of an OTel pipeline, outer parts first: the part itself, the parts it holds, and the
 * lists that hold them. Only data properties are read, so parts in private fields are not found.
 */
export function partsWithin(root: object): readonly object[] {
  const found = new Set<object>([root]);
  for (const part of found) {
    for (const value of valuesOf(part)) {
      if (found.size < MAX_PARTS && isFollowed(value, part)) found.add(value);
    }
  }
  return [...found];
}

/** Getters are not called: they are user code. */
function valuesOf(part: object): readonly unknown[] {
  try {
    if (isArray(part)) return part.slice(0, MAX_ELEMENTS);
    return Object.values(Object.getOwnPropertyDescriptors(part)).map(({ value }) => value);
  } catch {
    return [];
  }
}

/** Parts and lists are followed; of providers also the plain object that holds their configuration. */
function isFollowed(value: unknown, holder: object): value is object {
  if (!isObject(value)) return false;
  if (isArray(value) || METHODS.some((method) => isPart(value, method))) return true;
  return isPart(holder, 'getTracer') && isPlainObject(value);
}
