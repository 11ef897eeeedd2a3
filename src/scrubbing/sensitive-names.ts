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
