import { isArray, readList } from '../../internal/values/read.js';

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
