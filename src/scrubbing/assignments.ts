import { FILTERED, type SensitiveNames } from './sensitive-names.js';

/** Each time that a string is printed or encoded within another, the backslashes before a quote double. */
const ESCAPE = String.raw`\\{0,7}`;
const QUOTED = String.raw`(?:[bunrf@]{1,2}(?=["']))?(?:\\{1,7}"(?:(?!\\{1,7}").){0,512}(?:\\{1,7}")?|\\{1,7}'(?:(?!\\{1,7}').){0,512}(?:\\{1,7}')?|"(?:[^"\\]|\\.){0,512}"?|'(?:[^'\\]|\\.){0,512}'?|${'`'}[^${'`'}]{0,512}${'`'}?)`;
const QUOTE = `${ESCAPE}["'\`]?`;
const WORD = String.raw`[^\s;,&"'<>(){}\[\]${'`'}]{1,512}`;
const NUMBER = String.raw`-?\d[\w.]*`;
/** Of a name, as far as it is looked at. */
const MAX_NAME_LENGTH = 64;
/** Letters and digits, as in no word of prose. A date is none. */
const UNUSUAL_WORD = String.raw`(?!\d{4}-\d\d-\d\d)(?=[^\s;,&"'<>(){}\[\]|]{0,64}?\d)(?=[^\s;,&"'<>(){}\[\]|]{0,64}?[a-z])[^\s;,&"'<>(){}\[\]|]{8,512}`;
const UNUSUAL = String.raw`(?:"(?=[^"\s]{0,64}\d)[^"\s]{8,512}"|'(?=[^'\s]{0,64}\d)[^'\s]{8,512}'|${UNUSUAL_WORD})`;
const NOT_FILTERED = String.raw`(?!["'\\]{0,8}(?:\[Filtered|%5BFiltered))`;
/** Members that hold the name and the value of something. */
const NAME_MEMBER = 'name|key|type|id|field|header|param|label|path|instancePath|property|loc|k';
const VALUE_MEMBER = 'value|val|v|content|string|data|input|received';

/** Of a list, before the one that tells: `['user', 'password']`. */
const ELEMENTS = String.raw`(?:[[(]\s{0,8}(?:${QUOTE}\w{1,32}${QUOTE},\s{0,8}){0,3})?`;

/** A way in which strings give a credential a value. */
interface Assignment {
  /** Matches strings that may match the pattern, and costs less. */
  readonly hint: RegExp | undefined;
  /** The first group stays, the rest is replaced. */
  readonly pattern: RegExp;
}

