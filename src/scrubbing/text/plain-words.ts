import { PASSWORD_IN_OTHER_LANGUAGES } from '../sensitive-names.js';

/**
 * What messages say of a credential in one word: `password: required`. Words that people take for passwords (`secret`, `default`)
 * are not among them.
 */
export const REMARK = String.raw`(?!(?:${[
  '[a-z]{1,16}(?:ed|ing|[ai]ble|ory|ary|ive|less|cient|nent|ous|[st]ion|ment|ness|ance|ence|ity|case|only|numeric)',
  'in(?:valid|correct|secure)|valid|correct|secure|(?:mis)?match|wrong|right|unknown|unset|set|reset|empty|blank|present|absent|hidden|optional',
  'weak|strong|short|long|small|bad|good|fair|medium|poor|common|simple|easy|safe|unsafe|same|different|identical|equal|new|old|current|previous',
  'found|sent|lost|gone|ok|okay|yes|no|none|null|nil|undefined|true|false|on|off|never|always|only|later|again|retry|failures?|success|errors?|forbidden|forgotten|forgot|broken',
  'string|text|bytes|ascii|utf-?8|base64|hex|random|unique|public|private|strict|number|integer|int|bool(?:ean)?|object|array|buffer|n?(?:var)?char|\\w{1,32}(?:Str|String|Field|Type)|symbol|identifier|plain(?:text)?|basic|bearer|digest|bcrypt|argon2(?:id?)?|scrypt|sha\\d{1,3}|oauth2?|sso|n\\/a',
  'min|max|(?:min|max)imum|length|pattern|format|policy|confirm(?:ation)?|change|update|enter|show|hide|toggle|prompt|read|write|cancel|submit|save|edit|delete|remove|resets?|auto(?:complete)?|custom|manual|legacy|here|below|above|ready|done',
  // In German, French, Spanish, Portuguese, Italian, Dutch, Polish and Russian
  'erforderlich|notwendig|falsch|ungültig|leer|fehlt|vergessen|obligatoire|requise?|invalide|oublié|manquante?|vide|obbligatori[ao]|obrigatóri[ao]|obligatori[ao]|incorrect[ao]|incorret[ao]|inválid[ao]|requerid[ao]|necesari[ao]|vací[ao]|errat[ao]|vereist|verplicht|ongeldig|wymagane|błędne|обязател[а-я]{1,4}|невер[а-я]{1,4}|пуст[а-я]{1,4}',
].join('|')})[!?.]?(?![^\s,;)\]}|"']))`;

/** Names of passwords, and of headers with credentials: a word of prose may be one. */
export const PASSWORD = String.raw`(?:pass[-_ ]?(?:word|wd|phrase)|pwd|\bpw|passwort|senha|${PASSWORD_IN_OTHER_LANGUAGES}|[_.-]secret|x-[\w-]{0,32}(?:key|token|secret|auth))`;
/** The last word of a clause, unless it is a path or an expression: `letmein`, not `config.password`. */
export const LAST_WORD = String.raw`${REMARK}(?!\w{1,32}\.[a-z]|(?:too|not|case)-|[&*]|\S{0,64}(?:passw|pwd|hash))[!#$%&*+=.?@^~\wÀ-ӿ-]{4,64}(?=["']|[ \t]{0,8}(?:[,;)\]}]|\*\/|\r?\n|$))`;
