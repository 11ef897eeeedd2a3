import { RECORD_ID } from '../looks/random-words.js';
import { FILTERED } from '../sensitive-names.js';

const quoted = (length: string, end = '') =>
  `(?:${['"', "'", '`'].map((mark) => String.raw`${mark}(?:[^${mark}\\\n]|\\.){${length}}${mark}${end}`).join('|')})`;
const QUOTED = quoted('0,256');
/** May lack its closing quote. */
const CREDENTIAL = quoted('1,512', '?');
const ARGUMENT = String.raw`\s{0,3}(?:${QUOTED}|\{[^{}\n]{0,128}\}|[\w.$@]{1,64})\s{0,3},\s{0,3}`;
/** Functions with these names take paths and addresses, too. */
const NO_ADDRESS = String.raw`(?!["'${'`'}](?:\/|https?:))`;

/** Calls whose arguments are credentials by their position; those from the credential on are replaced. */
const CALLS: readonly string[] = [
  // cookieParser('x'), CommunityData('x')
  String.raw`(?:cookie[-_]?parser|CommunityData)\(\s{0,3}`,
  // bcrypt.hash('x', 10), scryptSync('x', salt), btoa('me:x')
  String.raw`(?:(?:bcrypt\w{0,2}|argon2)\.(?:hash|compare)|\b(?:scrypt|pbkdf2))(?:Sync)?\(\s{0,3}`,
  String.raw`\bbtoa\(\s{0,3}(?=.[^\s:]{1,64}:(?!\$\{))`,
  // Buffer.from('me:x').toString('base64')
  String.raw`\bBuffer(?:\.from)?\(\s{0,3}(?=.[^\s:"'${'`'}/]{1,64}:(?!\$\{)[^"'${'`'}\n]{1,256}.\)\.toString\(.base64)`,
  // login('x8Qz3vT6kW1') of a bot, new Stripe('x8Qz3vT6kW1'), but not the name of a host
  String.raw`(?:login|auth|authenticate|stripe['"]\)|new (?:Stripe|OpenAI|Anthropic|Resend|Telegraf|\w{0,32}(?:Client|Api|Bot|SDK)))\(\s{0,3}(?=.(?=[\w.-]{0,64}?\d[a-z]{1,24}\d)[\w.-]{10,128}["'${'`'}])(?!.(?:${RECORD_ID}|[\w.-]{1,64}\.(?:com|net|org|io|dev|local|internal|test)\b))${NO_ADDRESS}`,
  // setPassword('x'), keytar.setPassword('service', 'me', 'x'), verifyPassword('x', hash)
  String.raw`\b(?:set|store|save|verify|check|compare|hash)\w{0,16}(?:Password|Passphrase|Secret)\w{0,8}\(\s{0,3}`,
  // twilio('AC1', 'x'), require('twilio')('AC1', 'x')
  String.raw`\btwilio(?:['"]\))?\(${ARGUMENT}`,
  // new Wallet('0x1'), Wallet.fromPhrase('twelve words'), privateKeyToAccount('0x1')
  String.raw`\b(?:Wallet|from(?:Phrase|Mnemonic|SecretKey)|(?:privateKey|mnemonic)To\w{1,16})\(\s{0,3}(?=.[\w ]{32})`,
  // jwt.sign(user.toJSON(), 'x'), createHmac('sha256', 'x')
  String.raw`(?:jwt\.(?:sign|verify)|create(?:Hmac|(?:De|C)ipher(?:iv)?)|argon2\.verify)\((?:${ARGUMENT}|[^"'${'`'}\n]{1,64},\s{0,3})`,
  // login('me', 'x')
  String.raw`(?:(?:log|sign)[-_]?(?:in|on)|authenticate|auth)\(${ARGUMENT}${NO_ADDRESS}`,
  // signInWithEmailAndPassword(auth, 'me', 'x')
  String.raw`WithEmailAndPassword\(${ARGUMENT}${ARGUMENT}`,
  // bind('cn=me', 'x') of LDAP
  String.raw`\bbind\((?=\s{0,3}["'${'`'}]\w{1,8}=)${ARGUMENT}`,
  // EXEC sp_addlogin 'me', 'x'
  String.raw`\bsp_(?:addlogin|password|setapprole)\s${ARGUMENT}`,
  // new PDO('mysql:host=db', 'me', 'x'), getConnection(url, 'me', 'x'), S3('https://a', 'key', 'x') of ClickHouse
  String.raw`(?:PDO|mysqli?|connect(?:ion)?|new \w{0,32}client|sequelize|s3(?:cluster)?|gcs|remote(?:secure)?|postgresql|mongodb)\(${ARGUMENT}${ARGUMENT}${NO_ADDRESS}`,
];
/** Much cheaper to compile than the pattern, which few texts need. */
const HINT =
  /(?:parser|data|[gn][-_]?[io]n|authenticate|auth|sign|verify|hash|compare|sync|scrypt|pbkdf2|btoa|cipher(?:iv)?|andpassword|hmac|pdo|mysqli?|connect(?:ion)?|client|sequelize|s3(?:cluster)?|gcs|remote(?:secure)?|postgresql|mongodb|from|buffer|(?:password|passphrase|secret)\w{0,8}|(?:twilio|stripe)(?:['"]\))?|bind|wallet|phrase|mnemonic|secretkey|To[A-Z]\w{1,16}|new \w{2,33})\(|\bsp_/i;
const CALL = new RegExp(
  String.raw`((?:${CALLS.join('|')}))(?!["'${'`'}]\[Filtered)${CREDENTIAL}(?:\s{0,3},\s{0,3}(?:${QUOTED}|[\w.$]{1,64})){0,6}`,
  'gi',
);

/** Masks credentials that functions take without a name: of code, and of messages that print it. */
export function maskCalls(text: string): string {
  return HINT.test(text) ? text.replace(CALL, `$1'${FILTERED}'`) : text;
}
