import { guard } from '../../internal/guard.js';
import { readProperty } from '../../internal/values/read.js';
import { SDK_MAJOR } from '../../internal/version.js';

/** The method by which copies of this package recognize each other's scopes. */
export const IS_SCOPE = Symbol.for(`faultline.v${SDK_MAJOR}.isScope`);

export function isScopeOfAnotherCopy(value: object): boolean {
  const isScope = readProperty(value, IS_SCOPE);
  return typeof isScope === 'function' && guard('a scope', () => isScope.call(value), false) === true;
}
