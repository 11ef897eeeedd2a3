import { FILTERED, sensitiveNames } from './sensitive-data.js';
import { filterUrl } from './sensitive-url.js';

const CREDENTIAL =
  /auth|token|secret|session|passw|pwd|key|jwt|bearer|sso|saml|csrf|xsrf|credential|sid|identity|cookie|signature|assertion/i;
const PERSONAL =
  /forwarded|-ip|ip$|remote-|via|-user|user-?(?:id|name)|principal|mail|^from$|-address$|client-(?:cert|dn|s-dn)|phone|msisdn|lat-?long|latitude|longitude/i;

/** The value of a header as it may leave: replaced where its name tells what it is, else without secrets that it holds. */
export function filterHeader(name: string, value: string, sendDefaultPii: boolean): string {
  if (CREDENTIAL.test(name) || (!sendDefaultPii && PERSONAL.test(name))) return FILTERED;
  const names = sensitiveNames(sendDefaultPii);
  // Many a header holds a URL.
  const filtered = filterUrl(value, names);
  return filtered === value && names.areAssignedIn(value) ? FILTERED : filtered;
}
