import { isArray, readProperty } from '../internal/read.js';

/** What tells a provider, a processor, an exporter, a sampler and a propagator. */
const METHODS = ['getTracer', 'onEnd', 'export', 'shouldSample', 'inject'] as const;

/** What pipelines are made of at most, as far as anybody looks. */
const MAX_PARTS = 300;
const MAX_ELEMENTS = 50;

/** Whether a value is a part of this kind. */
export function isPart(value: unknown, method: (typeof METHODS)[number]): value is object {
  return typeof readProperty(value, method) === 'function';
}

/**
 * What a part of an OTel pipeline is made of: itself, what it holds, and the lists in which it holds it; the outer
 * before the inner. Reads own properties and runs nothing, so that parts in private fields remain unseen.
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

/** Getters are left alone: they are code of the host. */
function valuesOf(part: object): readonly unknown[] {
  try {
    if (isArray(part)) return part.slice(0, MAX_ELEMENTS);
    return Object.values(Object.getOwnPropertyDescriptors(part)).map(({ value }) => value);
  } catch {
    return [];
  }
}

/** Providers keep some of their parts in an object with their configuration. */
function isFollowed(value: unknown, holder: object): value is object {
  if (typeof value !== 'object' || value === null) return false;
  if (isArray(value) || METHODS.some((method) => isPart(value, method))) return true;
  return isPart(holder, 'getTracer') && isPlain(value);
}

function isPlain(value: object): boolean {
  try {
    return Object.getPrototypeOf(value) === Object.prototype;
  } catch {
    return false;
  }
}
