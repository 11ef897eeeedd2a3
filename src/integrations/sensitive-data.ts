/** Stands where a value must not leave the process. */
export const FILTERED = '[Filtered]';

const CREDENTIAL_HEADER =
  /auth|token|secret|session|password|passwd|pwd|key|jwt|bearer|sso|saml|csrf|xsrf|credentials|sid|identity|cookie/i;
const PERSONAL_HEADER = /forwarded|-ip|remote-|via|-user/i;
/** Narrower than for headers: fields of an application are named `author`, `keyword` or `identity` without harm. */
const SECRET_FIELD =
  /passw|passphrase|pwd|secret|token|(api|access|private|secret)[-_]?key|auth(?!or)|credential|jwt|bearer|csrf|xsrf|saml|session[-_]?id|sessid|signature|^(sid|sig|session|key)$/i;

/** Whether the value of a request header authenticates somebody. */
export function isCredentialHeader(name: string): boolean {
  return CREDENTIAL_HEADER.test(name);
}

/** Whether the value of a request header may tell who the user is. */
export function isPersonalHeader(name: string): boolean {
  return PERSONAL_HEADER.test(name);
}

/** Whether a parameter of a query or a field of a body is a secret by its name. */
export function isSecretField(name: string): boolean {
  return SECRET_FIELD.test(name);
}

/** A query string (or a body of the same form), with the values of secrets replaced. Never throws. */
export function filterQuery(query: string): string {
  return query.replace(/([^?&=]+)=([^&]*)/g, (pair, name: string) =>
    isSecretField(decode(name)) ? `${name}=${FILTERED}` : pair,
  );
}

/** The parts of a URL, or of the path of one. */
export interface UrlParts {
  /** Without user info, query and fragment. */
  readonly url: string;
  /** Without the `?`, secrets replaced; the empty string when there is none. */
  readonly query: string;
  /** Without the `#`; the empty string when there is none. */
  readonly fragment: string;
}

/** Takes a URL apart and its secrets out. Text operations only, so that it works for malformed ones too. */
export function splitUrl(url: string): UrlParts {
  const [beforeFragment, fragment] = splitAt(url, '#');
  const [base, query] = splitAt(beforeFragment, '?');
  return { url: withoutUserInfo(base), query: filterQuery(query), fragment };
}

function withoutUserInfo(url: string): string {
  const begin = url.indexOf('://') + '://'.length;
  if (begin < '://'.length) return url;
  const slash = url.indexOf('/', begin);
  const authority = slash < 0 ? url.slice(begin) : url.slice(begin, slash);
  const at = authority.lastIndexOf('@');
  return at < 0 ? url : url.slice(0, begin) + url.slice(begin + at + 1);
}

function splitAt(text: string, separator: string): [before: string, after: string] {
  const index = text.indexOf(separator);
  return index < 0 ? [text, ''] : [text.slice(0, index), text.slice(index + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
