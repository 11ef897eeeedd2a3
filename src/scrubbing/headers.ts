import { RecentMap } from '../internal/recent-map.js';
import { FILTERED, type SensitiveNames } from './sensitive-names.js';
import { filterUrl } from './urls.js';

/** Names of headers with credentials that are no names of fields. */
const CREDENTIAL = /^cookie2?$|set-cookie|(?:^|-)sso(?:-|$)|identity|oidc/;
/** Proxies name the client in these, and what they say of protocol, host and port is harmless. */
const PERSONAL =
  /forwarded(?!-(?:proto|protocol|scheme|port|host|server|prefix|ssl))|-ip|ip$|remote-|-user|user-?(?:id|name)|principal|^from$|-address$|client-(?:cert|dn|s-dn)|lat-?long/;
/** Browsers send tokens to WebSockets as the name of a protocol: `access_token, Ab3dEf6h`. */
const LISTED_TOKEN =
  /(?<![a-z])(?:token|bearer|authorization|auth|jwt|key)(?:,\s?|\.(?:[a-z\d]{1,16}\.){0,4})(?=[^\s,]{0,64}\d)[^\s,]{16,}/i;
const HARMLESS = /^(?:x-)?(?:ip-country|user-agent|idempotency-key)$/;

/** Longer values are looked at each time. */
const MAX_REMEMBERED_LENGTH = 256;
const REMEMBERED_HEADERS = 500;

/**
 * Headers that hold no secrets. Requests of one client carry the same headers again and again, and searching them takes
 * longer than the rest of a request. Values with secrets are never kept.
 */
const harmless = new WeakMap<SensitiveNames, RecentMap<string, true>>();

/**
 * The value of a header, or several, as they may leave: replaced where the name tells what they are, else without
 * secrets that they hold.
 *
 * @param name in lower case
 */
export function filterHeader<T>(name: string, value: T, names: SensitiveNames): T | string | string[] {
  if (typeof value === 'string' && value.length <= MAX_REMEMBERED_LENGTH) return filterShort(name, value, names);
  if (isSensitive(name, names)) return FILTERED;
  if (typeof value === 'string') return filterValue(value, names);
  return Array.isArray(value) ? value.map((one) => filterValue(String(one), names)) : value;
}

function filterShort(name: string, value: string, names: SensitiveNames): string {
  let known = harmless.get(names);
  if (!known) {
    known = new RecentMap(REMEMBERED_HEADERS);
    harmless.set(names, known);
  }
  const header = `${name}: ${value}`;
  if (known.get(header)) return value;
  if (isSensitive(name, names)) return FILTERED;
  const filtered = filterValue(value, names);
  if (filtered === value) known.set(header, true);
  return filtered;
}

function isSensitive(name: string, names: SensitiveNames): boolean {
  if (names.isAllowed(name)) return false;
  if (names.hasField(name) || names.hasCustomHeader(name) || CREDENTIAL.test(name)) return true;
  return names.arePersonalIncluded && PERSONAL.test(name) && !HARMLESS.test(name);
}

/** Many a header holds a URL. */
function filterValue(value: string, names: SensitiveNames): string {
  const filtered = filterUrl(value, names);
  return filtered === value && (names.areAssignedIn(value) || LISTED_TOKEN.test(value)) ? FILTERED : filtered;
}
