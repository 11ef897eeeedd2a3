import { oncePerObject } from '../internal/collections/once-per-object.js';
import type { ScrubbingOptions, Settings } from '../model/options.js';
import { CustomNames } from './custom-names.js';
import { isHarmlessValue } from './harmless-values.js';

/** Stands where a value must not leave the process. */
export const FILTERED = '[Filtered]';

/** Sources of regular expressions, for names in lower case. These codes are sent to sign in or to confirm something. */
export const CODE_IN_OTHER_LANGUAGES = String.raw`(?:bestätigungs|verifizierungs|sicherheits|zugangs|anmelde)code|einmal(?:code|passwort|kennwort|pin)|code\sde\s(?:vérification|sécurité|confirmation|connexion)|(?:código|codice|kod)\s(?:de\s|di\s)?(?:verificación|seguridad|confirmación|acceso|verificação|segurança|confirmação|acesso|verifica|sicurezza|conferma|weryfikacyjny|dostępu)|код\s(?:подтверждения|доступа)|验证码|校验码|認証コード|確認コード|인증\s?(?:번호|코드)`;
/** Also before plain words: what messages say of them (`erforderlich`) is known, or is in letters that are not searched. */
export const PASSWORD_IN_OTHER_LANGUAGES =
  'kennwort|contraseña|пароль|密码|パスワード|hasło|wachtwoord|mot[-_ ]?de[-_ ]?passe|parola|비밀번호|密碼|סיסמה|كلمة[_ ]?(?:ال)?(?:مرور|سر)|पासवर्ड|कूटशब्द|পাসওয়ার্ড|รหัสผ่าน|口令|暗証番号|گذرواژه|رمز[_ ]?عبور';
/** Passwords, tokens, secrets and keys; not counts of tokens. */
const SECRET_IN_OTHER_LANGUAGES =
  'contrase|lösenord|parolă|şifre|adgangskode|salasana|jelszó|κωδικός|mật[_ ]?khẩu|kata[-_ ]?(?:sandi|laluan)|парола|лозинка|zaporka|slapta[žz]odis|salasõna|lykilorð|aðgangsorð|fjal[ëe]kalim|pasahitz|contrasinal|wagwoord|zugangs(?:code|daten)|geheimnis|jeton(?!s)|секрет(?!ар)|シークレット|токен(?!из|ов|ы)|トークン(?!数|化)|令牌(?!桶|数)|토큰(?! ?수)|(?:cl[ée]|clave|chave)[-_ ](?:de[-_ ]|d.)?api|api[-_ ]?(?:キー|密钥|ключ|키|schlüssel)';

/**
 * Names of fields, headers, parameters and variables whose values must not leave. A part matches anywhere in a name, a word
 * only as its last word. Both are in lower case.
 */
interface NameList {
  readonly parts: string;
  readonly words: string;
}

