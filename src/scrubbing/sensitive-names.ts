/** Stands where a value must not leave the process. */
export const FILTERED = '[Filtered]';

/**
 * Names of fields, headers, parameters and variables whose values must not leave. Parts tell wherever they stand in a
 * name; words only at its end, as the last word.
 */
interface NameList {
  readonly parts: string;
  readonly words: string;
}

const CREDENTIALS: NameList = {
  parts: [
    'passw|passphrase|passcode|pwd|secret(?!ar)',
    // Not tokens that are counted, and nothing that makes tokens.
    'token(?!s|iz|is[ei]|[-_ ]?(?:count|type|limit|usage|budget|length))',
    '(?:access|refresh|auth|id|session|api|bearer|device|push|user|security)[-_ ]?tokens',
    '(?:api|access|account|private|secret|master|encryption|signing|shared|storage|subscription|license|functions|webhook|hmac|ssh|deploy)[-_ ]?key',
    'auth(?!or(?!i[sz]ation)|entic(?!ation))',
    '(?:user|db|sql|smtp|ftp|mail|proxy|admin|root|login)[-_ ]?pass\\b|(?:user|card|login)[-_ ]?pin\\b',
    'credential|jwt|bearer|csrf|xsrf|saml|assertion|session[-_ ]?id|sessid|signature',
    'card[-_ ]?(?:number|no)|security[-_ ]?(?:code|answer)|social[-_ ]?security|iban|one[-_ ]?time[-_ ]?code|recovery[-_ ]?code',
  ].join('|'),
  words: 'pass|pin|otp|totp|mfa|cvv2?|cvc2?|ssn|sid|sig|cookies?|(?:pin|otp|mfa)[-_]?code',
};
const PERSONAL: NameList = {
  parts: [
    'e-?mail(?![-_ ]?(?:verified|count|type|template|status|enabled|sent))|phone|msisdn',
    '(?:first|last|middle|full|given|family|maiden|user|sur)[-_]?name|birth|address|street|postal',
    'zip[-_]?code|passport|(?:national|tax|personal)[-_]?id|latitude|longitude|ip[-_]?addr|(?:client|remote|user)[-_]?ip',
  ].join('|'),
  words: 'login|mobile|dob|zip|ip|lat|lng|lon',
};

/** Decides by name. A field is looked at by itself; a string of unknown form may contain names anywhere. */
export class SensitiveNames {
  readonly #field: RegExp;
  readonly #mention: RegExp;
  readonly #assignment: RegExp;
  readonly #credential: RegExp;

  constructor(...lists: readonly NameList[]) {
    const parts = lists.map((list) => list.parts).join('|');
    const words = lists.map((list) => list.words).join('|');
    const mention = mentionOf(parts, words);
    this.#field = new RegExp(`${parts}|(?:^|[[._ -])(?:${words})\\]*$`, 'i');
    this.#mention = new RegExp(mention, 'i');
    this.#assignment = new RegExp(`${mention}[\\w\\s"'\`\\\\\\]-]{0,64}[:=>]`, 'i');
    this.#credential = new RegExp(mentionOf(CREDENTIALS.parts, CREDENTIALS.words), 'i');
  }

  /** Whether the value of a field, a header, a parameter or a variable of this name must not leave. */
  hasField(name: string): boolean {
    return this.#field.test(separateWords(name));
  }

  areMentionedIn(text: string): boolean {
    return this.#mention.test(text);
  }

  /** Like {@link areMentionedIn}, for names of credentials only. */
  areCredentialsMentionedIn(text: string): boolean {
    return this.#credential.test(text);
  }

  /** Whether a string seems to assign a value to one of the names. */
  areAssignedIn(text: string): boolean {
    return this.#assignment.test(text);
  }
}

function mentionOf(parts: string, words: string): string {
  return `(?:${parts}|(?<![a-z\\d])(?:${words})(?![a-z\\d]))`;
}

/** `userPin` has the last word `pin`. */
function separateWords(name: string): string {
  return /[a-z\d][A-Z]/.test(name) ? name.replace(/([a-z\d])([A-Z])/g, '$1-$2') : name;
}

const CREDENTIAL_NAMES = new SensitiveNames(CREDENTIALS);
const ALL_NAMES = new SensitiveNames(CREDENTIALS, PERSONAL);

/** The names to go by: those of credentials always, those of personal data unless `sendDefaultPii`. */
export function sensitiveNames(sendDefaultPii: boolean): SensitiveNames {
  return sendDefaultPii ? CREDENTIAL_NAMES : ALL_NAMES;
}

/** Source of a regular expression for names of credentials, anywhere in a string. */
export const CREDENTIAL_NAME = mentionOf(CREDENTIALS.parts, CREDENTIALS.words);

/** Whether a parameter, a field or a variable is a credential by its name. */
export function isSecretField(name: string): boolean {
  return CREDENTIAL_NAMES.hasField(name);
}
