import { readProperty } from '../internal/values/read.js';
import { SDK_MAJOR } from '../internal/version.js';

/** Marks every client, whichever copy of this package created it. */
export const CLIENT_BRAND = Symbol.for(`faultline.v${SDK_MAJOR}.client`);

export function hasClientBrand(value: unknown): boolean {
  return readProperty(value, CLIENT_BRAND) === true;
}