const CREDENTIALS: NameList = {
  parts: [
    'passw(?!ordless)|pass[-_ ](?:word|wd)|pass[-_ ]?(?:phrase|code|key)|pwd|pswd|secret(?!ar|ion|s?[-_ ]?manager)',
    PASSWORD_IN_OTHER_LANGUAGES,
    SECRET_IN_OTHER_LANGUAGES,
    CODE_IN_OTHER_LANGUAGES,
    // Not counts of tokens, tokenizers, or tokens for pagination, cancellation and language models; `FB_PAGE_TOKEN` is a credential.
    'token(?<!(?:(?<![a-z\\d][-_ ]?)(?:next[-_ ]?)?(?:page|sync|skip)|next|prev(?:ious)?|pagination|continuation|cancel(?:lation)?|[be]os|pad|unk)[-_ ]?token)(?!s|iz|is[ei]|[-_ ]?(?:count|type|limit|usage|budget|length))',
    '(?:access|refresh|auth|id|session|api|bearer|device|push|user|security)[-_ ]?tokens',
    '(?:api|access|account|instrumentation|private|priv|secret|jwt|master|(?:en|de)crypt(?:ion)?|signing|(?:pre)?shared|storage|subscription|licen[cs]e|serial|activation|functions|webhook|hmac|ssh|deploy|wpa|wifi)[-_. ]?key|(?:service[-_ ]?role|cookie|openai|anthropic|gemini|stripe|sendgrid|mailgun|twilio|algolia|supabase|maps|aws)[-_ ]?key',
    '(?:app|application|consumer|merchant|transaction|enc|sec|vpn|wep|gcp|azure|admin|service|server|session|write|aes|rsa|cipher|crypto|ssl|tls|unseal|recovery|fastly|mashape|sdk|ingestion)[-_. ]?key|honeycomb[-_]team|client[-_]?key[-_]?data',
    'auth(?!or(?!i[sz]ation)|entic(?!ation))',
    '(?:user|db|sql|pg|mongo|redis|api|ldap|imap|smtp|ftp|mail|proxy|admin|root|login|store|key|bind|become|ssh)[-_ ]?pass(?![a-z])|(?:bind|user|root|admin|owner|input|db|mail|smtp|ftp)[-_ ]?pw(?![a-z])|(?:user|card|login)[-_ ]?pin\\b',
    'credential|jwt|bearer|csrf|xsrf|saml(?!2?p?:\\w)|assertion(?!:\\w)|session[-_ ]?id|sessid|signature|hmac|(?:access|api)[-_ ]sign\\b',
    '(?<![a-z])(?:card|cc)[-_ ]?(?:num|no\\b)|track[-_ ]?[12]\\b|bank[-_ ]?account|routing[-_ ]?number|social[-_ ]?security|iban',
    'security[-_ ]?(?:code|answer)|(?:one[-_ ]?time|recovery|backup|verif(?:ication|y)|door|activation|confirmation|sms|two[-_ ]?factor|2fa|twofa|device|oob)[-_ ]?code',
    '(?:reset|invit(?:e|ation)|magic|login|sign[-_ ]?in)[-_ ]?(?:key|code)|(?:access|unlock|pairing)[-_ ]?code|code[-_ ]?verifier|macaroon|key[-_ ]?material|(?:hash|passw(?:or)?d|pwd?|crypt|encryption|signing|nonce|kdf|jwt|session|cookie|token|auth|user|secret|key)[-_ ]?(?:salt|pepper)(?![a-z])|(?:git(?:hub|lab)?|gh|gl|azure|devops)[-_]pat\\b|mnemonic|(?:seed|recovery)[-_ ]?(?:phrase|words)|(?:wallet|t?otp|mfa|2fa)[-_ ]?seed|magstripe|wordpress_logged_in|remember_web|aspnetcore.identity|snmp[-_]?community|(?:captcha|turnstile)[-_]?response',
  ].join('|'),
  words:
    'pass[12]?|pw|psw|psk|creds?|senha|heslo|haslo|passord|kodeord|lozinka|sifre|mat[-_]?khau|geslo|parool|sandi|(?<!palabras?[-_ ])clave|mdp|pword|psswr?d|pin|puk|otp|totp|mfa|m-?tan|cvv2?|cvc2?|ssn|sid|sig(?:[-_]v\\d)?|zak|hdn(?:ts|ea)|wresult|cookies?|(?:pin|otp|mfa)[-_]?code',
};
/** Endings of names that describe a credential but do not hold it. */
const HARMLESS_ENDING =
  /[-_. ](?:at|expires?(?:[-_ ]?(?:at|in|on))?|expir(?:y|ation)|ttl|lifetime|length|len|strength|count|size|types?|methods?|providers?|modes?|polic(?:y|ies)|rules|enabled|disabled|required|attempts|algorithms?|alg|status|version|domains?|names?|endpoints?|source|mechanisms?|database|strateg(?:y|ies)|failures?|errors?|reason|description|seconds|minutes|millis|days|level|use|time|encryption|backend|plugin|guards?|routes|scheme|scopes?|index|position|price|symbol|balance|amount|supply|stdin|fd|ref|timeout|sock|same[-_ ]?site|label|placeholder|arn|issuer|audience)\]*$/i;
const PERSONAL: NameList = {
  parts: [
    'e-?mail(?![-_ ]?(?:verified|count|type|template|status|enabled|sent))|phone|msisdn',
    '(?:first|last|middle|full|given|family|maiden|user|sur)[-_]?name|birth|address|street|postal',
    'zip[-_]?code|passport|(?:national|tax|personal)[-_]?id|latitude|longitude|ip[-_]?addr|(?:client|remote|user)[-_]?ip',
  ].join('|'),
  words: 'login|mobile|dob|zip|ip|lat|lng|lon',
};

