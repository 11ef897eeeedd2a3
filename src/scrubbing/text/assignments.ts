import { RANDOM_WORD } from '../looks/random-words.js';
import { FILTERED, type SensitiveNames } from '../sensitive-names.js';
import { type Assignment, createAssignments, createPlainAssignment, patternOf } from './assignment-patterns.js';
import { isFieldName } from './field-names.js';

/** Around an assignment. */
const MAX_LOOK_AROUND = 256;
/** Of a name, as far as it is looked at. */
const MAX_NAME_LENGTH = 64;
/**
 * Redis, in capitals, because prose says "auth" too: `AUTH x8Qz3vT6kW1`, `AUTH default x8Qz3vT6kW1`, and any word where a
 * command is named or printed.
 */
const AUTH =
  /(?<![\w-])(AUTH\s{1,3})(?!\[Filtered|<|(?:LOGIN|PLAIN|CRAM|XOAUTH|OAUTHBEARER)\b)(?:default\s{1,3}\S{1,512}|(?:[\w.@-]{1,64}\s{1,3})?(?=[^\s\d"'\]]{0,64}\d)(?=[\d]{0,64}[^\s\d"'\]])(?!\d{1,9}\w{0,3}(?!\S))[^\s"'\]]{6,512})/g;
const AUTH_COMMAND =
  /((?:command:?|cmd:?|>|["'`])\s{0,3}AUTH\s{1,3})(?!\[Filtered|[<$?]|(?:LOGIN|PLAIN|CRAM|XOAUTH|OAUTHBEARER)\b)[^\s"'`]{1,512}(?:\s{1,3}[^\s"'`]{1,512})?/g;
/** The same in a list: `['AUTH', 'default', 'value']`, and as `MONITOR` prints it: `"AUTH" "value"`. */
const AUTH_LIST =
  /((["'])AUTH\2(?:,\s{0,8}|\s))(?:"[^"]{0,512}"|'[^']{0,512}')(?:,\s{0,8}(?:"[^"]{0,512}"|'[^']{0,512}'))?/g;
/** What Redis says: ``unknown command `AUTH`, with args beginning with: `value` `` */
const AUTH_REFUSED = /(['`]AUTH['`], with args beginning with: )(?!\[Filtered)[^\n]{1,512}/g;
/** The beginning of an ARN, which names a secret: `arn:aws:secretsmanager:eu-west-1:1234:secret:x`. */
const AMAZON_NAME = /\barn:aws[\w:-]*:$/;
/** A path, which `PWD` names in every environment. */
const FOLDER =
  /^["']?(?:\/(?:app|code|data|etc|home|mnt|opt|private|root|run|src|srv|tmp|usr|var|work|workspace|Users)(?:\/|["']?$)|[A-Z]:\\)/;
/** A table that `console.table` draws; trees have no columns. */
const DRAWN_TABLE = /\u2500[\u252c\u253c\u2534]\u2500/;
/** The names of columns, and a line below them. */
const COLUMNS = /(?<![\w.,;-])[\w.-]{1,32}(?:[,;\t][\w.-]{1,32}){1,32}\r?\n(?=(\S[^\n]{0,1024}))/;
/** Of a statement, or of a template: `$1`, `?`, `:name`, `@name`, `%s`, `${NAME}`, `<password>`; also several of them. */
const PLACEHOLDERS =
  /^[("'`\s]*(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)\s+)?(?:\$\d{1,3}|\?\d{0,3}|%s|%\(\w{1,64}\)s|\$\{[\w.]{1,64}\}?|\$[A-Z][A-Z_]{0,63}|<[\w-]{1,32}>)(?:::\w{1,32})?["'`\s]*(?:,\s*(?:\$\d{1,3}|\?\d{0,3}|%s|:[a-z_]{1,64}|@[a-z_]{1,64})(?:::\w{1,32})?)*[)"';\s]*$/;
const NAMED_PLACEHOLDERS = /^[(\s]*[:@$][a-z_]{1,64}\d{0,2}(?:,\s*[:@][a-z_]{1,64}\d{0,2})*[);\s]*$/i;
const STATEMENT = /\b(?:select|insert|update|delete|where|values|mutation|query|subscription)\b/i;
/** A name in Kubernetes and in stores of secrets: `db-credentials-2`, `prod/db`. */
const OBJECT_NAME = /^["'`]?[a-z][a-z\d]*(?:[-./][a-z\d]{1,32})+["'`]?$/;
const OF_OBJECT = /^(?:secrets?|token)(?:["'`]|\s)(?!\s*(?:is|was)\b|[^:=]*[:=])/i;
/** Behind these stand names only: `--secret-id prod/db`, `existingSecret: db-auth` */
const OBJECT_OPTION =
  /(?:\b(?:get|load|fetch|read|access|delete)\w{0,16}secret\w{0,8}\(|--secret-(?:id|name)|\bgcloud\s[^\n]{0,128}\s--secret|existing_?secret)["']?[=:\s]{0,3}["']?$/i;
const OBJECT_COMMAND =
  /(?:\bkubectl\s[^\n]{0,64}\bsecrets?\s{1,3}(?:\w{1,16}\s{1,3})?|\bdocker\s[^\n]{0,128}\s--secret[=\s]{1,3}|\bin secret\s["']?)$/i;
/** What Kubernetes says of one: `secret "db" deleted` */
const OBJECT_STATE = /^\s(?:created|deleted|configured|unchanged|patched|not found|already exists)\b/;
const OBJECT_WORD = /^["'`]?[a-z][a-z-]{0,32}["'`]?$/;
const RANDOM_INSIDE = new RegExp(RANDOM_WORD);
/** A tag as a placeholder in a sentence: `AUTH <password> called without any password`, `option '--token <token>' is missing`. */
const TAG = /<[\w-]{1,32}>( ?)$/;
/** What a validator says: `{ errors: { password: ["can't be blank"] } }`. */
const SENTENCE = /^\[?\s*["'][A-Za-z](?:[^"]* ){2}[^"]*["'][^"]*$/;
const LISTED_SENTENCE =
  /^\[\s*["'](?:(?:[Rr]equired|[Ii]nvalid|[Mm]issing|[Ee]xpected)\b|[^"']*\b(?:is|are|must|should|cannot|can't|required|needs?|has|have|does) )/;
/** `{ "properties": { "password": { "type": "string" } } }`, `{ auth: { strategy: 'oauth2' } }` */
const SCHEMA =
  /^\{(?![^}]*\bval)\s*["']?type["']?\s*:\s*(?:["']?(?:string|number|integer|boolean|array|object)\b|[a-z][a-z.]{1,64}\s*[,}])|^\{\s*["']?(?:type|strategy|provider|method|mode)["']?\s*:\s*["'][a-z\d]{1,16}["']\s*\}?$/i;
/** `{ errors: { password: { message: 'too short' } } }`, but not with the value beside it. */
const DESCRIBED = /^\{(?![^}]*\b(?:val|input|received|actual|data))[^}]*\b(?:message|msg|kind|code)["']?\s*:/;
const ERRORS = /\berrors?["']?\s*[:=]\s*[{[][^}\]]*$/i;
/** `cookies: 3` */
const COUNTED = /(?:cookies|credentials|passwords|secrets|assertions|signatures)$/i;
/** `api_key_id: 42`, of a record; the id of a session is the credential itself */
const RECORD = /(?<![sS]ess(?:ion)?)(?:[-_ ]id|(?<=[a-z])Id)$/;
/** Code that gives a variable its value: `const token = await`, `= process.env.TOKEN`, `= getToken(`. */
const EXPRESSION =
  /^(?:(?:await|yield|new|typeof|async)\s{1,3}[\w$]|(?:process\.env|this|self|req(?:uest)?|res(?:ponse)?|config|options|opts|props|ctx|os\.environ)[.[]|[A-Za-z_$][A-Za-z_$.]{0,63}\()/;
const SPACED = /\s:?=\s{1,3}$/;
/** Of a microcontroller: `pin=GPIO4`. */
const HARDWARE_PIN = /^(?:GPIO_?(?:NUM_)?\d{1,2}|P?[A-D]\d{1,2}),?$/;
/** Where a credential is, which has such a name itself: `TOKEN_HEADER = 'x-auth-token'`. */
const NAME_OF_PLACE = /[-_](?:header|field|param|property|column|prefix)$/i;
const PLAIN_NAME = /^["'`][a-z]+(?:[-_][a-z]+)*["'`]$/i;
/** What runs, and its target, version or port: `token-service:build`. */
const RUNNING = /-(?:service|server|proxy|gateway|worker|controller|mailer|cleanup|job):$/;
const TARGET = /^(?:[a-z]+|v?\d{1,5}(?:\.\d{1,5}){0,3})(?![^,;.])/;
/** What is done with it, as in the names of scripts, events and permissions: `token:rotate`, `password:changed`. */
const ACTION =
  /^(?:rotate|write|read|changed?|reset|clear|refresh(?:ed)?|created?|deleted?|updated?|revoked?|validate|list|stats|ratelimit|cache|expired|issued|log(?:in|out))(?![\w-])/;
const BARE_VALUE = /^(?:true|false|null|undefined|none|nil|yes|no|on|off|enabled|disabled)$/i;
/** Types, what validators say in a word, modes of `fetch`, and what stands in place of a value: `password: 'string'`. */
const REMARK =
  /^(["'`]?)(?:(?:string|number|boolean|object|symbol|function|undefined|null|true|false|required|optional|invalid|missing|empty|same-origin|include|omit)[!?]?|\[(?:hidden|redacted|masked|removed|omitted)\]?)\1$/i;
/** Where a credential is, and which address gives one: `--password-file /run/secrets/pw`, `tokenUrl: '/oauth/token'`. */
const PLACE_NAME = /(?:file|path|dir|folder|url|uri)$/i;
const PLACE =
  /^["'`]?https?:\/\/[a-z\d.-]{1,64}(?::\d{1,5})?\/?["'`]?$|^["'`]?(?:https?:\/\/[a-z.-]{1,64}(?::\d{1,5})?|[.~]{0,2}|[a-z]:)(?:[\\/][a-z._-]{1,32}\d{0,2}){1,16}[\\/]?["'`]?$|^["'`]?[\w-]{1,32}\.[a-z]{2,4}["'`]?$/i;
/** `token=./token.txt`, `token: '/run/secrets/token'` */
const FILE =
  /^["'`]?(?:\.{1,2}\/|~\/|\/(?:etc|home|opt|root|run|srv|tmp|usr|var|Users)\/)(?:[a-z._-]{1,32}\d{0,2}\/){0,16}(?:[a-z._-]{1,32}\d{0,2})?["'`]?$/i;
/** `Failed to refresh token: 401 Unauthorized`, `auth-api:1.4.2`; codes and the numbers of cards are as short. */
const SHORT_NUMBER = /^(?:\d{1,3}|v?\d{1,5}(?:\.\d{1,5}){1,3})$/;
const NAME_OF_NUMBER = /cv[vc]|csc|pin|code|otp/i;
/** Of a color, and of one in CSS: `--token-color: #ff00aa`, `token --color-500` */
const COLOR = /^(?:#[\da-f]{3,8}|--[a-z][a-z\d-]*)$/i;
/** Where the value is: `password: env("DB_PASSWORD")` */
const VARIABLE_NAME = /^["'`]?[A-Z]{2,}(?:_[A-Z]+)+["'`]?$/;
/** Of hashes and ciphers: `createHmac('sha256', key)` */
const ALGORITHM = /^["'`]?(?:sha-?\d{1,3}|md5|(?:aes|hs|rs|es|ps|rsa)-?\d{3}(?:-[a-z]{3})?)["'`]?$/i;
/** A kind of authentication or of token, or its outcome: `auth: 'basic'`, `token === 'refresh'`, `auth=success` */
const KIND =
  /^["'`]?(?:none|plain|login|xoauth2?|cram-md5|basic|bearer|digest|jwt|oauth2?|ldap|saml|sso|refresh|access|session|csrf|reset|success|succeeded|fail(?:ed|ure)|ok|pending|denied|granted|expired|revoked)["'`]?$/i;
/** `Authorization: {{ .Values.token }}` of a template */
const TEMPLATE = /^["'`]?\{\{/;
/** In a list, but not an option of a command: `['password', 'email']`. */
const LISTED = /^\\*["'][\w.][\w.-]*\\*["'],\s*$/;
/** `export TOKEN=$(cat /run/token)`, but not `$(echo x)` */
const SUBSTITUTION = /^["']?\$\((?!\s*(?:echo|printf)\b)/;
/**
 * Characters that were encoded within a string: `\u0022`, `\x22`, `%2522`, `&quot;`, `&lt;`; and letters, which nobody has to
 * encode: `%61`; wide colons and equals signs.
 */
const ENCODED =
  /(?:\\u00|\\x|%(?=[46][1-9a-f]|[57][\da]))([2-7][\da-f])|%25(?=[2-7][\da-f])|&(?:quot|apos|lt|gt|#(?:34|39|61|x22|x27|x3d));|[：＝]/gi;

/** Shorter values are too common to be masked wherever they occur. */
const MIN_REPEATED_LENGTH = 6;
/** Values that are looked for again in one text. */
const MAX_REPEATED = 20;

/** Words other than names after which a credential may follow. */
const OTHER_MENTION =
  /identified|requirepass|masterauth|pragma|attach|crypt|\btokens|\bkeys\W{1,8}\[|\bseed\b|\bm?tan\b|\b2fa\b|authenticator/i;

/** Looks for values that are assigned to names of credentials. */
export class AssignmentMask {
  readonly #names: SensitiveNames;
  readonly #custom: RegExp | undefined;
  readonly #assignments: readonly Assignment[];

  /** @param customSource source of a regular expression for the only names to look for; without it, those of `names` */
  constructor(names: SensitiveNames, customSource?: string) {
    const source = customSource ?? names.credentialSource;
    this.#names = names;
    this.#custom = customSource === undefined ? undefined : new RegExp(customSource, 'i');
    const assignments = createAssignments(String.raw`${source}[\w-]{0,32}`);
    this.#assignments = this.#custom
      ? [...assignments.filter((one) => one.source.includes(source)), createPlainAssignment(source)]
      : assignments;
  }

  apply(text: string): string {
    const found = new Set<string>();
    return withoutRepeated(this.#maskDecoded(text, found), found);
  }

  #maskDecoded(text: string, found: Set<string>): string {
    const masked = this.#mask(text, found);
    const decoded = masked.replace(ENCODED, decode);
    if (decoded === masked) return masked;
    const maskedOnceMore = this.#mask(decoded, found);
    return maskedOnceMore === decoded ? masked : maskedOnceMore;
  }

  /** @param found gets the values that are masked, if they cannot be words of the text */
  #mask(text: string, found: Set<string>): string {
    if (!this.#mayAssign(text)) return text;
    if (DRAWN_TABLE.test(text)) return FILTERED;
    const replaceValue = this.#createReplacer(found);
    let masked = this.#withoutRows(text);
    for (const one of this.#assignments) {
      if (one.hint?.test(masked) !== false) masked = masked.replace(patternOf(one), replaceValue);
    }
    return this.#custom
      ? masked
      : masked
          .replace(AUTH_COMMAND, `$1${FILTERED}`)
          .replace(AUTH, `$1${FILTERED}`)
          .replace(AUTH_LIST, `$1'${FILTERED}'`)
          .replace(AUTH_REFUSED, `$1${FILTERED}`);
  }

  #mayAssign(text: string): boolean {
    return this.#custom ? this.#custom.test(text) : this.#names.areCredentialsIn(text) || OTHER_MENTION.test(text);
  }

  /** Masks rows of which the first one names the columns, and the next one has as many. */
  #withoutRows(text: string): string {
    const found = COLUMNS.exec(text);
    if (!found) return text;
    const [line, next = ''] = found;
    const separators = line.match(/[,;\t]/g)!;
    const isRow = next.split(separators[0]!).length > separators.length;
    const isSecret = isRow && line.split(/[,;\s]/).some((name) => this.#names.hasCredential(name));
    return isSecret ? text.slice(0, found.index) + FILTERED : text;
  }

  /** Keeps the quotes around the value. */
  #createReplacer =
    (found: Set<string>) =>
    (assignment: string, name: string, offset: number, text: string): string => {
      const fullName = nameBefore(text, offset) + bareName(name);
      if (this.#names.isAllowed(fullName) || this.#names.isAboutCredential(fullName)) return assignment;
      const value = assignment.slice(name.length);
      // An arrow function: `token => token.type`.
      if (/=>\s*$/.test(name) && value.startsWith(`${bareName(name)}.`)) return assignment;
      if (
        SPACED.test(name) &&
        EXPRESSION.test(text.slice(offset + name.length, offset + name.length + MAX_LOOK_AROUND))
      )
        return assignment;
      if (NAME_OF_PLACE.test(fullName) && PLAIN_NAME.test(value) && this.#names.areCredentialsIn(value))
        return assignment;
      if (VARIABLE_NAME.test(value) && this.#names.areCredentialsIn(value)) return assignment;
      if (/^\d+$/.test(value) && text.startsWith(' bytes', offset + assignment.length)) return assignment;
      if (RUNNING.test(name) && TARGET.test(value)) return assignment;
      if (/\w:$/.test(name) && ACTION.test(value)) return assignment;
      if (/^pin\b/i.test(name) && HARDWARE_PIN.test(value)) return assignment;
      const isCustom = this.#custom !== undefined || this.#names.hasCustomField(fullName);
      if (BARE_VALUE.test(value) || (!isCustom && isNoCredential(name, fullName, value))) return assignment;
      // Test results: `pass: 12`.
      if (/^pass\W*$/i.test(name) && /^\d{1,4}$/.test(value)) return assignment;
      if (!/[\p{L}\d]/u.test(value) || PLACEHOLDERS.test(value)) return assignment;
      if (SUBSTITUTION.test(text.slice(offset + name.length, offset + name.length + MAX_LOOK_AROUND)))
        return assignment;
      if (NAMED_PLACEHOLDERS.test(value) && STATEMENT.test(text)) return assignment;
      if (/^\d{1,4}$/.test(value) && COUNTED.test(fullName)) return assignment;
      if (/^\d{1,8}$/.test(value) && RECORD.test(fullName)) return assignment;
      if (
        isRemark(name, value, offset, text) ||
        isObjectName(
          name,
          value,
          before(text, offset + name.length),
          text.slice(offset + assignment.length, offset + assignment.length + MAX_NAME_LENGTH),
        )
      )
        return assignment;
      if (/^(?:old)?pwd$/i.test(fullName) && FOLDER.test(value)) return assignment;
      if (AMAZON_NAME.test(text.slice(Math.max(0, offset - MAX_NAME_LENGTH), offset))) return assignment;
      const [quote = ''] = /^\\*["'`]/.exec(value) ?? [];
      const bare = value.slice(quote.length, quote && value.endsWith(quote) ? -quote.length : undefined);
      if (found.size < MAX_REPEATED && bare.length >= MIN_REPEATED_LENGTH && !isWords(bare)) found.add(bare);
      return name + quote + FILTERED + quote;
    };
}

/** A message may quote a value again, without its name. */
function withoutRepeated(text: string, values: ReadonlySet<string>): string {
  if (values.size === 0) return text;
  const escaped = [...values].map((value) => value.replace(/[^\w\s]/g, '\\$&'));
  return text.replace(new RegExp(`(?<!\\w)(?:${escaped.join('|')})(?!\\w)`, 'g'), FILTERED);
}

/** Whether a value consists of words: the text may use them with another meaning. */
function isWords(value: string): boolean {
  return /[\s{[]/.test(value) || !/\d/.test(value) || !/[a-z]/i.test(value);
}

function decode(encoded: string, code: string | undefined): string {
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (encoded === '：') return ': ';
  if (encoded.startsWith('%')) return '%';
  if (encoded === '&lt;') return '<';
  if (encoded === '&gt;') return '>';
  if (/＝|61|3d/i.test(encoded)) return '=';
  return /apos|39|27/.test(encoded) ? "'" : '"';
}

/** The beginning of the name, before the part that a pattern matched. */
function nameBefore(text: string, offset: number): string {
  return /[\w.-]*$/.exec(text.slice(Math.max(0, offset - MAX_NAME_LENGTH), offset))?.[0] ?? '';
}

function bareName(name: string): string {
  // What follows the name of an element are attributes.
  return (name.startsWith('<') ? /[\w.-]+/ : /[\w.-]+(?: [\w.-]+)*/).exec(name)?.[0] ?? '';
}

/** Whether a value says where the credential is, of which type it is, or something else about it. */
function isNoCredential(name: string, fullName: string, value: string): boolean {
  if (REMARK.test(value) || TEMPLATE.test(value) || FILE.test(value) || SCHEMA.test(value)) return true;
  if (COLOR.test(value) || ALGORITHM.test(value) || (/(?:auth|token)$/i.test(fullName) && KIND.test(value)))
    return true;
  if (SHORT_NUMBER.test(value) && (value.length < 3 || !NAME_OF_NUMBER.test(fullName))) return true;
  if (PLACE_NAME.test(fullName) && (PLACE.test(value) || /^[A-Z_]+$/.test(value))) return true;
  // `InvalidCredentialsError: 80090308`
  if (/(?:error|exception)$/i.test(fullName) && /^\d+$/.test(value)) return true;
  // `auth:sanctum`, the name of a script or of a middleware
  if (name === 'auth:' && /^[a-z]+[,;.)]?$/.test(value)) return true;
  const word = value.replace(/\W*(.*?)\W*$/, '$1');
  // `usage: login --password PASSWORD`
  if (/^[A-Z_]+$/.test(word) && word.toLowerCase() === fullName.replace(/^-+/, '').toLowerCase()) return true;
  if (!LISTED.test(name)) return false;
  // `t('password', 'Password')`
  return isFieldName(word) || word.toLowerCase() === fullName.toLowerCase();
}

/** Whether a value is what the secret is called, and not the secret: `secret "db-creds" not found`. */
function isObjectName(name: string, value: string, textBefore: string, textAfter: string): boolean {
  if (OBJECT_COMMAND.test(textBefore)) return true;
  if (OF_OBJECT.test(name) && OBJECT_WORD.test(value) && OBJECT_STATE.test(textAfter)) return true;
  return (
    (OF_OBJECT.test(name) || OBJECT_OPTION.test(textBefore)) && OBJECT_NAME.test(value) && !RANDOM_INSIDE.test(value)
  );
}

/** Whether a sentence says something about the credential. */
function isRemark(name: string, value: string, offset: number, text: string): boolean {
  const tag = TAG.exec(name);
  if (tag && (tag[1] === ' ' || /^["'`\])]/.test(value)))
    return !text.slice(offset, offset + MAX_LOOK_AROUND).includes('</');
  if (RANDOM_INSIDE.test(value)) return false;
  if (LISTED_SENTENCE.test(value)) return true;
  return (SENTENCE.test(value) || DESCRIBED.test(value)) && ERRORS.test(before(text, offset));
}

function before(text: string, offset: number): string {
  return text.slice(Math.max(0, offset - MAX_LOOK_AROUND), offset);
}
