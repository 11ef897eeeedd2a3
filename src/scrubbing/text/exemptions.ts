import { isHarmlessValue } from '../harmless-values.js';
import { RANDOM_WORD } from '../looks/random-words.js';
import type { SensitiveNames } from '../sensitive-names.js';
import { VALUE_MEMBER } from './assignment-patterns.js';
import { isFieldName } from './field-names.js';

const MAX_LOOK_AROUND = 256;
/** Of a name, as far as it is looked at. */
const MAX_NAME_LENGTH = 64;

/** A value that a text seems to assign to the name of a credential. */
export class Assigned {
  /** What a pattern took for the name, up to the value: `word": ` of `"dbPassword": 1`. */
  readonly name: string;
  /** The name from its beginning, without what surrounds it: `dbPassword`. */
  readonly fullName: string;
  readonly value: string;
  readonly #text: string;
  readonly #start: number;

  /** @param start index of the name in the text */
  constructor(assignment: string, name: string, start: number, text: string) {
    this.name = name;
    this.value = assignment.slice(name.length);
    this.#text = text;
    this.#start = start;
    const beginning = /[\w.-]*$/.exec(text.slice(Math.max(0, start - MAX_NAME_LENGTH), start))?.[0] ?? '';
    this.fullName = beginning + bareName(name);
  }

  isIn(kind: RegExp): boolean {
    return kind.test(this.#text);
  }

  get beforeName(): string {
    return this.#before(this.#start);
  }

  get fromName(): string {
    return this.#from(this.#start);
  }

  get beforeValue(): string {
    return this.#before(this.#start + this.name.length);
  }

  get fromValue(): string {
    return this.#from(this.#start + this.name.length);
  }

  get afterValue(): string {
    return this.#from(this.#start + this.name.length + this.value.length);
  }

  #before(end: number): string {
    return this.#text.slice(Math.max(0, end - MAX_LOOK_AROUND), end);
  }

  #from(start: number): string {
    return this.#text.slice(start, start + MAX_LOOK_AROUND);
  }
}

function bareName(name: string): string {
  // What follows the name of an element are attributes.
  return (name.startsWith('<') ? /[\w.-]+/ : /[\w.-]+(?: [\w.-]+)*/).exec(name)?.[0] ?? '';
}

type Exemption = (assigned: Assigned, names: SensitiveNames) => boolean;

/**
 * Whether a value is no credential, although it is assigned to the name of one.
 *
 * @param isCustom whether the application named the field: then fewer values are exempt
 */
export function isExempt(assigned: Assigned, names: SensitiveNames, isCustom: boolean): boolean {
  const holds = (exemption: Exemption) => exemption(assigned, names);
  return EXEMPTIONS.some(holds) || (!isCustom && EXEMPTIONS_OF_KNOWN_NAMES.some(holds));
}

const EXEMPTIONS: readonly Exemption[] = [
  ({ fullName }, names) => names.isAllowed(fullName) || names.isAboutCredential(fullName),
  isCode,
  isPlaceholder,
  isNameOfCredential,
  isTask,
  isHardwarePin,
  isCount,
  isRemark,
  isObjectName,
  isWorkingFolder,
];
const EXEMPTIONS_OF_KNOWN_NAMES: readonly Exemption[] = [
  isPlace,
  isKindOrAlgorithm,
  isDescription,
  isShortNumber,
  isLabel,
];

