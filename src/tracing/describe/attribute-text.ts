import { isArray, readList } from '../../internal/values/read.js';

export const ROUTE = 'http.route';

/** In the stable conventions, or the old ones; `undefined` if the span is of no request. */
export function httpMethodOf({ attributes }: { readonly attributes: Readonly<Record<string, unknown>> }): unknown {
  return attributes['http.request.method'] || attributes['http.method'] || undefined;
}

/**
 * The text of a name or an attribute. Applications also set values of types that OTel does not declare.
 *
 * @returns the elements of a list, joined by commas; `undefined` for other objects and for no value
 */
export function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (!isArray(value)) return isScalar(value) ? String(value) : undefined;
  const scalars = readList(value).filter(isScalar);
  return scalars.length > 0 ? scalars.join(',') : undefined;
}

function isScalar(value: unknown): boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
