import { RANDOM_WORD, RECORD_ID, TOKEN_ELEMENT } from '../looks/random-words.js';
import { PASSWORD_IN_OTHER_LANGUAGES } from '../sensitive-names.js';
import { LAST_WORD, PASSWORD, REMARK } from './plain-words.js';

/** Each time that a string is printed or encoded within another, the backslashes before a quote double. */
const ESCAPE = String.raw`\\{0,7}`;
/** In SQL, a quote within is doubled, and a letter or a character set may stand before: `E'it''s'`, `_utf8mb4'x'`. */
const QUOTED = String.raw`(?:(?:[bunrfel@$]{1,2}|_\w{2,16})(?=["']))?(?:\\{1,7}"(?:(?!\\{1,7}").){0,512}(?:\\{1,7}")?|\\{1,7}'(?:(?!\\{1,7}').){0,512}(?:\\{1,7}')?|"(?:[^"\\]|\\.){0,512}"?|'(?:[^'\\]|\\.|''(?=\w)){0,512}'?|${'`'}[^${'`'}]{0,512}${'`'}?)`;
const QUOTE = `${ESCAPE}["'\`]?`;
const WORD = String.raw`[^\s;,&"'<>(){}\[\]${'`'}]{1,512}`;
/**
 * A word to its end, with `=` only as padding. Otherwise the lookahead after it would be tried at each position, which is slow
 * for `value=value=…`.
 */
