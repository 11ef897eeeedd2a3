import { RANDOM_WORD, RECORD_ID } from '../looks/random-words.js';
import { CODE_IN_OTHER_LANGUAGES, FILTERED, type SensitiveNames } from '../sensitive-names.js';

const NOT_FILTERED = String.raw`(?!\[Filtered)`;
const QUOTE = '["\'`]?';
const FILE_NAME = String.raw`\.{0,2}\/|alias\/|\S{1,128}\.(?:pem|key|crt|cer|der|p12|pfx|jks|json|ya?ml|txt|[cm]?[jt]sx?)\b`;
/** Credentials in sentences without a word that names a credential by itself. The first group stays. */
const SOURCES: readonly string[] = [
  // Session x8Qz3vT6kW1 not found, invalid session: x8Qz3vT6kW1, laravel_session=x8Qz3vT6kW1, ?magic=x8Qz3vT6kW1
  String.raw`((?<!\b(?:checkout|view|debug)\s)(?:(?:\b|_)(?:sess(?:ion)?|magic)|\b\w{0,8}sess(?:ion)?[-_]?id)(?:(?:\s{1,3}(?:with|id|key|not|found|expired|invalid|unknown|created|is|was)){0,3}:?\s{1,3}|[=:])${QUOTE}(?:s(?::|%3A))?)${NOT_FILTERED}${RANDOM_WORD}`,
  // session { id: 'x8Qz3vT6kW1' }
  String.raw`(\bsession["']?:?\s{0,3}\{\s{0,8}["']?id["']?:\s{0,3}["'])${NOT_FILTERED}(?!${RECORD_ID})${RANDOM_WORD}`,
  // decrypt failed with key x8Qz3vT6kW1, the license key x8Qz3vT6kW1 is not valid
  String.raw`(\b(?:(?:de|en)crypt\w{0,5}|signing|encryption|master|licen[cs]e|secret|private|shared|hmac|aes\S{0,8}|cipher|activation|product|isakmp|tacacs|radius)(?:_?|\b[^\n"'${'`'}:]{0,48}?\b)key(?:\s{1,3}(?:is|was|used|value|material|provided)){0,2}\s{0,2}[:=]?\s{1,3}${QUOTE})${NOT_FILTERED}(?!${FILE_NAME}|${RECORD_ID})${RANDOM_WORD}`,
  // license VK7JG-NPHTM-C97JM-9MPGT-3V66T is invalid
  String.raw`(\b(?:licen[cs]e|serial|product|activation)\b[^\n]{0,32}?\s)${NOT_FILTERED}(?=[A-Z-]{0,32}\d)[A-Z\d]{4,6}(?:-[A-Z\d]{4,6}){3,5}(?![\w-])`,
  // reset:x8Qz3vT6kW1, the name of a key in Redis
  String.raw`(\b(?:reset|verify|invite|confirm)[=:])${NOT_FILTERED}(?!${RECORD_ID}|sha\d|00-|\w{2,4}_|\w{26}\b)(?=[\w-]{20})${RANDOM_WORD}`,
  // jwt malformed: x8Qz3vT6kW1, TOTP seed x8Qz3vT6kW1
  String.raw`(\b(?:jwt(?:\s{1,3}\w{1,16}){1,3}:|t?otp\sseed:?)\s{1,3}${QUOTE})${NOT_FILTERED}${RANDOM_WORD}`,
  // "salt": "x8Qz3vT6kW1", pepper=x8Qz3vT6kW1, VAPID_PRIVATE=x8Qz3vT6kW1
  String.raw`((?:\b(?:salt|pepper|sess)|(?<=\w)_private)${QUOTE}\s{0,3}(?:=>|[:=])\s{0,3}${QUOTE})${NOT_FILTERED}${RANDOM_WORD}`,
  // { access: 'x8Qz3vT6kW1', refresh: 'x8Qz3vT6kW1' }, { primaryKey: 'x8Qz3vT6kW1' } of Azure
  String.raw`(\b(?:access|refresh|plaintext|(?:primary|secondary)[-_]?key|key[12])${QUOTE}\s{0,3}:\s{0,3}["'])${NOT_FILTERED}(?!${RECORD_ID})(?=[\w~-]{20})${RANDOM_WORD}`,
  // G-482913 is your verification code, use 482913 as your login code
  String.raw`(\b(?:G-)?)\d{4,8}(?=\s{1,3}(?:is|as)\s{1,3}your\s[^\n]{0,32}?(?:code|password|pin|otp)\b)`,
  // your code is 482913, code de vérification : 482913, 验证码：482913
  String.raw`((?:(?:\b(?:your|ihr|dein|votre|ton|su|tu|seu|uw)|ваш)\s(?:code|código|kod|код)|${CODE_IN_OTHER_LANGUAGES})(?:\s{0,2}(?:is|lautet|ist|est|es|é|è|是|为|は)(?=[\s\d]))?\s{0,2}[:：]?\s{0,2})\d{4,8}(?!\w|\.\d|\s(?:lines|bytes|char|%|zeilen|octets))`,
  // use code 482913 to sign in, the code 482913 is incorrect
  String.raw`(\b(?:use|enter(?:ed)?|(?:re)?sent|sending|emailed|texted|submitted)\s(?:(?:the\s)?code:?\s(?=\d{4,8}(?![\w.]))|(?=\d{6}\sto\s(?:verify|confirm|sign|log))))\d{4,8}`,
  String.raw`((?:^|\bthe\s)code\s)\d{6}(?=\s(?:is|was|has)\s(?:incorrect|invalid|wrong|expired|not\svalid)|\sexpired)`,
  // Headers.append: "x8Qz3vT6kW1\n" is an invalid header value.
  String.raw`(\bHeaders\.\w{1,8}:\s")(?!\[Filtered)[\s\S]{1,4096}?(?="\sis\san\sinvalid\sheader\svalue)`,
  // api: { key: 'x8Qz3vT6kW1' }, also as YAML
  String.raw`(\b(?:api|secret|private|signing|encryption|ssl|tls|https)["']?:\s{0,3}[{\n]\s{0,32}["']?key["']?:\s{0,3}["']?)${NOT_FILTERED}(?!${FILE_NAME}|${RECORD_ID})${RANDOM_WORD}`,
  // kind: Secret, data: { admin: 'x8Qz3vT6kW1' } of Kubernetes
  String.raw`(\b(?:stringD|d)ata["'\\]{0,4}\s{0,3}:\s{0,3}(?<=\bkind["'\\]{0,4}\s{0,3}:\s{0,3}["'\\]{0,4}Secret\b[\s\S]{0,1024}))(?!\[Filtered)(?:\{[^}]{1,4096}\}?|(?:[ \t]{1,8}[^\n]{1,512}(?:\n|$)){1,64})`,
  // stringData: { admin: 'x8Qz3vT6kW1' } of Kubernetes without its kind, with entries in it or below it
  String.raw`(\bstringData["'\\]{0,4}:(?:\s{0,3}(?=\{\s{0,16}["'\\]{0,4}[\w.-]{1,64}["'\\]{0,4}:\s{0,3}["'\\])|[ \t]{0,3}\n))(?!\[Filtered)(?:\{[^}]{1,4096}\}?|[ \t]{1,8}["']?[\w.-]{1,64}["']?:[ \t][^\n]{1,512}(?:\n[ \t]{1,8}[^\n]{1,512}){0,64})`,
  // Type: 'SecureString', Value: 'x8Qz3vT6kW1'
  String.raw`(\bSecureString["'\\]{0,4},\s{0,8}["'\\]{0,4}Value["'\\]{0,4}\s{0,3}:\s{0,3}["'\\]{0,4})(?!\[Filtered)[^"'\\,}]{1,512}`,
  // code for me: 482913, OTP for me: 482913
  String.raw`((?<!\b(?:status|error|exit|zip|country|area)\s)\b(?:code|otp) for \S{1,64}: )\d{6}(?!\w)`,
  // SSN 078-05-1120
  String.raw`(\b(?:ssn|social security(?:\s{1,3}number)?)[^\d\n]{0,16})\d{3}-?\d{2}-?\d{4}(?![\w-])`,
  // grant_type=authorization_code&code=x. What follows is looked for once, not for each length of the value.
  String.raw`(\bauthorization_code["'&,\s][\s\S]{0,256}?\bcode["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4})${NOT_FILTERED}[^&\s"'\\,}]{6,512}`,
  String.raw`((?<![\w-])code["'\\]{0,4}\s{0,3}[:=]\s{0,3}["'\\]{0,4})${NOT_FILTERED}(?=[\s\S]{0,768}\bauthorization_code\b)[^&\s"'\\,}]{6,512}`,
  // { "kty": "oct", "k": "x" }, { "d": "x", "p": "x", "kty": "RSA" }
  String.raw`((?<![\w-])(?:d|k|p|q|dp|dq|qi)["'\\]{0,4}\s{0,3}:\s{0,3}["'\\]{1,4}(?<=\bkty\b[^{}]{0,4096}))${NOT_FILTERED}[\w-]{6,}`,
  String.raw`((?<![\w-])(?:d|k|p|q|dp|dq|qi)["'\\]{0,4}\s{0,3}:\s{0,3}["'\\]{1,4})${NOT_FILTERED}(?=[^{}]{0,4096}\bkty\b)[\w-]{6,}`,
];
const PATTERNS = SOURCES.map((source) => new RegExp(source, 'gi'));
const HINT =
  /sess|magic|key\b|jwt|salt|pepper|_private|\d\s{1,3}(?:is|as)\s{1,3}your|ssn|social|invalid header|authorization_code|\bkty\b|licen[cs]e|serial|product|activation|(?:access|refresh)["'`]?\s{0,3}:|\bSecret\b|SecureString|stringData|plaintext|key[12]\b|\d{6}\sto\s|(?:code|einmal|código|codice|kod|код|码|コード|번호)[^\n\d]{0,64}\d{4}|otp\s|(?:reset|verify|invite|confirm)[=:]/i;

/**
 * `login failed: me/x8Qz3vT6kW1`, `logging in as me:Summer2024!`, `tried admin/hunter2`. Paths and targets look alike, so that the
 * password must look random or have a mark, unless the user has a name that many have, or an address.
 */
const LOGIN = new RegExp(
  String.raw`(\b(?:log(?:ged|ging)?[-_ ]?[io]n|sign(?:ed|ing)?[-_ ]?[io]n|auth(?:entication)?\s(?:failed|failure|error)|connect(?:ed|ing)\sas|tried|trying)\b[^\n/:]{0,24}?[\s:]{1,3}[\w.@+-]{1,64}(?:[/:]|\s\/\s))(?!${RECORD_ID}|\S{1,64}\.[a-z]\w{1,4}(?![^\s:]))(?=[^\s/:]{0,64}[a-z])(?:(?=[^\s/:]{0,64}?(?:\d[a-z]{1,24}\d|\d[^\s/:]{0,16}[!#$%&*^~]|[!#$%&*^~][^\s/:]{0,16}\d))|(?<=[\s:](?:admin(?:istrator)?|root|sa|guest|test|user|postgres|\w[\w.+-]{0,32}@[\w.-]{1,32})(?:[/:]|\s\/\s))(?=[^\s/:]{0,64}\d))[^\s/:"'(),;]{6,64}(?![\w/])`,
  'gi',
);
const LOGIN_HINT = /(?:log|sign)\w{0,4}[-_ ]?[io]n\b|auth\w{0,10}\s(?:fail|err)|connect\w{2,3}\sas|tr(?:ied|ying)\s/i;

/** Names of credentials in a statement, and the values that it ran with: `params: me@a.test,x8Qz3vT6kW1`. */
const STATEMENT = /\b(?:select|insert|update|delete|alter|create|call|exec|merge)\b/i;
const PARAMETERS =
  /(\b(?:(?:parameters|params|bindings|replacements|binds)["']?\s{0,3}[:=]\s{0,3}|values["']?\s{0,3}:\s{0,3}(?=\[)))(?!\[Filtered)(?:\[[^\]]{1,4096}\]?|(?![[{])[^\n]{1,4096})/gi;

/** Of an operation of GraphQL: `mutation($p: String!) { login(password: $p) }`, with `"variables":{"p":"x"}` somewhere after it. */
const VARIABLE = /(\w{1,64})\s{0,3}:\s{0,3}\$(\w{1,64})/g;
/** Of one operation. */
const MAX_VARIABLES = 20;

/** The names of variables that fields with credentials get. */
export function secretVariables(text: string, names: SensitiveNames): ReadonlySet<string> {
  const found = text.includes('$') ? [...text.matchAll(VARIABLE)].filter(([, field]) => names.hasField(field!)) : [];
  return new Set(found.map(([, , variable]) => variable!));
}

function withoutVariables(text: string, names: SensitiveNames): string {
  const secret = /\bvariables\b/i.test(text) ? [...secretVariables(text, names)].slice(0, MAX_VARIABLES) : [];
  if (secret.length === 0) return text;
  const pair = String.raw`((?<![\w$])(?:${secret.join('|')})["'\\]{0,8}\s{0,3}:\s{0,3})("(?:[^"\\]|\\.){0,512}"?|'[^']{0,512}'?)`;
  return text.replace(new RegExp(pair, 'g'), `$1"${FILTERED}"`);
}

/** Masks credentials in sentences and structures that give them no name. */
export function maskProse(text: string, names: SensitiveNames): string {
  const masked = HINT.test(text) ? PATTERNS.reduce((rest, one) => rest.replace(one, `$1${FILTERED}`), text) : text;
  const spoken = LOGIN_HINT.test(masked) ? masked.replace(LOGIN, `$1${FILTERED}`) : masked;
  const sent = withoutVariables(spoken, names);
  const mayHaveParameters = /param|bind|replacements|values/i.test(sent) && STATEMENT.test(sent);
  return mayHaveParameters && names.areCredentialsMentionedIn(text) ? sent.replace(PARAMETERS, `$1${FILTERED}`) : sent;
}