/**
 * Finds the names of a list. The parts take milliseconds to compile. They are therefore one pattern, shared by names and
 * strings, and for lower case only, which compiles twice as fast as with the flag `i`.
 */
class NamePattern {
  readonly #parts: RegExp;
  readonly #lastWord: RegExp;
  readonly #word: RegExp;

  constructor({ parts, words }: NameList, added?: string) {
    this.#parts = new RegExp(parts);
    this.#lastWord = new RegExp(`(?:^|[[._ -])(?:${words})\\]*$`, 'i');
    this.#word = new RegExp(wordsIn(withSource(words, added)), 'i');
  }

  isName(name: string): boolean {
    return this.#parts.test(name.toLowerCase()) || this.#lastWord.test(name);
  }

  isIn(text: string): boolean {
    return this.#parts.test(text.toLowerCase()) || this.#word.test(text);
  }
}

/** The lists of the option `scrubbing` that are about names. */
interface CustomLists {
  readonly fields: CustomNames;
  readonly headers: CustomNames;
  readonly allowed: CustomNames;
}

/**
 * Decides by name, from the built-in lists and the option `scrubbing`. A field is looked at by itself; a string of unknown
 * form may contain names anywhere.
 */
export class SensitiveNames {
  /** Whether personal data is among what must not leave. */
  readonly filtersPersonalData: boolean;
  /** Source of a regular expression for names of credentials, anywhere in a string. */
  readonly credentialSource: string;
  readonly #custom: CustomLists | undefined;
  readonly #allowed: RegExp | undefined;
  readonly #credentials: NamePattern;
  readonly #personal: NamePattern | undefined;
  readonly #assignment: RegExp;

  constructor(filtersPersonalData: boolean, custom?: CustomLists) {
    this.filtersPersonalData = filtersPersonalData;
    this.#custom = custom;
    const added = custom?.fields.source;
    this.#credentials = new NamePattern(CREDENTIALS, added);
    this.#personal = filtersPersonalData ? new NamePattern(PERSONAL) : undefined;
    this.credentialSource = mentionOf(CREDENTIALS.parts, withSource(CREDENTIALS.words, added));
    const mention = filtersPersonalData
      ? `(?:${this.credentialSource}|${mentionOf(PERSONAL.parts, PERSONAL.words)})`
      : this.credentialSource;
    this.#assignment = new RegExp(`${mention}[\\w\\s"'\`\\\\\\]-]{0,64}[:=>]`, 'i');
    const allowed = custom?.allowed.source;
    this.#allowed = allowed === undefined ? undefined : new RegExp(allowed, 'gi');
  }

  /** Whether the value of a field, a parameter or a variable of this name must not leave. */
  hasField(name: string): boolean {
    if (this.isAllowed(name)) return false;
    const separated = separateWords(name);
    return (
      this.#hasCredential(separated) ||
      this.#personal?.isName(separated) === true ||
      this.#custom?.fields.has(separated) === true
    );
  }

  /**
   * {@link hasField} for a field with this value. Nothing, yes and no are neither credentials nor personal data, and neither
   * is what a validator says of a field.
   */
  hasValue(name: string, value: unknown): boolean {
    if (!this.hasField(name)) return false;
    const isBare = value === undefined || value === null || typeof value === 'boolean';
    return !(isBare || isHarmlessValue(name, value)) || this.hasCustomField(name);
  }

  /** Like {@link hasField}, for the built-in names of credentials only. */
  hasCredential(name: string): boolean {
    return this.#hasCredential(separateWords(name));
  }

