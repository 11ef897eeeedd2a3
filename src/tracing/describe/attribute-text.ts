import { isArray, readList } from '../../internal/values/read.js';

/**
 * The text of a name or an attribute that describes a span: applications set values of other types than OTel declares.
 *
 * @returns of a list, its elements with commas between them; `undefined` for other objects and for no value
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
