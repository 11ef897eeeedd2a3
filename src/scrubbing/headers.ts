import { FILTERED, type SensitiveNames, sensitiveNames } from './sensitive-names.js';
import { filterUrl } from './urls.js';

const CREDENTIAL =
  /auth|token|secret|session|passw|pwd|key|jwt|bearer|sso|saml|csrf|xsrf|credential|sid|identity|cookie|signature|assertion/i;
const PERSONAL =
  /forwarded|-ip|ip$|remote-|via|-user|user-?(?:id|name)|principal|mail|^from$|-address$|client-(?:cert|dn|s-dn)|phone|msisdn|lat-?long|latitude|longitude/i;

/**
 * The value of a header, or several, as they may leave: replaced where the name tells what they are, else without
 * secrets that they hold.
 *
 * @param name in lower case
 */
export function filterHeader<T>(name: string, value: T, sendDefaultPii: boolean): T | string | string[] {
  if (CREDENTIAL.test(name) || (!sendDefaultPii && PERSONAL.test(name))) return FILTERED;
  const names = sensitiveNames(sendDefaultPii);
  if (typeof value === 'string') return filterValue(value, names);
  return Array.isArray(value) ? value.map((one) => filterValue(String(one), names)) : value;
}

/** Many a header holds a URL. */
function filterValue(value: string, names: SensitiveNames): string {
  const filtered = filterUrl(value, names);
  return filtered === value && names.areAssignedIn(value) ? FILTERED : filtered;
}