const WHOLE_WORD = String.raw`[^\s;,&"'<>(){}\[\]${'`'}=]{1,512}={0,2}(?![^\s;,&"'<>(){}\[\]${'`'}])`;
/** Also a token that begins with a digit. */
const NUMBER = String.raw`-?\d[^\s,;&"'<>(){}\[\]${'`'}]{0,512}`;
/** Letters mixed with digits, as prose does not have. Except dates, `http/1` and blockchain addresses. */
const UNUSUAL_WORD = String.raw`(?!\d{4}-\d\d-\d\d|http\/\d|0x[\da-f]{40}(?!\w))(?=[^\s;,&"'<>(){}\[\]|]{0,64}?\d)(?=[^\s;,&"'<>(){}\[\]|]{0,64}?[a-z])[^\s;,&"'<>(){}\[\]|]{8,512}`;
/** Shorter ones, but not names of algorithms and formats: `hunter2`, not `sha256`. */
const SHORT_UNUSUAL_WORD = String.raw`(?!(?:oauth|base|sha|md|[hrep]s|utf|ipv|aes|x|v|rsa|argon|ntlmv|http|ed|line|level|step|type|web)[-.]?\d\w{0,5}(?![\w-])|\d{1,5}[a-z]{1,3}(?![\w-]))(?=[^\s;,&"'<>(){}\[\]|]{0,7}?\d)(?=[^\s;,&"'<>(){}\[\]|]{0,7}?[a-z])[^\s;,&"'<>(){}\[\]|]{6,7}(?![^\s;,&"'<>(){}\[\]|])`;
/** Words that only sentences have. */
const FUNCTION_WORD =
  '(?:the|a|an|is|was|are|were|be|been|must|should|cannot|can|for|not|no|of|to|at|in|with|without|have|has|had|on|and|or|by|from|required|invalid|wrong|does|did)';
/** Not the next pair of a line such as `error=token_expired status=401`. */
const UNUSUAL = String.raw`(?!\w{1,32}=[^=\s])(?:"(?=[^"\s]{0,64}\d)[^"\s]{8,512}"|'(?=[^'\s]{0,64}\d)[^'\s]{8,512}'|${UNUSUAL_WORD})`;
const CODE =
  '(?:one[-_ ]?time|verification|security|activation|confirmation|sms|login|sign[-_ ]?in|reset|access|recovery|backup|pairing|unlock|invit(?:e|ation)|door|authenticator)[-_ ]?code';
const BACKUP_CODE = String.raw`["']?(?=[a-z-]{0,16}\d)[a-z\d-]{6,24}["']?`;
const NOT_FILTERED = String.raw`(?!["'\\]{0,8}(?:\[Filtered|%5BFiltered))`;
/** Authentication schemes, which precede a value in headers. */
const SCHEME = '(?:bearer|basic|token|ssws|api-?key|bot|key|digest|negotiate|ntlm|hmac|geniekey|splunk|pass)';
/** Members that hold the name and the value of something. */
export const NAME_MEMBER =
  '(?:(?:param\\w{0,4}|option|variable|attribute|setting)[-_]?)?(?:name|key)|type|id|field|header|param|label|path|instancePath|prop(?:erty)?|loc|k|variable|attribute|column|argument';
export const VALUE_MEMBER = '\\w{0,16}value|val|v|content|string|data|input|received|actual';

/** A user and what follows, as in `user: me, password: x`. */
const USER = String.raw`\b(?:user(?:[-_ ]?name)?|login|e-?mail|account|uid)["']?\s{0,2}[:=]\s{0,2}[^\s,;]{1,128}[,;\s]\s{0,8}`;

const NAMES_PASSWORD = new RegExp(PASSWORD, 'i');

/** What `inspect` prints before an object that is none of `Object`, or that refers to itself: `<ref *1> Class {`. */
const PRINTED_TYPE = String.raw`(?:<ref \*\d{1,4}> )?(?:\w{1,64}\(\d{1,9}\) )?(?:(?:\w{1,64} )?\[\w{1,64}(?:: null prototype|\(\w{1,64}\))?\] |[\w$]{1,64} (?=\{\s{1,16}["'[]?[\w$]{1,64}["'\]]?: ))?`;

/**
 * What stands between the name of something and its value, as in `path: 'password', message: 'too short', value: 'x'`. One text
 * has one reading: what begins a member or its value says where that ends. With several, the time would be exponential.
 */
const OTHER_MEMBERS = String.raw`(?:[,\n]\s{0,8}${QUOTE}\w{1,16}${QUOTE}\s{0,3}[:=]\s{0,3}(?:"[^"\n\\]{0,128}"|'[^'\n\\]{0,128}'|\\{1,4}"[^"\n\\]{0,128}\\{1,4}"|[\w.-][\w .-]{0,63}|\[[^[\]]{0,256}\]|\{[^{}]{0,128}\})){0,6}`;

/** Elements of a list before the name of the credential: `['user', 'password']`. */
const ELEMENTS = String.raw`(?:[[(]\s{0,8}(?:${QUOTE}\w{1,32}${QUOTE},\s{0,8}){0,3})?`;

/** A way in which strings give a credential a value. */
export interface Assignment {
  /** Matches strings that may match the pattern, and costs less. */
  readonly hint: RegExp;
  /** Source of the pattern. Its first group is kept, the rest is replaced. */
  readonly source: string;
  /** Compiled at first use: most never are, and compiling all took a third of the first capture. */
  pattern?: RegExp;
}

/** @param NAME source of a regular expression for names of credentials */
export const createAssignments = (NAME: string): Assignment[] => {
  const sources: Array<readonly [hint: RegExp, source: string]> = [
    // Before the general ones, which would take the beginning of these for the value
    // secrets:\n  - x8Qz3vT6kW1\n  - y9Ra4wU7lX2
    [
      /:\s{0,8}\n\s{0,32}- /,
      String.raw`(${NAME}["']?:)(?:\s{0,8}\n[ \t]{0,32}- ["']?${UNUSUAL_WORD}["']?(?!\S)){2,64}`,
    ],
    // recovery codes: x8Qz3vT6kW1, y9Ra4wU7lX2
    [
      /codes/i,
      String.raw`((?:recovery|backup)[-_ ]?codes${QUOTE}\s{0,3}[:=]\s{0,3})${NOT_FILTERED}(?:\d{1,2}[.)]\s)?${BACKUP_CODE}(?:[,\n]\s{0,8}(?:\d{1,2}[.)]\s)?${BACKUP_CODE}){1,32}`,
    ],
    // Stripe-Signature: t=1,v1=x8Qz3vT6kW1, invalid signature "x8Qz3vT6kW1"
    [
      /signature/i,
      String.raw`(signature(?:\s{0,3}:\s{0,3}(?=\w{1,8}[=,])|\s{1,3}(?=t=\d{1,12},)))${NOT_FILTERED}[^\s"'\]}]{1,512}`,
    ],
    // seed phrase: twelve words and more
    [
      /mnemonic|phrase|seed/i,
      String.raw`((?:mnemonic|(?:seed|recovery|backup|secret)[-_ ]?phrase|\bseed)${QUOTE}(?:\s{0,3}[:=]\s{0,3}|(?:\s{1,3}is)?\s{1,3})["'${'`'}]?)(?![a-z\s]{0,128}?\b(?:the|into|for|with|and|from)\b)(?:[a-z]{3,8}\s){11,23}[a-z]{3,8}(?![a-z])`,
    ],
    // passphrase: three words and more, and no sentence
    [
      /phrase/i,
      String.raw`(pass[-_ ]?phrase["'${'`'}]?(?:\s{0,3}[:=(]|\s{1,3}is\s)\s{0,3}["'${'`'}]?)(?![^\n"'${'`'}]{0,128}\b${FUNCTION_WORD}\b)\w{2,16}(?:[ -]\w{2,16}){2,11}(?=["'${'`'}),;&]|\s{0,3}(?:\n|$))`,
    ],
    // password: four words and more, none of which says something of it
    [
      /pass/i,
      String.raw`((?<!\b(?:forgot|reset)\s)pass[-_ ]?(?:word|wd|phrase)\s{0,3}[:=]\s{0,3})(?![^\n"']{0,128}\b(?:${FUNCTION_WORD}|\w{2,16}ly|use|your|my|you|we|it|this|that|if|than|when|do|please|try|says?|hash|email|users?|characters)\b)(?:${REMARK}[a-z]{3,16} ){3,11}${REMARK}[a-z]{3,16}(?=["']?\s{0,3}(?:[\n)}]|$))`,
    ],
    // name: <Buffer 78 38>
    [/<Buffer/, String.raw`(${NAME}${QUOTE}\s{0,3}[:=]\s{0,3})<Buffer[^>]{0,512}>?`],
    // name: { a: 'value' }, "name": ["value"], name: Map(1) { 'a' => 'value' }, name: Class { a: 'value' }
    [
      /[[{]/,
      String.raw`(${NAME}${QUOTE}\s{0,3}(?:=>|=|:)\s{0,3}${PRINTED_TYPE})(?=[[{])(?!\[(?:Filtered|Object|Array|(?:Async)?Function|[GS]etter|class|Circular))[[{][^\]}]{1,512}[\]}]?`,
    ],
    // pgp_sym_encrypt(data, 'x'), crypt('x', salt)
    [
      /crypt|hmac/i,
      String.raw`(\b(?:pgp_sym_\w{1,16}|(?:aes_)?(?:en|de)?crypt|hmac)\s?\()(?=[^()]{0,256}')[^()]{1,512}`,
    ],
    // name -> value, name;s:11:"value", name => string(11) "value", name,<<"value">>, Name("value"), name | value
    [
      /=>|;s:|<<|->|→|\(|\|/,
      String.raw`(${NAME}${ESCAPE}["'${'`'}\]]{0,2}(?:\s{0,8}=>\s{0,8}string\(\d{1,5}\)\s{0,3}|;s:\d{1,5}:|,\s?<<|\s{0,3}(?:->|→)\s{0,3}|\s?\(\s?(?=["'])|\s{0,16}\|\s{0,3}))${NOT_FILTERED}(?:${QUOTED}|${UNUSUAL_WORD})`,
    ],
    // name('user', 'value'), name=('user', 'value')
    [
      /\(/,
      String.raw`(${NAME}(?:\.\w{1,16})?\s?=?\s?\(\s?(?:${QUOTED}|[\w.$]{1,64})\s?,\s{0,8})${NOT_FILTERED}${QUOTED}`,
    ],
    // (name)=(value)
    [/\)=\(/, String.raw`(\([\w, ]{0,128}${NAME}[\w, ]{0,128}\)=\()(?!\[Filtered)[^)]{1,512}`],
    [/\(key\)=/, String.raw`(\(key\)=\()${NOT_FILTERED}(?!${RECORD_ID})${RANDOM_WORD}`],
    // name=value, name="value", 'name' => 'value', name[]=value
    [
      /=/,
      String.raw`(${NAME}(?:\[\w{0,16}\]){0,2}${ESCAPE}["'${'`'}\]]{0,2}\s{0,24}(?:=>|:?=)\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${WORD})`,
    ],
    // variable "name" { default = "value" }
    [
      /(?:default|value)\s/,
      String.raw`(${NAME}["']\s\{[^}]{0,256}?\b(?:default|value)\s{1,16}=\s{1,3})${NOT_FILTERED}${QUOTED}`,
    ],
    // name: string = 'value'
    [/:/, String.raw`(${NAME}\??\s{0,3}:\s{0,3}[A-Za-z]\w{0,31}\s{1,3}=\s{0,3})${NOT_FILTERED}${QUOTED}`],
    // name: Some("value"), name: Optional[value], name: !tag value, but not name: word "name": "value"
    [
      /[:=]\s{0,3}(?:\w{1,16}[[(\s]|!)/,
      String.raw`(${NAME}${QUOTE}\s{0,3}[:=]\s{0,3}(?:\w{1,16}[[(\s](?=["'])(?!["'][\w.-]{1,64}["']\s{0,3}(?:[:=]|(?:with|is|must|has|was)\s))|\w{1,16}\[|!\w{1,16}(?:\/\w{1,16})?\s))${NOT_FILTERED}(?:${QUOTED}|${UNUSUAL_WORD})`,
    ],
    // name(value), name [value], name=<value>, Name{value='value'}
    [
      /[[({<]/,
      String.raw`(${NAME}\s?=?[[({<](?:value=)?["']?)${NOT_FILTERED}(?!${RECORD_ID})${RANDOM_WORD}(?=["']?[\])}>])`,
    ],
    // Secret { value: 'value' }
    [
      /\{/,
      String.raw`((?:passw(?:or)?d|passphrase|secret|credentials?)\w{0,16}\s?\{\s{0,8}(?:\w{0,16}value:\s)?)${NOT_FILTERED}${QUOTED}(?=\s{0,8}\})`,
    ],
    // wrong password (Ab3dEf6h)
    [
      /[[(<]/,
      String.raw`((?:passw(?:or)?d|passphrase|api[-_ ]?key)\s?[[(<]["']?)${NOT_FILTERED}(?!\d{1,3}[-+])${UNUSUAL_WORD}(?=["']?[\])}>])`,
    ],
    // 密码为 Ab3dEf6h, パスワードは「Ab3dEf6h」
    [/[为是は]/, String.raw`((?:密码|パスワード)[为是は]\s{0,3}「?)${NOT_FILTERED}${UNUSUAL_WORD}`],
    // "name" must be longer, got "value"
    [
      /\b(?:got|received|provided|value):?\s/,
      String.raw`(${NAME}["'${'`'}]?[^"'\n]{0,96}?\b(?:(?:got|received|provided):?|value:)\s{1,3})${NOT_FILTERED}${UNUSUAL}`,
    ],
    // "name": "value", name: 'value', \"name\":1, [Symbol(name)]: 'value'
    [/:/, String.raw`(${NAME}[)\]]{0,2}${QUOTE}\s{0,24}:\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${NUMBER})`],
    // name:: base64
    [/::\s/, String.raw`(${NAME}::\s{1,3})${NOT_FILTERED}[\w+/]{8,512}={0,2}(?=\s|$)`],
    // name: value, name:: value, ["name"]: value, where the value does not look like a word of prose
    [
      /:/,
      String.raw`(${NAME}["'${'`'})\]]{0,3}\s{0,24}:(?::\s)?\s{0,3}(?:[>|][-+]?\s{1,8})?(?:${SCHEME}\s{1,3})?)${NOT_FILTERED}(?:${UNUSUAL_WORD}|${SHORT_UNUSUAL_WORD})`,
    ],
    // Lines of configuration files and headers, where any word is a value
    [
      /\n/,
      String.raw`((?:^|\n)[ \t>-]{0,32}["']?[\w.-]{0,48}${NAME}["']?:[ \t]{1,8}(?:${SCHEME}[ \t]{1,3}|[>|][-+]?\s{1,16})?)${NOT_FILTERED}${REMARK}[^\s"'{[(<]{4,512}(?=[ \t]{0,8}(?:\r?\n|$))`,
    ],
    // Password: letmein, password for me: letmein
    [
      NAMES_PASSWORD,
      String.raw`(${PASSWORD}["']?(?:\s\([^()\n]{1,32}\)|\s{1,3}(?:for|para|pour|für)\s[^:\n]{1,64}|\s(?:temporaire|provisoire|temporal|provisional|temporária))?\s{0,2}:[ \t]{0,24}\s{1,3})${NOT_FILTERED}${LAST_WORD}`,
    ],
    // password: blue giraffe 77, password is "blue giraffe 77"
    [
      /pass|pwd|wort/i,
      String.raw`(${PASSWORD}["']?(?:\s{1,3}(?:is|was):?|\s{0,3}[:=])\s{0,3}["'“]?)(?!\[Filtered)${REMARK}(?![^\n,;"']{0,64}\b(?:${FUNCTION_WORD}|attempts?|left|characters|too|min|max|length)\b)(?:[a-z]{3,16}\s){1,4}\d{1,4}(?=["'”]?\s{0,3}(?:[,;)\n}]|$))`,
    ],
    // the password is letmein
    [
      /pass|wort/i,
      String.raw`(\b(?:pass(?:word|phrase|wort)|kennwort)\s{1,3}(?:is|was|lautet|set\sto|changed\sto|reset\sto):?\s{1,3}["']?)${NOT_FILTERED}${LAST_WORD}`,
    ],
    // logged in as me with password letmein, machine host login me password letmein
    [
      /(?:with|using|login)\s[^\n]{0,64}passw/i,
      String.raw`(\b(?:with|using|login\s{1,8}\S{1,64})\s{1,8}password\s{1,3})(?!(?:authentication|protection|login|grant|flow|manager|fields?|support|prompt|auth|strategy|provider|credentials?|rotation|recovery|expiry)\b)${NOT_FILTERED}${LAST_WORD}`,
    ],
    // password hunter2
    [
      /passw|passphrase|pwd|secret/i,
      String.raw`(\b(?:passw(?:or)?d|passphrase|pwd|secret)["'${'`'}]?(?:\s{1,3}(?:is|was|equals|to equal))?:?\s{1,3}["']?)${NOT_FILTERED}(?!\w{1,32}=)${SHORT_UNUSUAL_WORD}`,
    ],
    // "tokens": { "access": "value" }, but not the counts of tokens
    [
      /tokens/i,
      String.raw`(\btokens${QUOTE}\s{0,3}(?:=>|=|:)\s{0,3})(?=\{[^{}]{0,256}[:=]\s{0,3}${ESCAPE}["'])\{[^}]{1,512}\}?`,
    ],
    // tokens: ['x8Qz3vT6kW1'], keys: ['x8Qz3vT6kW1'], but not words, numbers, ids and files
    [
      /\b(?:tokens|keys)\b/i,
      String.raw`(\b(?:tokens|keys)${QUOTE}\s{0,3}(?:=>|=|:)\s{0,3})(?=\[\s{0,8}${ESCAPE}["']${TOKEN_ELEMENT}${ESCAPE}["'])\[[^\]]{1,2048}\]?`,
    ],
    // { name: 'password', value: 'x' }, <add key="password" value="x"/>, - name: PASSWORD\n  value: x,
    // { path: ['user', 'password'], received: 'x' }
    [
      /val|\bv\b|content|string|data|input|received|actual/i,
      String.raw`(\b(?:${NAME_MEMBER})${QUOTE}\s{0,3}[:=]\s{0,3}${ELEMENTS}${QUOTE}[$\w./-]{0,32}${NAME}${QUOTE}(?:\s{0,8}[\])])?${OTHER_MEMBERS},?\s{0,40}${QUOTE}(?:${VALUE_MEMBER})${QUOTE}\s{0,3}[:=]\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${WORD})`,
    ],
    // { value: 'x', name: 'password' }, { received: 'x', code: 'invalid', path: ['password'] }
    [
      /val|\bv\b|content|string|data|input|received|actual/i,
      String.raw`(\b(?:${VALUE_MEMBER})${QUOTE}\s{0,3}[:=]\s{0,3})${NOT_FILTERED}(?:${QUOTED}|${WHOLE_WORD})(?=${OTHER_MEMBERS},?\s{0,8}${QUOTE}(?:${NAME_MEMBER})${QUOTE}\s{0,3}[:=]\s{0,3}${ELEMENTS}${QUOTE}[\w./-]{0,32}${NAME})`,
    ],
    // ['name', 'value'], ['--name', 'value'], fill('#name', 'value')
    [
      /,/,
      String.raw`(${ESCAPE}["'](?:[#\w.-]{0,16}\[name=["']?|[#\w.-]{0,32})${NAME}["']?\]?${ESCAPE}["'],\s{0,8})(?!${QUOTE}(?:--|\w{1,64}${QUOTE}\s{0,3}:))${NOT_FILTERED}(?:${QUOTED}|${NUMBER})`,
    ],
    // --name value, -Name value
    [
      /-/,
      String.raw`((?<![\w-])--?[\w.-]{0,32}${NAME}\s{1,3}(?:<<<\s{0,3})?)${NOT_FILTERED}(?!-|(?:requires?|needs?|expects?|is|must|was|and|or|to|for|from|with|via|on|in|can|may|should|will|has|option|flag|argument)\b)(?:${QUOTED}|${WORD})`,
    ],
    // setx NAME value, npm config set name value, etcdctl put /db/name value
    [
      /set|add|put|create/i,
      String.raw`(\b(?:setx(?:\s\/m)?|setenv|(?:config|env|user-secrets|variables)[\s:](?:set|add)|(?:kv|etcdctl)\s{1,3}put|rclone\s{1,3}config\s{1,3}(?:create|update)\s[^\n]{0,64}?)\s{1,3}["']?[\w./:-]{0,64}(?:${NAME}|requirepass|masterauth)["']?\s{1,3})${NOT_FILTERED}(?!-)(?:${QUOTED}|${WORD})`,
    ],
    // expect(name).toBe('value'), cy.get('#name').type('value'), assert.equal(name, 'value')
    [
      /\)\.|assert/,
      String.raw`((?:${NAME}["'\]]{0,3}\)(?:\.\w{1,16}){0,3}?\.(?:to(?:Be|Equal|StrictEqual|Match|HaveValue)|equals?|eql?|is|type|fill|sendKeys|setValue|val)\(|\bassert[\w.]{0,32}\(\s{0,3}[\w.]{0,64}?${NAME},)\s{0,3})${NOT_FILTERED}(?=\S{4})(?!["'${'`'}]\w{1,32}\s)${QUOTED}`,
    ],
    // expected password 'value' to equal 'value'
    [
      /\sto\s/,
      String.raw`(${NAME}\s{1,3}(?:value\s)?${QUOTED}\s(?:not\s)?to\s(?:(?:deep|strict)(?:ly)?\s)?(?:equal|be|match|eql)\s)${NOT_FILTERED}${QUOTED}`,
    ],
    // password changed from 'value' to 'value'
    [
      /\sto\s/,
      String.raw`(\bpass(?:word|phrase)\s{1,3}(?:(?:for\s\S{1,64}\s|of\s\S{1,64}\s)?(?:(?:was|has been)\s)?(?:changed|updated|reset|rotated)\s{1,3})?from\s{1,3})${NOT_FILTERED}${QUOTED}\sto\s${QUOTED}`,
    ],
    // Validation: "name" with value "value", Variable "$name" got invalid value "value", Path `name` (`value`)
    [
      /value|path/i,
      String.raw`(${NAME}["'${'`'}]?\s{1,3}(?:(?:\w{1,16}\s{1,3}){0,3}value:?\s{1,3}|[^"'${'`'}\n]{0,128}\bvalue was:\s{1,3}${'`'}?|\(\s?(?=["'${'`'}])))${NOT_FILTERED}${QUOTED}`,
    ],
    // Path `name` is invalid (value)
    [/is invalid \(/, String.raw`(${NAME}${QUOTE}\sis\sinvalid\s\()(?!\[Filtered)[^)]{1,512}`],
    // Cast failed for value "value" at path "name", Duplicate entry 'value' for key 'name'
    [
      /value|entry/i,
      String.raw`(\b(?:value|entry):?\s{1,3})${NOT_FILTERED}${QUOTED}(?=[^"'${'`'}\n]{0,64}\s(?:at|for)\s{1,3}(?:\w{1,16}\s{1,3})?["'${'`'}][\w.$-]{0,64}${NAME})`,
    ],
    // OTP is 482913, verification code 482-913
    [
      /otp|[m2]fa|pin|cv[cv]|code|password|tan/i,
      String.raw`(\b(?:otp|totp|mfa|2fa|pin|m?tan|cvv2?|cvc2?|passcode|${CODE}|one[-_ ]?time[-_ ]?(?:pin|password))(?:[-_ ](?:code|token))?:?\s{1,3}(?:(?:is|was):?\s{1,3})?)${NOT_FILTERED}(?:\d{4,8}(?!\w|\.\d)|\d{3}[- ]\d{3}(?![\w.-])|\d\d-\d\d-\d\d(?![\w.-])|(?<=cv[cv]2?:?\s)\d{3}(?![\w.])|${UNUSUAL})`,
    ],
    [/code/i, String.raw`(\b${CODE}:?\s{1,3}(?:(?:is|was)\s{1,3})?)${NOT_FILTERED}${SHORT_UNUSUAL_WORD}`],
    [
      /signature/i,
      String.raw`((?<!\b(?:commit|tag|function|method|event|type)\s)signature\s{1,3})${NOT_FILTERED}(?:(?=["'])${UNUSUAL}|[\da-f]{40,512}(?!\w|\sof\sthe\scommit))`,
    ],
    // password x8Qz3vT6kW1, your token is x8Qz3vT6kW1, API key provided: x8Qz3vT6kW1, x-api-key "x8Qz3vT6kW1"
    [
      /\s/,
      String.raw`((?:passw|passphrase|pwd|secret|token|(?:api|access)[-_ ]?key|requirepass|masterauth|(?:bind|root)pw|auth-?pass|user-?auth|senha|lösenord|${PASSWORD_IN_OTHER_LANGUAGES})[\w-]{0,32}["'${'`'}]?(?:\s{1,3}(?!(?:at|on|from|id|pod|app|accessor\w{0,8}|grant|fingerprint|request|trace|user|tenant|client|customer|account|host|file|job)\b)[\wÀ-ž]{1,16}(?:[@.]\w{1,32}){0,4}){0,4}(?:\s?(?:->|→)|:(?:\s(?:expected|got|received)(?=\s{1,3}${QUOTE}${RANDOM_WORD}))?)?\s{1,3})${NOT_FILTERED}${UNUSUAL}`,
    ],
    // <name><![CDATA[value]]>
    [
      /<!\[CDATA/,
      String.raw`(<(?:[\w.-]{1,64}:)?[\w.-]{0,32}${NAME}(?:\s[^<>]{0,256})?>\s{0,64}<!\[CDATA\[)(?!\[Filtered)(?:(?!\]\]>)[\s\S]){1,1024}`,
    ],
    // <name>value</name>, <x:name type="y"><![CDATA[value]]>, <entry key="name">value</entry>
    [
      /</,
      String.raw`(<(?:[\w.-]{1,64}:)?[\w.-]{0,32}${NAME}(?:\s[^<>]{0,256})?>\s{0,64}(?:<!\[CDATA\[)?)(?!\[Filtered)[^\s<\]][^<\]]{0,511}`,
    ],
    [
      /</,
      String.raw`(<[\w:]{1,48}\s[^<>]{0,64}(?:${NAME_MEMBER})=["'][\w.-]{0,32}${NAME}["'][^<>]{0,64}>\s{0,64}(?:<value>\s{0,64})?)(?!\[Filtered)[^\s<][^<]{0,511}`,
    ],
    // { name: 'auth', args: ['default', 'value'] } of clients of Redis
    [
      /\bargs/,
      String.raw`(\b(?:name|command|cmd)${QUOTE}\s{0,3}:\s{0,3}${QUOTE}auth${QUOTE},\s{0,8}${QUOTE}args${QUOTE}\s{0,3}:\s{0,3}\[)(?!\[Filtered)[^\]]{1,512}`,
    ],
    // <key>name</key><string>value</string>, <name>name</name><value><string>value</string></value>
    [
      /</,
      String.raw`(<(?:key|name)>[\w.-]{0,32}${NAME}</(?:key|name)>(?:\s{0,64}<\w{1,16}>){1,2})(?!\[Filtered)[^<]{1,512}`,
    ],
    // Authorization: Digest ..., Set-Cookie: ..., Proxy-Authorization: Negotiate ...
    [
      /authorization|cookie/i,
      String.raw`((?:authorization|cookie2?)\s{0,3}:\s{0,3})(?=[^\r\n"'\]}]{0,512}[=\d])(?!(?:bearer|basic)\s{1,4}\[Filtered)${NOT_FILTERED}[^\r\n\]}]{1,1024}`,
    ],
    // Authorization: Bearer letmein
    [
      /authorization/i,
      String.raw`(authorization["']?\s{0,3}:\s{0,3}["']?(?:bearer|basic|token)\s{1,3})${NOT_FILTERED}${REMARK}(?!(?:tokens?|header|scheme|auth\w{0,16}|credentials?)\b|[$<{%])[^\s"',;}\]]{4,512}`,
    ],
    // Digest username="me", uri="/", response="5f2d", and its nonce of the client; Hawk id="me", mac="5f2d"
    [
      /digest|hawk/i,
      String.raw`(\b(?:digest\s[^\n]{0,512}?\bresponse|hawk\s[^\n]{0,512}?\bmac)=)${NOT_FILTERED}(?:${QUOTED}|${WORD})`,
    ],
    // Authorization "Token ..."
    [/authorization/i, String.raw`(authorization\s{1,3})${NOT_FILTERED}"[^"]{1,512}"`],
    // Content-Disposition: form-data; name="password"\r\n\r\nvalue
    [
      /name="/i,
      String.raw`(\bname="[\w.[-]{0,32}${NAME}\]?(?:\[\w{0,16}\]){0,2}"[^\n]{0,128}(?:\r?\n[\w-]{1,32}:[^\n]{0,128}){0,3}\r?\n\r?\n)(?!\[Filtered)[^\r\n]{1,1024}`,
    ],
    // name%3Dvalue, a%5Bname%5D=value, %22name%22%3A%22value%22, but not Name::Of::A::Class
    [
      /%|[:=]/,
      String.raw`(${NAME}(?:%22|%27|%5D)?(?:%3A|%3D|:(?!:)|=)(?:%22|%27|%20){0,2}(?:${SCHEME}%20)?)(?!\[Filtered|<\w{1,16}(?: \w{1,16}){0,3}>)[^\s%&"'${'`'}\[{]{1,512}`,
    ],
    // password === 'value', name !== 'value1', process.env.PASSWORD || 'value'
    [
      /==|\|\||\?\?/,
      String.raw`((?:(?:passw|pwd|secret|passphrase|api[-_]?key)[\w-]{0,32}|${NAME}(?=[^\n=]{0,8}(?:[=!]={1,2}|\|\||\?\?)\s{0,3}["'${'`'}][^"'${'`'}\n]{0,64}\d))["'${'`'}\])]{0,3}\s{0,3}(?:[=!]={1,2}|\|\||\?\?)\s{0,3})${NOT_FILTERED}${QUOTED}`,
    ],
    // IDENTIFIED BY 'x', PASSWORD 'x', PASSWORD('x'), SET PASSWORD FOR y = 'x', PRAGMA key = 'x', ATTACH ... KEY 'x'
    [
      /identified|password|passphrase|secret|pragma|attach|x-/i,
      String.raw`(\b(?:identified\s{1,3}(?:with\s{1,3}\S{1,64}\s{1,3})?by(?:\s{1,3}(?:values|password))?|\w{0,16}(?:password|passphrase|secret)(?=[\s(])|x-[\w-]{1,32}(?:key|token|secret)(?=\s)|set\s{1,3}password[^=]{0,128}=|pragma\s{1,3}(?:re)?key\s{0,3}=|attach\s[^;\n]{0,256}\skey)\s{0,3}\(?\s{0,3}[EN]?)${NOT_FILTERED}(?:'[^']{0,512}'?|"[^"]{0,512}"?)`,
    ],
    [/identified/i, String.raw`((?:user|role)\s{1,3}\S{1,64}\s{1,3}identified\s{1,3}by\s{1,3})${NOT_FILTERED}${WORD}`],
    // SELECT 'x' AS password
    [/'\s{1,3}as\s/i, String.raw`()'(?!\[Filtered)[^']{1,512}'(?=\s{1,3}as\s{1,3}["'${'`'}[]?\w{0,32}${NAME})`],
    // user: me, password: value
    [/user|login|mail|account|uid/i, String.raw`(${USER}${NAME}["']?\s{0,2}:\s{0,3})${NOT_FILTERED}${REMARK}${WORD}`],
    // AWS key:signature
    [/AWS \[F/, String.raw`(\bAWS \[Filtered\]:)[\w+/=]{8,64}`],
    // {:name "value"}
    [/\s"/, String.raw`(:[\w-]{0,32}${NAME}\s{1,3})${NOT_FILTERED}"[^"]{1,512}"`],
    // name,value
    [/,/, String.raw`((?<![\w.-])${NAME},)${NOT_FILTERED}${RANDOM_WORD}(?=,|$)`],
  ];
  return sources.map(([hint, source]) => ({ hint, source }));
};

/** `name: value` with any word as the value. For names that, as the application says, are not words of prose. */
export function createPlainAssignment(source: string): Assignment {
  return { hint: /:/, source: String.raw`(${source}${QUOTE}\s{0,24}:\s{0,3})${NOT_FILTERED}${WORD}` };
}
