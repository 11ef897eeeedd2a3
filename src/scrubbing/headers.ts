import { filterUnlessHarmless } from './harmless-strings.js';
import { RANDOM } from './looks/random-words.js';
import { FILTERED, type SensitiveNames } from './sensitive-names.js';
import { filterUrl } from './urls.js';

/** Headers with credentials whose names are not also names of fields. */
const CREDENTIAL =
  /^cookie2?$|^(?:x-)?(?:session|ticket)$|^x-jfrog-art-api$|^dpop$|^x-(?!(?:idempotency|event|cache|surrogate|partition|routing|public|sort|object|message|request)-)(?:[\w-]+-)?key$|^x-(?:access|licen[cs]e)$|protection-bypass$|crumb$|appcheck$|trello-webhook$|^x-wopi-proof|^x-payment$|magic-link$|^apollographql-key$|set-cookie|(?:^|-)sso(?:-|$)|identity|oidc/;
/** Headers in which proxies name the client. Protocol, host and port are harmless. */
const PERSONAL =
  /forwarded(?!-(?:proto|protocol|scheme|port|host|server|prefix|ssl))|-ip(?!fs|hone)|(?<!sh|sk|tr|gz|oolt|(?<![a-z])t)ip$|remote-|-user|user-?(?:id|name)|principal|^from$|-address$|client-(?:cert|dn|s-dn)|lat-?long/;
/** Browsers send tokens to WebSockets as the name of a protocol, alone or after a word: `access_token, Ab3dEf6h`. */
const LISTED_TOKEN =
  /(?<![a-z])(?:bearer|access_token),\s?\S{8,}|(?<![a-z])(?:token|bearer|authorization|auth|jwt|key)(?:,\s?|\.(?:[a-z\d]{1,16}\.){0,4})(?=[^\s,]{0,64}\d)[^\s,]{16,}/i;
const HARMLESS =
  /^(?:x-)?ip-country$|(?:^|-)user-(?:agent|tier|plan|types?|roles?|levels?|status|locale|lang(?:uage)?|country|time-?zone|currency|count)$/;

/**
 * The value of a header, or several, as they may leave: replaced where the name tells what they are, else without
 * secrets that they hold.
 *
 * @param name in lower case
 */
export function filterHeader<T>(name: string, value: T, names: SensitiveNames): T | string | string[] {
  if (typeof value === 'string') return filterUnlessHarmless(name, value, names, filterOne);
  if (isSensitive(name, names)) return FILTERED;
  return Array.isArray(value) ? value.map((one) => filterValue(String(one), names)) : value;
}

function filterOne(value: string, names: SensitiveNames, name: string): string {
  const isToken = name === 'sec-websocket-protocol' && RANDOM.test(value);
  return isToken || isSensitive(name, names) ? FILTERED : filterValue(value, names);
}

function isSensitive(name: string, names: SensitiveNames): boolean {
  if (names.isAllowed(name)) return false;
  if (names.hasField(name) || names.hasCustomHeader(name) || CREDENTIAL.test(name)) return true;
  return names.filtersPersonalData && PERSONAL.test(name) && !HARMLESS.test(name);
}

/** Many headers contain a URL. */
function filterValue(value: string, names: SensitiveNames): string {
  const filtered = filterUrl(value, names);
  return filtered === value && (names.areAssignedIn(value) || LISTED_TOKEN.test(value)) ? FILTERED : filtered;
}
