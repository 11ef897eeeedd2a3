import { FILTERED, type SensitiveNames } from './sensitive-names.js';

/** Credentials by their looks: JWTs, keys of well-known services, private keys. */
const LOOKS = [
  // General forms
  String.raw`\beyJ[\w-]{6,512}(?:(?:\.|%2E)[\w-]*){1,4}`,
  String.raw`\b[Bb]earer(?:\s|%20|:){1,4}(?:[\w.~+/=-]{16,}|(?=[\w.~+/=-]{0,15}\d)[\w.~+/=-]{8,})`,
  String.raw`\bPuTTY-User-Key-File-\d[\s\S]*?(?:Private-MAC:[^\n]*|$)`,
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
  String.raw`\bdp\.(?:pt|st|ct|sa|scim|audit)\.[\w.]{16,}`,
  String.raw`\btskey-[\w-]{12,}`,
  String.raw`\bpscale_(?:tkn|pw|oauth)_[\w.-]{16,}`,
  String.raw`\bdapi[0-9a-f]{32}`,
  String.raw`\bsbp_[0-9a-f]{20,}`,
  String.raw`\bLTAI[0-9A-Za-z]{12,}`,
  String.raw`\bdt0[a-z]\d\d\.[0-9A-Z]{24}\.[0-9A-Z]{32,}`,
  String.raw`\bpul-[0-9a-f]{40}`,
  String.raw`\.atlasv1\.[\w-]{40,}`,
  String.raw`\b(?:fm[12]|fo1)_[\w+/=-]{16,}`,
  String.raw`\b(?:rnd|nfp|napi|vercel_blob_rw|sb_secret|pnu|pcsk|mdb_sa_sk)_\w{16,}`,
  String.raw`\bsdk-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}`,
  String.raw`\bsgp_\w{40,}`,
  String.raw`\bt1\.[\w-]{20,}\.[\w-]{40,}`,
  String.raw`\bAQVN[\w-]{35,}`,
  String.raw`\bops_eyJ[\w-]{16,}`,
  String.raw`\bA3-[0-9A-Z]{6}(?:-[0-9A-Z]{5,11}){4,5}`,
  String.raw`\bpat\.[\w-]{22}\.[0-9a-f]{24}\.\w{20}`,
  String.raw`\bv1\.0-[0-9a-f]{24}-[0-9a-f]{140,}`,
  // Source code and packages
  String.raw`\bgh[opsru]_\w{20,}`,
  String.raw`\bgithub_pat_\w{20,}`,
  String.raw`\bgl(?:pat|ptt|dt|rt|soat|cbt|ft|imt|agent|oas)-[\w-]{16,}`,
  String.raw`\bnpm_\w{30,}`,
  String.raw`\bpypi-[\w-]{16,}`,
  String.raw`\brubygems_[0-9a-f]{32,}`,
  String.raw`\bdckr_pat_[\w-]{16,}`,
  String.raw`\bAT(?:ATT3|CTT3|BB)[\w=-]{20,}`,
  String.raw`\bv1\.[0-9a-f]{40}\b`,
  String.raw`\bsq[apu]_[0-9a-f]{40}`,
  String.raw`\bbkua_[0-9a-f]{32,}`,
  String.raw`\bCCIPAT_\w{20,}`,
  String.raw`\bAKCp\w{40,}`,
  String.raw`\boy2[a-z0-9]{43}`,
  String.raw`\bcio[0-9A-Za-z]{32}\b`,
  String.raw`\bCLOJARS_[0-9a-z]{40,}`,
  String.raw`\bddp_\w{36}`,
  // Payment
  String.raw`\b[prs]k_(?:org_)?(?:live|test)_\w{8,}`,
  String.raw`\bsk_[0-9a-f]{40,}`,
  String.raw`\b(?:rzp|shippo|duffel)_(?:live|test)_\w{12,}`,
  String.raw`\bEZ[AT]K\w{40,}`,
  String.raw`\bFLWSECK(?:_TEST)?-[\w-]{12,}`,
  String.raw`\baccess-(?:production|sandbox|development)-[0-9a-f]{8}-[0-9a-f-]{27}`,
  String.raw`\baccess_token\$(?:production|sandbox)\$\w{12,}\$\w{16,}`,
  String.raw`\bEAAA[\w-]{50,}`,
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
  String.raw`\b[0-9a-f]{32}-us\d{1,2}\b`,
  String.raw`\bxkeysib-[0-9a-f]{32,}-\w{8,}`,
  String.raw`\bwebhook\.office\.com\/webhookb2\/[\w@/-]{16,}`,
  String.raw`\b[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,}`,
  String.raw`\bEAAC[0-9A-Za-z]{20,}`,
  String.raw`\bA{20,}[\w%]{30,}`,
  String.raw`\bre_[0-9A-Za-z]{8}_[0-9A-Za-z]{20,}`,
  // Language models
  String.raw`\bsk-(?:proj|ant|or|svcacct|admin|None|lf)-[\w-]{12,}`,
  String.raw`\bsk-[A-Za-z0-9]{20,}`,
  String.raw`\bhf_[A-Za-z0-9]{16,}`,
  String.raw`\b(?:gsk|xai|pplx|r8|fw|tgp_v1|pa)[-_][A-Za-z0-9]{20,}`,
  String.raw`\bapi_org_[A-Za-z0-9]{20,}`,
  String.raw`\blsv2_(?:pt|sk)_\w{32,}`,
  // Tools
  String.raw`\blin_api_\w{16,}`,
  String.raw`\b(?:secret|ntn)_[A-Za-z0-9]{40,}`,
  String.raw`\bfigd_[\w-]{16,}`,
  String.raw`\bpat\w{14}\.[0-9a-f]{32,}`,
  String.raw`\bNR(?:AK|II|JS|RA)-[\w-]{20,}`,
  String.raw`\bCFPAT-[\w-]{40,}`,
  String.raw`\b(?:rdme|tfp)_\w{40,}`,
  String.raw`\bpk_\d{8}_[0-9A-Z]{32}`,
  String.raw`\bpat-(?:na|eu)\d-[0-9a-f]{8}-[0-9a-f-]{27}`,
  String.raw`\bphx_\w{20,}`,
  String.raw`\b[sp]k\.eyJ[\w-]{10,}\.[\w-]{20,}`,
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
/** Letters and digits, as in no word of prose. */
const UNUSUAL_WORD = String.raw`(?=[^\s;,&"'<>(){}\[\]]{0,64}?\d)(?=[^\s;,&"'<>(){}\[\]]{0,64}?[a-z])[^\s;,&"'<>(){}\[\]]{8,512}`;
const NOT_FILTERED = String.raw`(?!["'\\]{0,4}(?:\[Filtered|%5BFiltered))`;

/** Ways in which strings give a credential a value. The first group stays, the rest is replaced. */
const createAssignments = (NAME: string): RegExp[] =>
  [
    // name=value, name="value", 'name' => 'value'
    String.raw`(${NAME}\\{0,3}["'${'`'}\]]{0,2}\s{0,3}(?:=>|=)\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${WORD})`,
    // "name": "value", name: 'value', \"name\":1, [Symbol(name)]: 'value'
    String.raw`(${NAME}[)\]]{0,2}\\{0,3}["'${'`'}]?\s{0,3}:\s{0,3})${NOT_FILTERED}(?:${QUOTED}|-?\d[\w.]*)`,
    // name: value, where the value does not look like a word of prose
    String.raw`(${NAME}\s{0,3}:\s{0,3}(?:[>|][-+]?\s{1,8})?)${NOT_FILTERED}${UNUSUAL_WORD}`,
    // name: { a: 'value' }, "name": ["value"]
    String.raw`(${NAME}\\{0,3}["'${'`'}]?\s{0,3}(?:=>|=|:)\s{0,3})(?=[[{])(?!\[(?:Filtered|Object|Array|Function|Circular))[[{][^\]}]{1,512}[\]}]?`,
    // { name: 'password', value: 'x' }, <add key="password" value="x"/>
    String.raw`(["'][\w.-]{0,32}${NAME}\\{0,3}["'],?\s{0,8}\\{0,3}["']?(?:value|val|v|content)\\{0,3}["']?\s{0,3}[:=]\s{0,3})${NOT_FILTERED}(?:${QUOTED}|-?\d[\w.]*)`,
    // ['name', 'value'], ['--name', 'value']
    String.raw`(\\{0,3}["'][\w.-]{0,32}${NAME}\\{0,3}["'],\s{0,8})(?!\\{0,3}["']?(?:value|val|v|content)\\{0,3}["']?\s{0,3}:)${NOT_FILTERED}(?:${QUOTED}|-?\d[\w.]*)`,
    // --name value
    String.raw`(--[\w-]{0,32}${NAME}\s{1,3})${NOT_FILTERED}(?!-)(?:${QUOTED}|${WORD})`,
    // password x8Qz3vT6kW1, your token is x8Qz3vT6kW1
    String.raw`((?:passw|passphrase|pwd|secret|token|(?:api|access)[-_ ]?key|requirepass)[\w-]{0,32}(?:\s{1,3}(?:is|was))?\s{1,3})${NOT_FILTERED}(?:'[^']{8,512}'|${UNUSUAL_WORD})`,
    // <name>value</name>, <x:name type="y"><![CDATA[value]]>
    String.raw`(<(?:[\w.-]{1,64}:)?[\w.-]{0,32}${NAME}(?:\s[^<>]{0,256})?>\s{0,64}(?:<!\[CDATA\[)?)(?!\[Filtered)[^\s<\]][^<\]]{0,511}`,
    // Authorization: Digest ..., Set-Cookie: ..., Proxy-Authorization: Negotiate ...
    String.raw`((?:authorization|cookie2?)\s{0,3}:\s{0,3})(?=[^\r\n"'\]}]{0,512}[=\d])(?!(?:bearer|basic)\s{1,4}\[Filtered)${NOT_FILTERED}[^\r\n\]}]{1,1024}`,
    // name%3Dvalue, %22name%22%3A%22value%22
    String.raw`(${NAME}(?:%22|%27)?(?:%3A|%3D|:|=)(?:%22|%27|%20){0,2})(?!\[Filtered)[^\s%&"'\[{]{1,512}`,
    // IDENTIFIED BY 'x', PASSWORD 'x', PASSWORD('x'), SET PASSWORD FOR y = 'x', PRAGMA key = 'x'
    String.raw`(\b(?:identified\s{1,3}(?:with\s{1,3}\S{1,64}\s{1,3})?by|password|set\s{1,3}password[^=]{0,128}=|pragma\s{1,3}(?:re)?key\s{0,3}=)\s{0,3}\(?\s{0,3})${NOT_FILTERED}(?:'[^']{0,512}'?|"[^"]{0,512}"?)`,
    // INSERT INTO t (a, password) VALUES (1, 'x')
    String.raw`(\binsert\s{1,8}into\s[^()]{0,128}\([^()]{0,512}${NAME}[^()]{0,512}\)\s{0,8}values\s{0,8})[\s\S]{1,4096}`,
  ].map((source) => new RegExp(source, 'gi'));
/** Redis. In capitals, because prose says "auth" too. */
const AUTH =
  /(?<![\w-])(AUTH\s{1,3})(?!(?:[a-z]*(?:ed|ing)|command|error|method|mechanism|header|timeout|is|and|to|with|for|not|LOGIN|PLAIN)\b|\[Filtered)\S{1,128}(?:\s{1,3}\S{1,512})?/g;
/** Credentials in forms of their own, without a name. The first group stays. */
const UNNAMED: readonly RegExp[] = [
  // curl -u me:x
  /(\s(?:-u|--user|--proxy-user)[\s=]{1,3}["']?[^\s:"']{1,128}:)(?!\[Filtered)[^\s"']{1,512}/g,
  // sshpass -p x, mysql -px, redis-cli -a x, docker login -p x
  /(\b(?:sshpass|mysql(?:dump|admin)?|redis-cli|mongo(?:sh|dump|restore)?|docker\s{1,3}login)\b[^\n]{0,256}?\s-[pa]\s{0,3})(?!\[Filtered)(?:'[^']{1,512}'?|"[^"]{1,512}"?|[^\s"']{1,512})/g,
  // STRIPE_KEY=x1
  /(\b[A-Z][A-Z0-9_]{1,60}_KEY\s{0,2}[=:]\s{0,2}["']?)(?!\[Filtered)(?=[^\s"']{0,64}?\d)[^\s"',;&]{8,512}/g,
  // jdbc:oracle:thin:me/x@db, CONNECT me/x@db
  /(\b(?:thin:|connect\s{1,3})[^\s/@]{1,64}\/)[^\s@]{1,128}(?=@)/gi,
  // https%3A%2F%2Fme%3Ax%40host
  /(%3A%2F%2F(?:(?!%2F|%40)[^\s&]){0,128}%3A)(?:(?!%2F|%40)[^\s&]){1,128}(?=%40)/gi,
  // ?code=x&state=y
  /([?&]code=)(?!\[Filtered)[^&\s"'#]{6,512}(?=&[^\s]{0,256}state=)/g,
  /([?&]state=[^&\s"'#]{0,256}&code=)(?!\[Filtered)[^&\s"'#]{6,512}/g,
];
const UNNAMED_HINT = /\s-[upa]|--(?:proxy-)?user|_KEY|thin:|connect\s|%3A%2F%2F|code=/i;
/** A line of a table that `console.table` draws. */
const TABLE = /[┌├└]─{2}/;

/** Looks for values that are assigned to names of credentials. */
class AssignmentMask {
  readonly #names: SensitiveNames;
  readonly #mention: RegExp;
  readonly #assignments: readonly RegExp[];

  constructor(names: SensitiveNames) {
    this.#names = names;
    this.#mention = new RegExp(`${names.credentialSource}|identified|requirepass|pragma`, 'i');
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
    // Test results: `pass: 12`.
    if (/^pass\W*$/i.test(name) && /^\d{1,4}$/.test(assignment.slice(name.length))) return assignment;
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

function maskUnnamed(text: string): string {
  if (!UNNAMED_HINT.test(text)) return text;
  return UNNAMED.reduce((rest, pattern) => rest.replace(pattern, `$1${FILTERED}`), text);
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
  return mask.apply(maskUnnamed(maskCredentials(text, names)));
}
