import { RANDOM_WORD, RECORD_ID } from '../looks/random-words.js';
import { FILTERED } from '../sensitive-names.js';

const NOT_FILTERED = String.raw`(?!\[Filtered)`;
const QUOTE = '["\'`]?';
const FILE_NAME = String.raw`\.{0,2}\/|alias\/|\S{1,128}\.(?:pem|key|crt|cer|der|p12|pfx|jks|json|ya?ml|txt|[cm]?[jt]sx?)\b`;

/** Credentials in sentences whose words are no names of credentials by themselves. The first group stays. */
const SOURCES: readonly string[] = [
  // Session x8Qz3vT6kW1 not found, invalid session: x8Qz3vT6kW1, laravel_session=x8Qz3vT6kW1, ?magic=x8Qz3vT6kW1
  String.raw`((?:\b|_)(?:session|magic)(?:(?:\s{1,3}(?:with|id|key|not|found|expired|invalid|unknown|is|was)){0,3}:?\s{1,3}|=)${QUOTE})${NOT_FILTERED}${RANDOM_WORD}`,
  // decrypt failed with key x8Qz3vT6kW1, the license key x8Qz3vT6kW1 is not valid
  String.raw`(\b(?:(?:de|en)crypt\w{0,5}|signing|encryption|master|licen[cs]e|secret|private|shared|hmac|aes\S{0,8}|cipher|activation|product|isakmp|tacacs|radius)(?:_?|\b[^\n"'${'`'}:]{0,48}?\b)key(?:\s{1,3}(?:is|was|used|value|material|provided)){0,2}\s{0,2}[:=]?\s{1,3}${QUOTE})${NOT_FILTERED}(?!${FILE_NAME}|${RECORD_ID})${RANDOM_WORD}`,
  // jwt malformed: x8Qz3vT6kW1
  String.raw`(\bjwt(?:\s{1,3}\w{1,16}){1,3}:\s{1,3}${QUOTE})${NOT_FILTERED}${RANDOM_WORD}`,
  // "salt": "x8Qz3vT6kW1", pepper=x8Qz3vT6kW1
  String.raw`(\b(?:salt|pepper)${QUOTE}\s{0,3}[:=]\s{0,3}${QUOTE})${NOT_FILTERED}${RANDOM_WORD}`,
  // G-482913 is your verification code, use 482913 as your login code
  String.raw`(\b(?:G-)?)\d{4,8}(?=\s{1,3}(?:is|as)\s{1,3}your\s[^\n]{0,32}?(?:code|password|pin|otp)\b)`,
  // SSN 078-05-1120
  String.raw`(\b(?:ssn|social security(?:\s{1,3}number)?)[^\d\n]{0,16})\d{3}-\d{2}-\d{4}(?![\w-])`,
  // grant_type=authorization_code&code=x. What follows is looked for once, not for each length of the value.
  String.raw`(\bauthorization_code["'&,\s][\s\S]{0,256}?\bcode["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4})${NOT_FILTERED}[^&\s"'\\,}]{6,512}`,
  String.raw`((?<![\w-])code["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4})${NOT_FILTERED}(?=[\s\S]{0,768}\bauthorization_code\b)[^&\s"'\\,}]{6,512}`,
  // { "kty": "oct", "k": "x" }
  String.raw`(\bkty\b[^{}]{0,1024}?\b(?:d|k)["'\\]{0,4}\s{0,3}:\s{0,3}["'\\]{1,4})${NOT_FILTERED}[\w-]{6,}`,
  String.raw`((?<![\w-])(?:d|k)["'\\]{0,4}\s{0,3}:\s{0,3}["'\\]{1,4})${NOT_FILTERED}(?=[^{}]{0,2048}\bkty\b)[\w-]{6,}`,
];
const PATTERNS = SOURCES.map((source) => new RegExp(source, 'gi'));
const HINT = /session|magic|key\b|jwt|salt|pepper|\d\s{1,3}(?:is|as)\s{1,3}your|ssn|social|authorization_code|\bkty\b/i;

/** Names of credentials in a statement, and the values that it ran with: `params: me@a.test,x8Qz3vT6kW1`. */
const STATEMENT = /\b(?:select|insert|update|delete|alter|create|call|exec|merge)\b/i;
const PARAMETERS =
  /(\b(?:(?:parameters|params|bindings|replacements|binds)["']?\s{0,3}[:=]\s{0,3}|values["']?\s{0,3}:\s{0,3}(?=\[)))(?!\[Filtered)(?:\[[^\]]{1,4096}\]?|(?![[{])[^\n]{1,4096})/gi;

/**
 * Masks credentials in sentences and structures that give them no name.
 *
 * @param mentionsCredential whether the text has the name of a credential in it
 */
export function maskProse(text: string, mentionsCredential: () => boolean): string {
  const masked = HINT.test(text) ? PATTERNS.reduce((rest, one) => rest.replace(one, `$1${FILTERED}`), text) : text;
  const mayHaveParameters = /param|bind|replacements|values/i.test(masked) && STATEMENT.test(masked);
  return mayHaveParameters && mentionsCredential() ? masked.replace(PARAMETERS, `$1${FILTERED}`) : masked;
}
