import { FILTERED, type SensitiveNames } from './sensitive-names.js';

/** Credentials by their looks: JWTs, keys of well-known services, private keys. */
const LOOKS = [
  // General forms
  String.raw`\beyJ[\w-]{6,512}\.[\w-]{6,}(?:\.[\w-]*)?`,
  String.raw`\b[Bb]earer(?:\s|%20){1,4}[\w.~+/=-]{16,}`,
  String.raw`\b[Bb]asic(?:\s|%20){1,4}[\w+/=-]{8,}`,
  String.raw`-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)`,
  String.raw`\bAGE-SECRET-KEY-1[0-9A-Z]{20,}`,
  // Clouds
  String.raw`\b(?:AKIA|ASIA|AKSI)[0-9A-Z]{16}\b`,
  String.raw`\bAIza[\w-]{30,}`,
  String.raw`\bya29\.[\w-]{16,}`,
  String.raw`\b1\/\/0[\w-]{24,}`,
  String.raw`\bGOCSPX-[\w-]{16,}`,
  String.raw`\b(?:Account|SharedAccess)Key=[\w+/=]{8,}`,
  String.raw`\bdo[opr]_v1_[0-9a-f]{16,}`,
  String.raw`\bHRKU-[\w-]{20,}`,
  String.raw`\bhv[bsr]\.[\w-]{16,}`,
  String.raw`\bdp\.(?:pt|st|ct|sa)\.[\w.]{16,}`,
  String.raw`\btskey-[\w-]{12,}`,
  String.raw`\bpscale_(?:tkn|pw|oauth)_[\w.-]{16,}`,
  String.raw`\bdapi[0-9a-f]{32}`,
  String.raw`\bsbp_[0-9a-f]{20,}`,
  // Source code and packages
  String.raw`\bgh[opsru]_\w{20,}`,
  String.raw`\bgithub_pat_\w{20,}`,
  String.raw`\bgl(?:pat|ptt|dt|rt|soat|cbt)-[\w-]{16,}`,
  String.raw`\bnpm_\w{30,}`,
  String.raw`\bpypi-[\w-]{16,}`,
  String.raw`\brubygems_[0-9a-f]{32,}`,
  String.raw`\bdckr_pat_[\w-]{16,}`,
  String.raw`\bATATT3[\w=-]{20,}`,
  // Payment
  String.raw`\b[prs]k_(?:live|test)_\w{8,}`,
  String.raw`\bwhsec_[\w+/=-]{16,}`,
  String.raw`\bsq0(?:atp|csp)-[\w-]{16,}`,
  String.raw`\bshp(?:at|ss|ca|pa)_[0-9a-fA-F]{16,}`,
  // Messages
  String.raw`\bxox[abeprs]-[\w-]{8,}`,
  String.raw`\bxapp-[\w-]{8,}`,
  String.raw`\bhooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/]{8,}`,
  String.raw`\bdiscord(?:app)?\.com\/api\/webhooks\/\d+\/[\w-]{16,}`,
  String.raw`\b\d{8,10}:AA[\w-]{32,}`,
  String.raw`\bSG\.[\w-]{12,}\.[\w-]{12,}`,
  String.raw`\bkey-[0-9a-f]{32}\b`,
  String.raw`\bSK[0-9a-f]{32}\b`,
  // Language models
  String.raw`\bsk-(?:proj|ant|or|svcacct|admin)-[\w-]{12,}`,
  String.raw`\bsk-[A-Za-z0-9]{20,}`,
  String.raw`\bhf_[A-Za-z0-9]{16,}`,
  String.raw`\b(?:gsk|xai|pplx|r8)[-_][A-Za-z0-9]{20,}`,
  // Tools
  String.raw`\blin_api_\w{16,}`,
  String.raw`\b(?:secret|ntn)_[A-Za-z0-9]{40,}`,
  String.raw`\bfigd_[\w-]{16,}`,
  String.raw`\bpat\w{14}\.[0-9a-f]{32,}`,
  String.raw`\bNRAK-[0-9A-Z]{20,}`,
  String.raw`\bgl(?:sa|c)_[\w+/=-]{20,}`,
  String.raw`\bPMAK-[0-9a-f]{16,}-[0-9a-f]{16,}`,
  String.raw`\bsntry[su]_[\w+/=-]{20,}`,
];
const LOOK = new RegExp(LOOKS.join('|'), 'g');

/** Digits as payment cards have them, in groups or not. The check digit decides. */
const CARD = /(?<![\w.-])(?:\d[ -]?){12,18}\d(?![\w-]|\.\d)/g;

/**
 * `user:password@` of a URL anywhere in a string. Passwords that should have been encoded may contain delimiters, so
 * they end at the last `@`. A port begins no password. Bounded, so that hostile strings take linear time.
 */
