/** Stands where a value must not leave the process. */
export const FILTERED = '[Filtered]';

/**
 * Names of fields, parameters and variables whose values must not leave: parts of a name that are telling wherever they
 * stand, and words that are so only as the whole name.
 */
const CREDENTIALS = {
  parts:
    'passw|passphrase|passcode|pwd|secret|token|(?:api|access|private|encryption|signing)[-_ ]?key|auth(?!or(?!i[sz]))|credential' +
    '|jwt|bearer|csrf|xsrf|saml|assertion|session[-_]?id|sessid|signature|card[-_]?(?:number|no)|security[-_]?code' +
    '|social[-_]?security|iban',
  words: 'pass|pin|otp|totp|cvv2?|cvc2?|ssn|sid|sig|session|key|cookies?',
};
const PERSONAL = {
  parts:
    'e-?mail|phone|msisdn|(?:first|last|middle|full|given|family|maiden|user|sur)[-_]?name|birth|address|street|postal' +
    '|zip[-_]?code|passport|(?:national|tax|personal)[-_]?id|latitude|longitude|ip[-_]?addr|(?:client|remote|user)[-_]?ip',
  words: 'login|mobile|dob|zip|ip|lat|lng|lon',
};

/** Decides by name. For a field each name is looked at by itself; a text of unknown form may hold names anywhere. */
export class SensitiveNames {
  readonly #field: RegExp;
  readonly #mention: RegExp;
  readonly #assignment: RegExp;

  constructor(...kinds: readonly { readonly parts: string; readonly words: string }[]) {
    const parts = kinds.map((kind) => kind.parts).join('|');
    const words = kinds.map((kind) => kind.words).join('|');
    const mention = `(?:${parts}|\\b(?:${words})\\b)`;
    this.#field = new RegExp(`${parts}|(?:^|[[.])(?:${words})\\]*$`, 'i');
    this.#mention = new RegExp(mention, 'i');
    this.#assignment = new RegExp(`${mention}[\\w\\s"'\`\\\\\\]-]{0,64}[:=>]`, 'i');
  }

  /** Whether the value of a field, a parameter or a variable of this name must not leave. */
  hasField(name: string): boolean {
    return this.#field.test(name);
  }

  areMentionedIn(text: string): boolean {
    return this.#mention.test(text);
  }

  /** Whether a text seems to give one of the names a value. */
  areAssignedIn(text: string): boolean {
    return this.#assignment.test(text);
  }
}

const CREDENTIAL_NAMES = new SensitiveNames(CREDENTIALS);
const ALL_NAMES = new SensitiveNames(CREDENTIALS, PERSONAL);

/** The names to go by: those of credentials always, those of personal data unless `sendDefaultPii`. */
export function sensitiveNames(sendDefaultPii: boolean): SensitiveNames {
  return sendDefaultPii ? CREDENTIAL_NAMES : ALL_NAMES;
}

/** Whether a parameter, a field or a variable is a credential by its name. */
export function isSecretField(name: string): boolean {
  return CREDENTIAL_NAMES.hasField(name);
}

/** What is a credential by its looks: tokens of JWT and of well-known services, and private keys. */
const CREDENTIAL = new RegExp(
  [
    String.raw`\beyJ[\w-]{6,512}\.[\w-]{6,}(?:\.[\w-]*)?`,
    String.raw`\b[Bb]earer(?:\s|%20){1,4}[\w.~+/=-]{16,}`,
    String.raw`\bA[KS]IA[0-9A-Z]{16}\b`,
    String.raw`\bAIza[\w-]{30,}`,
    String.raw`\bgh[opsru]_\w{20,}`,
    String.raw`\bgithub_pat_\w{20,}`,
    String.raw`\bglpat-[\w-]{16,}`,
    String.raw`\bnpm_\w{30,}`,
    String.raw`\b[prs]k_(?:live|test)_\w{8,}`,
    String.raw`\bxox[abeprs]-[\w-]{8,}`,
    String.raw`\bSG\.[\w-]{12,}\.[\w-]{12,}`,
    String.raw`-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|$)`,
  ].join('|'),
  'g',
);

/**
 * `user:password@` of a URL in any text. Passwords that should have been encoded may hold delimiters, so that they end
 * with the last `@`; a port does not begin one. Bounded, so that hostile text takes linear time.
 */
const USER_INFO = /(?<=^|:)\/\/(?:[^\s/?#@:"'<>`]{0,128}:(?!\d+(?:[/?#]|$))[^\s"'<>`]{0,128}|[^\s/?#"'<>`]{0,128})@/g;

/** A text without what is a credential by its looks, whatever its name. */
export function maskCredentials(text: string): string {
  const masked = text.replace(CREDENTIAL, FILTERED);
  return masked.includes('@') ? masked.replace(USER_INFO, '//[filtered]:[filtered]@') : masked;
}
