/**
 * What validators say of a field, as a whole: `{ errors: { password: 'is too short' } }`. A closed list, because passphrases
 * are sentences as well: `it is what it is`.
 */
const COMPLAINT = new RegExp(
  `^(?:${[
    String.raw`(?:(?:(?:the|this|your|new)\s)?(?:(?:field|value|it|passwords?|passphrase|token|code|pin|(?:api )?key|secret)\s){1,2})?(?:${[
      String.raw`(?:is|are|was)\s(?:too\s(?:short|long|weak|common|simple|similar(?:\sto\s[a-z ]{3,32})?)(?:\s\((?:minimum|maximum)\sis\s\d{1,4}(?:\scharacters)?\))?|(?:not\s|already\s){0,2}(?:required|mandatory|(?:in)?valid|(?:in)?correct|wrong|missing|expired|revoked|malformed|empty|blank|weak|(?:strong|long)\senough|allowed|supported|set|taken|in\suse|case-sensitive))`,
      String.raw`(?:has|have)\s(?:already\s)?(?:expired|been\s(?:revoked|used))`,
      String.raw`(?:(?:must|should|may|has\sto|needs?\sto)(?:\snot)?|cannot|can't)\s(?:be\s(?:(?:left\s)?(?:blank|empty|null)|(?:a\s)?(?:string|number)|unique|different|(?:at\s(?:least|most)|(?:no\s)?(?:longer|shorter|more|less)\sthan|between|exactly)\s\d{1,4}(?:\s(?:and|to)\s\d{1,4})?(?:\s(?:characters?|chars|digits)(?:\slong|\sin\slength)?)?)|match|(?:contain|have|include)\s(?:at\sleast\s)?(?:\d{1,2}|an?|one)(?:\s(?:upper-?case|lower-?case|special|capital))?\s(?:characters?|digits?|numbers?|letters?|symbols?))`,
      String.raw`(?:do\snot|does\snot|don't|doesn't)\s(?:match|exist)(?:\s(?:the\s)?(?:confirmation|passwords?))?`,
    ].join('|')})`,
    String.raw`(?:required|invalid|missing)(?:\s(?:field|value|passwords?|token|code|pin|key|secret|credentials?|signature|format|length|type))?`,
    String.raw`(?:please\s)?enter\s(?:an?|the|your)\s(?:valid\s)?(?:\d{1,2}-digit\s)?(?:passwords?|token|code|pin|key|value)`,
  ].join('|')})[.!]?$`,
  'i',
);
/** `cookies: 3`, `pass=2` */
const COUNTED = /^pass$|(?:cookies|credentials|passwords|secrets|assertions|signatures)$/i;
const MAX_COUNT = 999;
const AUTHENTICATION = /(?:auth|token)$/i;
/** A kind of authentication or of token, or its outcome: `auth: 'basic'`, `token === 'refresh'`, `auth=success` */
const KIND =
  /^(?:none|plain|login|xoauth2?|cram-md5|basic|bearer|digest|jwt|oauth2?|ldap|saml|sso|refresh|access|session|csrf|reset|success|succeeded|fail(?:ed|ure)|ok|pending|denied|granted|expired|revoked)$/i;
/** Names with another meaning, too, and values that are names themselves: `clave: 'id'`, `serial_key=orders_pkey`. */
const AMBIGUOUS = /(?:clave|mdp|sandi|serial[-_. ]?key)$/i;
const IDENTIFIER = /^(?:[a-z]{1,3}|[a-z]{1,32}(?:_[a-z]{1,32}){1,8})$/;
const QUOTES = /^["'`]|["'`]$/g;

/**
 * Whether a value of a field for credentials is not a credential: what a validator says, a kind of authentication, the name of
 * something, or a number of credentials.
 */
export function isHarmlessValue(name: string, value: unknown): boolean {
  if (typeof value === 'number') return value <= MAX_COUNT && COUNTED.test(name);
  if (typeof value !== 'string') return false;
  if (/^\d\d?$/.test(value)) return COUNTED.test(name);
  const bare = value.replace(QUOTES, '');
  if (AUTHENTICATION.test(name) && KIND.test(bare)) return true;
  return COMPLAINT.test(bare) || (AMBIGUOUS.test(name) && IDENTIFIER.test(bare));
}