/** Code that gives a variable its value: `const token = await`, `= process.env.TOKEN`, `= getToken(`, `= tokens[i + 1]`. */
const EXPRESSION =
  /^(?:(?:await|yield|new|typeof|async)\s{1,3}[\w$]|(?:process\.env|this|self|req(?:uest)?|res(?:ponse)?|config|options|opts|props|ctx|os\.environ)[.[]|[A-Za-z_$][A-Za-z_$.]{0,63}(?:\(|\[(?:\d{1,3}|[ijkn]|idx|index)(?: [+-] \d)?\]))/;
/** `type Token = { kind: string }` */
const DECLARED_TYPE = /\btype\s{1,3}\w*$/;
const SPACED = /\s:?=\s{1,3}$/;
/** `export TOKEN=$(cat /run/token)`, but not `$(echo x)` */
const SUBSTITUTION = /^["']?\$\((?!\s*(?:echo|printf)\b)/;

function isCode({ name, value, fromValue, beforeName }: Assigned): boolean {
  // An arrow function: `token => token.type`.
  if (/=>\s*$/.test(name) && value.startsWith(`${bareName(name)}.`)) return true;
  const isExpression = EXPRESSION.test(fromValue) || (value.startsWith('{') && DECLARED_TYPE.test(beforeName));
  return (SPACED.test(name) && isExpression) || SUBSTITUTION.test(fromValue);
}

const BARE_VALUE = /^(?:true|false|null|undefined|none|nil|yes|no|on|off|enabled|disabled)$/i;
/** Of a statement, or of a template: `$1`, `?`, `:name`, `@name`, `%s`, `${NAME}`, `<password>`; also several of them. */
const PLACEHOLDERS =
  /^[("'`\s]*(?:(?:[Bb]earer|[Bb]asic|[Tt]oken)\s+)?(?:\$\d{1,3}|\?\d{0,3}|%s|%\(\w{1,64}\)s|\$\{[\w.]{1,64}\}?|\$[A-Z][A-Z_]{0,63}|<[\w-]{1,32}>)(?:::\w{1,32})?["'`\s]*(?:,\s*(?:\$\d{1,3}|\?\d{0,3}|%s|:[a-z_]{1,64}|@[a-z_]{1,64})(?:::\w{1,32})?)*[)"';\s]*$/;
const NAMED_PLACEHOLDERS = /^[(\s]*[:@$][a-z_]{1,64}\d{0,2}(?:,\s*[:@][a-z_]{1,64}\d{0,2})*[);\s]*$/i;
const STATEMENT = /\b(?:select|insert|update|delete|where|values|mutation|query|subscription)\b/i;

function isPlaceholder(assigned: Assigned): boolean {
  const { value } = assigned;
  if (BARE_VALUE.test(value) || PLACEHOLDERS.test(value) || !/[\p{L}\d]/u.test(value)) return true;
  return NAMED_PLACEHOLDERS.test(value) && assigned.isIn(STATEMENT);
}

/** Where a credential is, which has such a name itself: `TOKEN_HEADER = 'x-auth-token'`. */
const NAME_OF_PLACE = /[-_](?:header|field|param|property|column|prefix)$/i;
const PLAIN_NAME = /^["'`][a-z]+(?:[-_][a-z]+)*["'`]$/i;
/** Where the value is: `password: env("DB_PASSWORD")` */
const VARIABLE_NAME = /^["'`]?[A-Z]{2,}(?:_[A-Z]+)+["'`]?$/;

function isNameOfCredential({ fullName, value }: Assigned, names: SensitiveNames): boolean {
  const isName = VARIABLE_NAME.test(value) || (NAME_OF_PLACE.test(fullName) && PLAIN_NAME.test(value));
  return isName && names.mayNameCredential(value);
}

/** What runs, and its target, version or port: `token-service:build`. */
const RUNNING = /-(?:service|server|broker|api|svc|db|node|host|proxy|gateway|worker|controller|mailer|cleanup|job):$/;
const TARGET = /^(?:[a-z]+|v?\d{1,5}(?:\.\d{1,5}){0,3})(?![^,;./?])/;
/** `http://secrets:8200/health` */
const PORT = /^\d{2,5}(?![^/?#,;.)])/;
/** What is done with it, as in the names of scripts, events and permissions: `token:rotate`, `password:changed`. */
const ACTION =
  /^(?:rotate|write|read|changed?|reset|clear|refresh(?:ed)?|created?|deleted?|updated?|revoked?|validate|list|stats|ratelimit|cache|expired|issued|log(?:in|out))(?![\w-])/;

function isTask({ name, value, beforeName }: Assigned): boolean {
  if (PORT.test(value) && /\/\/[\w.-]*$/.test(beforeName)) return true;
  return (RUNNING.test(name) && TARGET.test(value)) || (/\w:$/.test(name) && ACTION.test(value));
}

/** Of a microcontroller: `pin=GPIO4`. */
const HARDWARE_PIN = /^(?:GPIO_?(?:NUM_)?\d{1,2}|P?[A-D]\d{1,2}),?$/;

function isHardwarePin({ name, value }: Assigned): boolean {
  return /^pin\b/i.test(name) && HARDWARE_PIN.test(value);
}

/** `api_key_id: 42`, of a record; the id of a session is the credential itself */
const RECORD = /(?<![sS]ess(?:ion)?)(?:[-_ ]id|(?<=[a-z])Id)$/;

function isCount({ name, fullName, value, afterValue }: Assigned): boolean {
  if (!/^\d+$/.test(value)) return false;
  if (afterValue.startsWith(' bytes') || (value.length <= 8 && RECORD.test(fullName))) return true;
  if (isHarmlessValue(fullName, Number(value))) return true;
  // Test results: `pass: 12`.
  return value.length <= 4 && /^pass\W*$/i.test(name);
}

const RANDOM_INSIDE = new RegExp(RANDOM_WORD);
/** A tag as a placeholder in a sentence: `AUTH <password> called without any password`, `option '--token <token>' is missing`. */
const TAG = /<[\w-]{1,32}>( ?)$/;
/** What a validator says: `{ errors: { password: ["can't be blank"] } }`. */
const SENTENCE = /^\[?\s*["'][A-Za-z](?:[^"]* ){2}[^"]*["'][^"]*$/;
/** Strings of a list. */
const ELEMENTS = /(["'])[^\n]{0,512}?\1(?=\s{0,8}(?:[,\]]|$))/g;
/** `{ errors: { password: { message: 'too short' } } }`, but not with the value beside it. */
const DESCRIBED = /^\{(?![^}]*\b(?:val|input|received|actual|data))[^}]*\b(?:message|msg|kind|code)["']?\s*:/;
/** Not deeper, as an error may hold the request: `error: { request: { password: 'it is what it is' } }`. */
const ERRORS = /\berrors?["']?\s*[:=]\s*[{[]\s{0,32}[{[]?[^{}[\]]*$/i;

/** The value itself, which validators put beside what they say: `{ errors: [{ path: 'password', data: 'it is what it is' }] }`. */
const REJECTED = new RegExp(String.raw`(?:${VALUE_MEMBER})["']?\s{0,3}[:=]\s{0,3}$`, 'i');

/** Whether a sentence says something about the credential. */
function isRemark({ name, value, fromName, beforeName }: Assigned): boolean {
  const tag = TAG.exec(name);
  if (tag && (tag[1] === ' ' || /^["'`\])]/.test(value))) return !fromName.includes('</');
  if (RANDOM_INSIDE.test(value)) return false;
  const listed = value.startsWith('[') ? value.match(ELEMENTS) : null;
  if (listed?.every((one) => isHarmlessValue(bareName(name), one))) return true;
  return (SENTENCE.test(value) || DESCRIBED.test(value)) && ERRORS.test(beforeName) && !REJECTED.test(name);
}

/** The beginning of a name: `arn:aws:secretsmanager:eu-west-1:1234:secret:x`, `urn:ietf:params:oauth:token-type:jwt` */
const UNIFORM_NAME = /\b(?:arn:aws[\w:-]*:|urn:[\w:.-]*)$/;
/** A name in Kubernetes and in stores of secrets: `db-credentials-2`, `prod/db`. */
const OBJECT_NAME = /^["'`]?[a-z][a-z\d]*(?:[-./][a-z\d]{1,32})+["'`]?$/;
const OF_OBJECT = /^(?:secrets?|token)(?:["'`]|\s)(?!\s*(?:is|was)\b|[^:=]*[:=])/i;
/** Behind these stand names only: `--secret-id prod/db`, `existingSecret: db-auth`, `SecretId=prod/db` */
const OBJECT_OPTION =
  /(?:\b(?:get|load|fetch|read|access|delete)\w{0,16}secret\w{0,8}\(|--secret-(?:id|name)|\bsecretid|\bgcloud\s[^\n]{0,128}\s--secret|existing_?secret)["']?[=:\s]{0,3}["']?$/i;
const OBJECT_COMMAND =
  /(?:\bkubectl\s[^\n]{0,64}\bsecrets?\s{1,3}(?:\w{1,16}\s{1,3})?|\bdocker\s[^\n]{0,128}\s--secret[=\s]{1,3}|\bin secret\s["']?)$/i;
/** What Kubernetes says of one: `secret "db" deleted` */
const OBJECT_STATE = /^\s(?:created|deleted|configured|unchanged|patched|not found|already exists)\b/;
/** `volume "creds" : secret "app-creds" not found` */
const AFTER_SECRET = /\bsecrets?\s$/;
const OBJECT_WORD = /^["'`]?[a-z][a-z-]{0,32}["'`]?$/;

/** Whether a value is what the secret is called, and not the secret: `secret "db-creds" not found`. */
function isObjectName({ name, value, beforeName, beforeValue, afterValue }: Assigned): boolean {
  if (UNIFORM_NAME.test(beforeName) || OBJECT_COMMAND.test(beforeValue)) return true;
  const isObject = OF_OBJECT.test(name);
  const hasState = (isObject || AFTER_SECRET.test(beforeValue)) && OBJECT_STATE.test(afterValue);
  if (hasState && OBJECT_WORD.test(value)) return true;
  const mayBeNamed = isObject || hasState || OBJECT_OPTION.test(beforeValue);
  return mayBeNamed && OBJECT_NAME.test(value) && !RANDOM_INSIDE.test(value);
}

/** A path, which `PWD` names in every environment. */
const FOLDER =
  /^["']?(?:\/(?:app|code|data|etc|home|mnt|opt|private|root|run|src|srv|tmp|usr|var|work|workspace|Users)(?:\/|["']?$)|[A-Z]:\\)/;

function isWorkingFolder({ fullName, value }: Assigned): boolean {
  return /^(?:old)?pwd$/i.test(fullName) && FOLDER.test(value);
}

/** `token=./token.txt`, `token: '/run/secrets/token'`, `s3://bucket/secrets` */
const FILE =
  /^["'`]?(?:\.{1,2}\/|~\/|(?:s3|gs):\/\/|\/(?:etc|home|opt|root|run|srv|tmp|usr|var|Users)\/)(?:[a-z._-]{1,32}\d{0,2}\/){0,16}(?:[a-z._-]{1,32}\d{0,2})?["'`]?$/i;
/** Where a credential is, and which address gives one: `--password-file /run/secrets/pw`, `tokenUrl: '/oauth/token'`. */
const PLACE_NAME = /(?:file|path|dir|folder|url|uri)$/i;
const PLACE =
  /^["'`]?https?:\/\/[a-z\d.-]{1,64}(?::\d{1,5})?\/?["'`]?$|^["'`]?(?:https?:\/\/[a-z.-]{1,64}(?::\d{1,5})?|[.~]{0,2}|[a-z]:)(?:[\\/][a-z._-]{1,32}\d{0,2}){1,16}[\\/]?["'`]?$|^["'`]?[\w-]{1,32}\.[a-z]{2,4}["'`]?$/i;

function isPlace({ fullName, value }: Assigned): boolean {
  return FILE.test(value) || (PLACE_NAME.test(fullName) && (PLACE.test(value) || /^[A-Z_]+$/.test(value)));
}

/** Of hashes and ciphers: `createHmac('sha256', key)` */
const ALGORITHM =
  /^["'`]?(?:sha-?\d{1,3}|md5|(?:aes|hs|rs|es|ps|rsa)-?\d{3}(?:-[a-z]{3})?|argon2i?d?|e?[dx]25519|secp256[kr]1)["'`]?$/i;
function isKindOrAlgorithm({ fullName, value }: Assigned): boolean {
  return ALGORITHM.test(value) || isHarmlessValue(fullName, value);
}

/** Types, what validators say in a word, modes of `fetch`, and what stands in place of a value: `password: 'string'`. */
const REMARK =
  /^(["'`]?)(?:(?:string|number|boolean|object|symbol|function|undefined|null|true|false|required|optional|invalid|missing|empty|same-origin|include|omit)[!?]?|\[(?:hidden|redacted|masked|removed|omitted)\]?)\1$/i;
/** `Authorization: {{ .Values.token }}` of a template */
const TEMPLATE = /^["'`]?\{\{/;
/** `{ "properties": { "password": { "type": "string" } } }`, `{ auth: { strategy: 'oauth2' } }` */
const SCHEMA =
  /^\{(?![^}]*\bval)\s*["']?type["']?\s*:\s*(?:["']?(?:string|number|integer|boolean|array|object)\b|[a-z][a-z.]{1,64}\s*[,}])|^\{(?:\s*\w+\??:\s*(?:string|number|boolean|any|unknown|Date)(?:\[\])?[;,]?){1,16}\s*\}?$|^\{\s*["']?(?:type|strategy|provider|method|mode)["']?\s*:\s*["'][a-z\d]{1,16}["']\s*\}?$/i;
/** Of a color, and of one in CSS: `--token-color: #ff00aa`, `token --color-500` */
const COLOR = /^(?:#[\da-f]{3,8}|--[a-z][a-z\d-]*)$/i;

function isDescription({ value }: Assigned): boolean {
  return REMARK.test(value) || TEMPLATE.test(value) || SCHEMA.test(value) || COLOR.test(value);
}

/** `Failed to refresh token: 401 Unauthorized`, `auth-api:1.4.2`, `auth: 12ms`, `パスワード: 8文字以上`; codes and the numbers of cards are as short. */
const SHORT_NUMBER = /^(?:\d{1,3}|v?\d{1,5}(?:\.\d{1,5}){1,3}|[\d.]{1,8}ms|\d{1,3}\.\d{1,3}s|\d{1,2}[\u3000-\uffff]+)$/;
const NAME_OF_NUMBER = /cv[vc]|csc|pin|code|otp/i;

function isShortNumber({ fullName, value }: Assigned): boolean {
  if (SHORT_NUMBER.test(value) && (value.length < 3 || !NAME_OF_NUMBER.test(fullName))) return true;
  // `InvalidCredentialsError: 80090308`
  return /(?:error|exception)$/i.test(fullName) && /^\d+$/.test(value);
}

/** `{ keywords: ['token', 'secret garden'] }` */
const LIST_OF_WORDS = /\b(?:keywords|tags|topics|labels)["']?\s{0,3}[:=]\s{0,3}\[[^\]]*$/i;
/** In a list, but not an option of a command: `['password', 'email']`. */
const LISTED = /^\\*["'][\w.][\w.-]*\\*["'],\s*$/;

function isLabel({ name, fullName, value, beforeName }: Assigned): boolean {
  // `auth:sanctum`, the name of a script or of a middleware
  if (name === 'auth:' && /^[a-z]+[,;.)]?$/.test(value)) return true;
  const word = value.replace(/\W*(.*?)\W*$/, '$1');
  // `usage: login --password PASSWORD`
  if (/^[A-Z_]+$/.test(word) && word.toLowerCase() === fullName.replace(/^-+/, '').toLowerCase()) return true;
  if (!LISTED.test(name)) return false;
  // `t('password', 'Password')`
  return (
    (LIST_OF_WORDS.test(beforeName) && !/\d/.test(word)) ||
    isFieldName(word) ||
    word.toLowerCase() === fullName.toLowerCase()
  );
}