const createAssignments = (NAME: string): Assignment[] => {
  const sources: Array<string | readonly [hint: RegExp, source: string]> = [
    // Before the general ones, which would take the beginning of these for the value
    // recovery codes: x8Qz3vT6kW1, y9Ra4wU7lX2
    [
      /codes/i,
      String.raw`((?:recovery|backup)[-_ ]?codes${QUOTE}\s{0,3}[:=]\s{0,3})${NOT_FILTERED}${UNUSUAL}(?:,\s?${UNUSUAL}){1,32}`,
    ],
    // name: <Buffer 78 38>, name: Uint8Array(2) [ 120, 56 ]
    [
      /<Buffer|Array/,
      String.raw`(${NAME}${QUOTE}\s{0,3}[:=]\s{0,3})(?:<Buffer[^>]{0,512}>?|(?:Uint8Array|ArrayBuffer)[^\]}]{0,512}[\]}]?)`,
    ],
    // pgp_sym_encrypt(data, 'x'), crypt('x', salt)
    [
      /crypt|hmac/i,
      String.raw`(\b(?:pgp_sym_\w{1,16}|(?:aes_)?(?:en|de)?crypt|hmac)\s?\()(?=[^()]{0,256}')[^()]{1,512}`,
    ],
    // name -> value, name;s:11:"value", name => string(11) "value", name,<<"value">>, Name("value"), name | value
    [
      /=>|;s:|<<|->|\(|\|/,
      String.raw`(${NAME}${ESCAPE}["'${'`'}\]]{0,2}(?:\s{0,8}=>\s{0,8}string\(\d{1,5}\)\s{0,3}|;s:\d{1,5}:|,\s?<<|\s{0,3}->\s{0,3}|\s?\(\s?(?=["'])|\s{0,16}\|\s{0,3}))${NOT_FILTERED}(?:${QUOTED}|${UNUSUAL_WORD})`,
    ],
    // name('user', 'value')
    [/\(/, String.raw`(${NAME}\s?\(\s?(?:${QUOTED}|[\w.$]{1,64})\s?,\s{0,8})${NOT_FILTERED}${QUOTED}`],
    // (name)=(value)
    [/\)=\(/, String.raw`(\([\w, ]{0,128}${NAME}[\w, ]{0,128}\)=\()(?!\[Filtered)[^)]{1,512}`],
    // name=value, name="value", 'name' => 'value', name[]=value
    [
      /=/,
      String.raw`(${NAME}(?:\[\w{0,16}\]){0,2}${ESCAPE}["'${'`'}\]]{0,2}\s{0,24}(?:=>|:?=)\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${WORD})`,
    ],
    // name: string = 'value'
    [/:/, String.raw`(${NAME}\??\s{0,3}:\s{0,3}[A-Za-z]\w{0,31}\s{1,3}=\s{0,3})${NOT_FILTERED}${QUOTED}`],
    // name: Some("value"), name: !tag value
    [
      /[:=]\s{0,3}(?:\w{1,16}\(|!)/,
      String.raw`(${NAME}${QUOTE}\s{0,3}[:=]\s{0,3}(?:\w{1,16}\((?=["'])|!\w{1,16}\s))${NOT_FILTERED}(?:${QUOTED}|${UNUSUAL_WORD})`,
    ],
    // "name" must be longer, got "value"
    [
      /\b(?:got|received|value):?\s/,
      String.raw`(${NAME}["'${'`'}]?[^"'\n]{0,96}?\b(?:(?:got|received):?|value:)\s{1,3})${NOT_FILTERED}${UNUSUAL}`,
    ],
    // "name": "value", name: 'value', \"name\":1, [Symbol(name)]: 'value'
    [/:/, String.raw`(${NAME}[)\]]{0,2}${QUOTE}\s{0,24}:\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${NUMBER})`],
    // name: value, ["name"]: value, where the value does not look like a word of prose
    [/:/, String.raw`(${NAME}["'${'`'})\]]{0,3}\s{0,24}:\s{0,3}(?:[>|][-+]?\s{1,8})?)${NOT_FILTERED}${UNUSUAL_WORD}`],
    // name: { a: 'value' }, "name": ["value"]
    [
      /[[{]/,
      String.raw`(${NAME}${QUOTE}\s{0,3}(?:=>|=|:)\s{0,3})(?=[[{])(?!\[(?:Filtered|Object|Array|Function|Circular))[[{][^\]}]{1,512}[\]}]?`,
    ],
    // "tokens": { "access": "value" }, but not the counts of tokens
    [
      /tokens/i,
      String.raw`(\btokens${QUOTE}\s{0,3}(?:=>|=|:)\s{0,3})(?=\{[^{}]{0,256}[:=]\s{0,3}${ESCAPE}["'])\{[^}]{1,512}\}?`,
    ],
    // { name: 'password', value: 'x' }, <add key="password" value="x"/>, - name: PASSWORD\n  value: x,
    // { path: ['user', 'password'], received: 'x' }
    [
      /val|\bv\b|content|string|data|input|received/i,
      String.raw`(\b(?:${NAME_MEMBER})${QUOTE}\s{0,3}[:=]\s{0,3}${ELEMENTS}${QUOTE}[\w./-]{0,32}${NAME}${QUOTE}(?:\s{0,8}[\])])?(?:,?\s{0,8}${QUOTE}\w{1,16}${QUOTE}\s{0,3}[:=]\s{0,3}${QUOTE}[\w .-]{0,64}${QUOTE}){0,2},?\s{0,40}${QUOTE}(?:${VALUE_MEMBER})${QUOTE}\s{0,3}[:=]\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${WORD})`,
    ],
    // { value: 'x', name: 'password' }, { received: 'x', code: 'invalid', path: ['password'] }
    [
      /\b(?:val|v\b|content|string|data|input|received)/i,
      String.raw`(\b(?:${VALUE_MEMBER})${QUOTE}\s{0,3}[:=]\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${WORD})(?=(?:,?\s{0,8}${QUOTE}\w{1,16}${QUOTE}\s{0,3}[:=]\s{0,3}${QUOTE}[\w .-]{0,64}${QUOTE}){0,2},?\s{0,8}${QUOTE}(?:${NAME_MEMBER})${QUOTE}\s{0,3}[:=]\s{0,3}${ELEMENTS}${QUOTE}[\w./-]{0,32}${NAME})`,
    ],
    // ['name', 'value'], ['--name', 'value']
    [
      /,/,
      String.raw`(${ESCAPE}["'][\w.-]{0,32}${NAME}${ESCAPE}["'],\s{0,8})(?!${QUOTE}\w{1,16}${QUOTE}\s{0,3}:)${NOT_FILTERED}(?:${QUOTED}|${NUMBER})`,
    ],
    // --name value, -Name value
    [/-/, String.raw`((?<![\w-])--?[\w-]{0,32}${NAME}\s{1,3}(?:<<<\s{0,3})?)${NOT_FILTERED}(?!-)(?:${QUOTED}|${WORD})`],
    // Validation: "name" with value "value", Variable "$name" got invalid value "value", Path `name` (`value`)
    [
      /value|path/i,
      String.raw`(${NAME}["'${'`'}]?\s{1,3}(?:(?:\w{1,16}\s{1,3}){0,3}value:?\s{1,3}|\(\s?(?=["'${'`'}])))${NOT_FILTERED}${QUOTED}`,
    ],
    // Cast failed for value "value" at path "name", Duplicate entry 'value' for key 'name'
    [
      /value|entry/i,
      String.raw`(\b(?:value|entry)\s{1,3})${NOT_FILTERED}${QUOTED}(?=[^"'${'`'}\n]{0,64}\s(?:at|for)\s{1,3}(?:\w{1,16}\s{1,3})?["'${'`'}][\w.$-]{0,64}${NAME})`,
    ],
    // OTP is 482913, verification code 482913
    [
      /otp|[m2]fa|pin|code|password/i,
      String.raw`(\b(?:otp|totp|mfa|2fa|pin|(?:one[-_ ]?time|verification|security|activation|confirmation|sms|login)[-_ ]?(?:code|pin|password))(?:[-_ ]code)?:?\s{1,3}(?:(?:is|was)\s{1,3})?)${NOT_FILTERED}(?:\d{4,8}(?![\w.])|${UNUSUAL})`,
    ],
    // Stripe-Signature: t=1,v1=x8Qz3vT6kW1, invalid signature "x8Qz3vT6kW1"
    [/signature/i, String.raw`(signature\s{0,3}:\s{0,3})(?=\w{1,8}=)${NOT_FILTERED}[^\s"'\]}]{1,512}`],
    [/signature/i, String.raw`(signature\s{1,3})${NOT_FILTERED}(?=["'])${UNUSUAL}`],
    // password x8Qz3vT6kW1, your token is x8Qz3vT6kW1, API key provided: x8Qz3vT6kW1, x-api-key "x8Qz3vT6kW1"
    String.raw`((?:passw|passphrase|pwd|secret|token|(?:api|access)[-_ ]?key|requirepass|masterauth|auth-?pass|user-?auth)[\w-]{0,32}["'${'`'}]?(?:\s{1,3}(?!(?:at|on|id|request|trace)\b)\w{1,16}(?:[@.]\w{1,32}){0,4}){0,4}(?:\s?->|:)?\s{1,3})${NOT_FILTERED}${UNUSUAL}`,
    // <name>value</name>, <x:name type="y"><![CDATA[value]]>, <entry key="name">value</entry>
    [
      /</,
      String.raw`(<(?:[\w.-]{1,64}:)?[\w.-]{0,32}${NAME}(?:\s[^<>]{0,256})?>\s{0,64}(?:<!\[CDATA\[)?)(?!\[Filtered)[^\s<\]][^<\]]{0,511}`,
    ],
    [
      /</,
      String.raw`(<\w{1,32}\s[^<>]{0,64}(?:${NAME_MEMBER})=["'][\w.-]{0,32}${NAME}["'][^<>]{0,64}>\s{0,64}(?:<value>\s{0,64})?)(?!\[Filtered)[^\s<][^<]{0,511}`,
    ],
    // { name: 'auth', args: ['default', 'value'] } of clients of Redis
    [
      /\bargs/,
      String.raw`(\b(?:name|command|cmd)${QUOTE}\s{0,3}:\s{0,3}${QUOTE}auth${QUOTE},\s{0,8}${QUOTE}args${QUOTE}\s{0,3}:\s{0,3}\[)(?!\[Filtered)[^\]]{1,512}`,
    ],
    // <key>name</key><string>value</string>
    [/</, String.raw`(<(?:key|name)>[\w.-]{0,32}${NAME}</(?:key|name)>\s{0,64}<\w{1,16}>)(?!\[Filtered)[^<]{1,512}`],
    // Authorization: Digest ..., Set-Cookie: ..., Proxy-Authorization: Negotiate ...
    [
      /authorization|cookie/i,
      String.raw`((?:authorization|cookie2?)\s{0,3}:\s{0,3})(?=[^\r\n"'\]}]{0,512}[=\d])(?!(?:bearer|basic)\s{1,4}\[Filtered)${NOT_FILTERED}[^\r\n\]}]{1,1024}`,
    ],
    // Authorization "Token ..."
    [/authorization/i, String.raw`(authorization\s{1,3})${NOT_FILTERED}"[^"]{1,512}"`],
    // Content-Disposition: form-data; name="password"\r\n\r\nvalue
    [
      /name="/i,
      String.raw`(\bname="[\w.-]{0,32}${NAME}(?:\[\w{0,16}\]){0,2}"[^\n]{0,128}(?:\r?\n[\w-]{1,32}:[^\n]{0,128}){0,3}\r?\n\r?\n)(?!\[Filtered)[^\r\n]{1,1024}`,
    ],
    // name%3Dvalue, %22name%22%3A%22value%22
    [/%|[:=]/, String.raw`(${NAME}(?:%22|%27)?(?:%3A|%3D|:|=)(?:%22|%27|%20){0,2})(?!\[Filtered)[^\s%&"'\[{]{1,512}`],
    // {:name "value"}
    [/\s"/, String.raw`(:[\w-]{0,32}${NAME}\s{1,3})${NOT_FILTERED}"[^"]{1,512}"`],
    // name <> 'value', name LIKE 'value', name IN ('value')
    [
      /<>|!=|<=>|like|regexp/i,
      String.raw`(${NAME}["'${'`'}\]]{0,2}(?:\s{0,3}(?:<>|!=|<=>)|\s{1,3}(?:not\s{1,3})?(?:i?like|rlike|regexp))\s{0,3})${NOT_FILTERED}${QUOTED}`,
    ],
    [/\bin\b/i, String.raw`(${NAME}["'${'`'}\]]{0,2}\s{1,3}(?:not\s{1,3})?in\s{0,3})\(\s{0,3}["'][^)]{1,512}\)?`],
    // IDENTIFIED BY 'x', PASSWORD 'x', PASSWORD('x'), SET PASSWORD FOR y = 'x', PRAGMA key = 'x', ATTACH ... KEY 'x'
    [
      /identified|password|pragma|attach/i,
      String.raw`(\b(?:identified\s{1,3}(?:with\s{1,3}\S{1,64}\s{1,3})?by(?:\s{1,3}(?:values|password))?|password(?=[\s(])|set\s{1,3}password[^=]{0,128}=|pragma\s{1,3}(?:re)?key\s{0,3}=|attach\s[^;\n]{0,256}\skey)\s{0,3}\(?\s{0,3})${NOT_FILTERED}(?:'[^']{0,512}'?|"[^"]{0,512}"?)`,
    ],
    [/identified/i, String.raw`((?:user|role)\s{1,3}\S{1,64}\s{1,3}identified\s{1,3}by\s{1,3})${NOT_FILTERED}${WORD}`],
    // INSERT INTO t (a, password) VALUES (1, 'x')
    [
      /insert/i,
      String.raw`(\binsert\s{1,8}into\s[^()]{0,128}\([^()]{0,512}${NAME}[^()]{0,512}\)\s{0,8}values\s{0,8})[\s\S]{1,4096}`,
    ],
  ];
  return sources.map((one) => {
    const [hint, source] = typeof one === 'string' ? [undefined, one] : one;
    return { hint, pattern: new RegExp(source, 'gi') };
  });
};

/** `name: value` with any word as the value. For names of which the application says that they are no words of prose. */
function createPlainAssignment(source: string): Assignment {
  return {
    hint: /:/,
    pattern: new RegExp(String.raw`(${source}${QUOTE}\s{0,24}:\s{0,3})${NOT_FILTERED}${WORD}`, 'gi'),
  };
}

/** Redis. In capitals, because prose says "auth" too. */
const AUTH =
  /(?<![\w-])(AUTH\s{1,3})(?!(?:[a-z]*(?:ed|ing)|command|error|method|mechanism|header|timeout|is|and|to|with|for|not|LOGIN|PLAIN)\b|\[Filtered)\S{1,128}(?:\s{1,3}\S{1,512})?/g;
/** The same in a list: `['AUTH', 'default', 'value']`. */
const AUTH_LIST = /((["'])AUTH\2,\s{0,8})(?:"[^"]{0,512}"|'[^']{0,512}')(?:,\s{0,8}(?:"[^"]{0,512}"|'[^']{0,512}'))?/g;
/** The beginning of an ARN, which names a secret: `arn:aws:secretsmanager:eu-west-1:1234:secret:x`. */
const AMAZON_NAME = /\barn:aws[\w:-]*:$/;
/** A path, which `PWD` names in every environment. */
const FOLDER =
  /^["']?(?:\/(?:app|code|data|etc|home|mnt|opt|private|root|run|src|srv|tmp|usr|var|work|workspace|Users)(?:\/|["']?$)|[A-Z]:\\)/;
/** A table that `console.table` draws. */
const DRAWN_TABLE = /[┌├└]─{2}/;
/** The names of columns, and a line below them. */
const COLUMNS = /(?<![\w.,;-])[\w.-]{1,32}(?:[,;\t][\w.-]{1,32}){1,32}\r?\n(?=\S)/;
const BARE_VALUE = /^(?:true|false|null|undefined|none|nil|yes|no)$/i;
/** Characters that were encoded within a string: `\u0022`, `%2522`, `&quot;`. */
const ENCODED = /\\u00([2-7][\da-f])|%25(?=[2-7][\da-f])|&(?:quot|apos|#(?:34|39|x22|x27));/gi;

/** Looks for values that are assigned to names of credentials. */
export class AssignmentMask {
  readonly #names: SensitiveNames;
  readonly #mention: RegExp;
  readonly #assignments: readonly Assignment[];

  readonly #isCustom: boolean;

  /** @param customSource source of a regular expression for the only names to look for; without it, those of `names` */
  constructor(names: SensitiveNames, customSource?: string) {
    const source = customSource ?? names.credentialSource;
    this.#names = names;
    this.#isCustom = customSource !== undefined;
    this.#mention = new RegExp(
      this.#isCustom ? source : `${source}|identified|requirepass|masterauth|pragma|attach|crypt|\\btokens`,
      'i',
    );
    const assignments = createAssignments(String.raw`${source}[\w-]{0,32}`);
    this.#assignments = this.#isCustom
      ? [...assignments.filter(({ pattern }) => pattern.source.includes(source)), createPlainAssignment(source)]
      : assignments;
  }

  apply(text: string): string {
    const masked = this.#mask(text);
    const decoded = masked.replace(ENCODED, decode);
    if (decoded === masked) return masked;
    const maskedOnceMore = this.#mask(decoded);
    return maskedOnceMore === decoded ? masked : maskedOnceMore;
  }

  #mask(text: string): string {
    if (!this.#mention.test(text)) return text;
    if (DRAWN_TABLE.test(text) || this.#hasColumns(text)) return FILTERED;
    let masked = text;
    for (const { hint, pattern } of this.#assignments) {
      if (hint === undefined || hint.test(masked)) masked = masked.replace(pattern, this.#replaceValue);
    }
    return this.#isCustom ? masked : masked.replace(AUTH, `$1${FILTERED}`).replace(AUTH_LIST, `$1'${FILTERED}'`);
  }

  #hasColumns(text: string): boolean {
    const columns = COLUMNS.exec(text)?.[0].split(/[,;\s]/);
    return columns?.some((name) => this.#names.hasCredential(name)) === true;
  }

  /** Keeps the quotes around the value. */
  readonly #replaceValue = (assignment: string, name: string, offset: number, text: string): string => {
    const fullName = nameBefore(text, offset) + bareName(name);
    if (this.#names.isAllowed(fullName) || this.#names.isAboutCredential(fullName)) return assignment;
    const value = assignment.slice(name.length);
    // Test results: `pass: 12`.
    if (BARE_VALUE.test(value) || (/^pass\W*$/i.test(name) && /^\d{1,4}$/.test(value))) return assignment;
    if (/^(?:old)?pwd$/i.test(fullName) && FOLDER.test(value)) return assignment;
    if (AMAZON_NAME.test(text.slice(Math.max(0, offset - MAX_NAME_LENGTH), offset))) return assignment;
    const [quote = ''] = /^\\*["'`]/.exec(value) ?? [];
    return name + quote + FILTERED + quote;
  };
}

function decode(encoded: string, code: string | undefined): string {
  if (encoded.startsWith('%')) return '%';
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  return /apos|39|27/.test(encoded) ? "'" : '"';
}

/** A pattern begins at the telling part of a name; this is what stands before it. */
function nameBefore(text: string, offset: number): string {
  return /[\w.-]*$/.exec(text.slice(Math.max(0, offset - MAX_NAME_LENGTH), offset))?.[0] ?? '';
}

function bareName(name: string): string {
  return /[\w.-]+(?: [\w.-]+)*/.exec(name)?.[0] ?? '';
}