  #hasCredential(separated: string): boolean {
    return this.#credentials.isName(separated) && !HARMLESS_ENDING.test(separated);
  }

  /** Whether a name is that of a property of a credential, such as `token_expires_at`. */
  isAboutCredential(name: string): boolean {
    const separated = separateWords(name);
    if (!HARMLESS_ENDING.test(separated) || this.#custom?.fields.has(separated)) return false;
    return this.#credentials.isIn(separated);
  }

  /** Whether the option `scrubbing` names the field. */
  hasCustomField(name: string): boolean {
    return this.#custom?.fields.has(separateWords(name)) === true && !this.isAllowed(name);
  }

  /** Whether the option `scrubbing` names the header. */
  hasCustomHeader(name: string): boolean {
    return this.#custom?.headers.has(name) === true;
  }

  /** Whether the option `scrubbing` exempts the name. */
  isAllowed(name: string): boolean {
    return this.#custom?.allowed.has(separateWords(name)) === true;
  }

  /** Whether the option `scrubbing` exempts a value that looks like a credential. */
  isAllowedValue(value: string): boolean {
    return this.#custom?.allowed.matches(value) === true;
  }

  areMentionedIn(text: string): boolean {
    if (this.#custom?.fields.hasPatterns) return true;
    return this.#isFoundIn(text, (one) => this.#credentials.isIn(one) || this.#personal?.isIn(one) === true);
  }

  /** Like {@link areMentionedIn}, for names of credentials only. */
  areCredentialsMentionedIn(text: string): boolean {
    return this.#isFoundIn(text, (one) => this.#credentials.isIn(one));
  }

  /** A cheap test before {@link areCredentialsMentionedIn}: ignores the option `allow` and does not split camel case. */
  mayNameCredential(text: string): boolean {
    return this.#credentials.isIn(text);
  }

  /** Whether a string seems to assign a value to one of the names. */
  areAssignedIn(text: string): boolean {
    return this.#isFoundIn(text, (one) => this.#assignment.test(one));
  }

  #isFoundIn(text: string, isFound: (text: string) => boolean): boolean {
    const searched = this.#withoutAllowed(text);
    if (isFound(searched)) return true;
    const separated = separateWords(searched);
    return separated !== searched && isFound(separated);
  }

  #withoutAllowed(text: string): string {
    return this.#allowed ? text.replace(this.#allowed, '') : text;
  }
}

function mentionOf(parts: string, words: string): string {
  return `(?:${parts}|${wordsIn(words)})`;
}

/** Also after a character that is encoded, as in `%26sid%3D`. */
function wordsIn(words: string): string {
  return `(?<!(?<!%[2-7])[a-z\\d])(?:${words})(?![a-z\\d])`;
}

function withSource(words: string, added: string | undefined): string {
  return added === undefined ? words : `${words}|${added}`;
}

/** `userPin` has the last word `pin`. */
function separateWords(name: string): string {
  return /[a-z\d][A-Z]/.test(name) ? name.replace(/([a-z\d])([A-Z])/g, '$1-$2') : name;
}

/** With those of personal data, and without. */
interface NamesByUse {
  readonly all: SensitiveNames;
  readonly credentials: SensitiveNames;
}

const BUILT_IN: NamesByUse = { all: new SensitiveNames(true), credentials: new SensitiveNames(false) };

const customized = oncePerObject(({ fields = [], headers = [], allow = [] }: ScrubbingOptions): NamesByUse => {
  const custom: CustomLists = {
    fields: new CustomNames('scrubbing.fields', fields, true),
    headers: new CustomNames('scrubbing.headers', headers, true),
    allowed: new CustomNames('scrubbing.allow', allow, false),
  };
  return { all: new SensitiveNames(true, custom), credentials: new SensitiveNames(false, custom) };
});

/** The names to go by: those of credentials always, those of personal data unless `sendDefaultPii`. */
export function sensitiveNames(sendDefaultPii: boolean, scrubbing?: ScrubbingOptions): SensitiveNames {
  const { all, credentials } = scrubbing ? customized(scrubbing) : BUILT_IN;
  return sendDefaultPii ? credentials : all;
}

/** The names of credentials only, for data that `sendDefaultPii` is not about. */
export function credentialNames(scrubbing: ScrubbingOptions | undefined): SensitiveNames {
  return sensitiveNames(true, scrubbing);
}

/** {@link sensitiveNames} for the settings of a client. */
export function namesOf({ sendDefaultPii, scrubbing }: Pick<Settings, 'sendDefaultPii' | 'scrubbing'>): SensitiveNames {
  return sensitiveNames(sendDefaultPii, scrubbing);
}