const USER_INFO = /(?<=^|:)\/\/(?:[^\s/?#@:"'<>`]{0,128}:(?!\d+(?:[/?#]|$))[^\s"'<>`]{0,128}|[^\s/?#"'<>`]{0,128})@/g;

/** Replaces credentials that are recognized by their looks, whatever their name is. */
export function maskCredentials(text: string, names: SensitiveNames): string {
  const replace = (found: string) => (names.isAllowedValue(found) ? found : FILTERED);
  const masked = maskCards(text.replace(LOOK, replace), replace);
  return masked.includes('@') ? masked.replace(USER_INFO, '//[filtered]:[filtered]@') : masked;
}

function maskCards(text: string, replace: (found: string) => string): string {
  return /\d{4}/.test(text) ? text.replace(CARD, (digits) => (isCard(digits) ? replace(digits) : digits)) : text;
}

/** Whether digits begin like a card of one of the large networks and pass the Luhn check. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (!/^(?:4|5[1-5]|2[2-7]|3[4-7]|3[068]|6(?:011|5|4[4-9]|2)|35)/.test(digits) || /^(\d)\1*$/.test(digits))
    return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

const QUOTED = String.raw`\\{1,3}"(?:(?!\\{1,3}").){0,512}(?:\\{1,3}")?|"(?:[^"\\]|\\.){0,512}"?|'(?:[^'\\]|\\.){0,512}'?|${'`'}[^${'`'}]{0,512}${'`'}?`;
const WORD = String.raw`[^\s;,&"'<>(){}\[\]${'`'}]{1,512}`;
/** Of a name, as far as it is looked at. */
const MAX_NAME_LENGTH = 64;
const NOT_FILTERED = String.raw`(?!["'\\]{0,4}(?:\[Filtered|%5BFiltered))`;

/** Ways in which strings give a credential a value. The first group stays, the rest is replaced. */
const createAssignments = (NAME: string): RegExp[] =>
  [
    // name=value, name="value", 'name' => 'value'
    String.raw`(${NAME}\\{0,3}["'${'`'}\]]{0,2}\s{0,3}(?:=>|=)\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${WORD})`,
    // "name": "value", name: 'value', \"name\":1
    String.raw`(${NAME}\\{0,3}["'${'`'}]?\s{0,3}:\s{0,3})${NOT_FILTERED}(?:${QUOTED}|-?\d[\w.]*)`,
    // { name: 'password', value: 'x' }
    String.raw`(["']${NAME}\\{0,3}["'],\s{0,8}\\{0,3}["']?value\\{0,3}["']?\s{0,3}:\s{0,3})${NOT_FILTERED}(?:${QUOTED}|-?\d[\w.]*)`,
    // ['name', 'value'], ['--name', 'value']
    String.raw`(\\{0,3}["']-{0,2}${NAME}\\{0,3}["'],\s{0,8})(?!\\{0,3}["']?value)${NOT_FILTERED}(?:${QUOTED}|-?\d[\w.]*)`,
    // --name value
    String.raw`(--[\w-]{0,32}${NAME}\s{1,3})${NOT_FILTERED}(?!-)(?:${QUOTED}|${WORD})`,
    // IDENTIFIED BY 'x', PASSWORD 'x'
    String.raw`(\b(?:identified\s{1,3}(?:with\s{1,3}\S{1,64}\s{1,3})?by|password)\s{1,3})${NOT_FILTERED}(?:'[^']{0,512}'?|"[^"]{0,512}"?)`,
  ].map((source) => new RegExp(source, 'gi'));
/** Redis. In capitals, because prose says "auth" too. */
const AUTH =
  /(?<![\w-])(AUTH\s{1,3})(?!(?:[a-z]*(?:ed|ing)|command|error|method|mechanism|header|timeout|is|and|to|with|for|not|LOGIN|PLAIN)\b|\[Filtered)\S{1,128}(?:\s{1,3}\S{1,512})?/g;
/** A line of a table that `console.table` draws. */
const TABLE = /^[┌│├└]/m;

/** Looks for values that are assigned to names of credentials. */
class AssignmentMask {
  readonly #names: SensitiveNames;
  readonly #mention: RegExp;
  readonly #assignments: readonly RegExp[];

  constructor(names: SensitiveNames) {
    this.#names = names;
    this.#mention = new RegExp(`${names.credentialSource}|identified`, 'i');
    this.#assignments = createAssignments(String.raw`${names.credentialSource}[\w-]{0,32}`);
  }

  apply(text: string): string {
    if (!this.#mention.test(text)) return text;
    if (TABLE.test(text)) return FILTERED;
    const assigned = this.#assignments.reduce((rest, pattern) => rest.replace(pattern, this.#replaceValue), text);
    return assigned.replace(AUTH, `$1${FILTERED}`);
  }

  /** Keeps the quotes around the value. */
  readonly #replaceValue = (assignment: string, name: string, offset: number, text: string): string => {
    if (this.#names.isAllowed(nameBefore(text, offset) + bareName(name))) return assignment;
    const [quote = ''] = /^\\*["'`]/.exec(assignment.slice(name.length)) ?? [];
    return name + quote + FILTERED + quote;
  };
}

/** A pattern begins at the telling part of a name; this is what stands before it. */
function nameBefore(text: string, offset: number): string {
  return /[\w.-]*$/.exec(text.slice(Math.max(0, offset - MAX_NAME_LENGTH), offset))?.[0] ?? '';
}

function bareName(name: string): string {
  return /[\w.-]+(?: [\w.-]+)*/.exec(name)?.[0] ?? '';
}

const masks = new WeakMap<SensitiveNames, AssignmentMask>();

/**
 * Replaces credentials in prose: error messages, console output. Besides {@link maskCredentials} this finds values that
 * are assigned to a name: in queries of URLs, connection strings, JSON, arguments, and printed objects.
 */
export function maskText(text: string, names: SensitiveNames): string {
  let mask = masks.get(names);
  if (!mask) {
    mask = new AssignmentMask(names);
    masks.set(names, mask);
  }
  return mask.apply(maskCredentials(text, names));
}
