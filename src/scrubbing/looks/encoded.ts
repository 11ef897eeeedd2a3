import { FILTERED, type SensitiveNames } from '../sensitive-names.js';

/** JSON in base64, which begins with `{"`; a JWT has more parts. */
const JSON_IN_BASE64 = /(?<![\w+/-])eyJ[\w+/-]{12,8192}={0,2}(?![\w.])/g;
const PRINTED_BYTES = /(?<=<Buffer )(?:[\da-f]{2} ){3,64}[\da-f]{2}/g;
/** `user:password`, as in a header without its scheme. */
const LOGIN_IN_BASE64 = /(?<![\w+/=-])(?=[A-Za-z+/]{0,64}(?:[\d=]|[a-z][A-Z]))[A-Za-z\d+/]{12,256}={0,2}(?![\w+/=])/g;
const LOGIN = /^[\w.@-]{1,64}:[\x21-\x7e]{4,128}$/;
const LOGIN_HINT = /basic|auth|credential/i;

/** Masks what is encoded as a whole and has a credential in it. */
export function maskEncoded(text: string, names: SensitiveNames): string {
  const mentionsCredential = (decoded: string) => names.areCredentialsMentionedIn(decoded);
  let masked = text;
  const maskIf = (pattern: RegExp, encoding: 'base64' | 'hex', isSecret: (decoded: string) => boolean) => {
    masked = masked.replace(pattern, (one) =>
      isSecret(Buffer.from(encoding === 'hex' ? one.replaceAll(' ', '') : one, encoding).toString('latin1'))
        ? FILTERED
        : one,
    );
  };
  if (masked.includes('eyJ')) maskIf(JSON_IN_BASE64, 'base64', mentionsCredential);
  if (masked.includes('<Buffer ')) maskIf(PRINTED_BYTES, 'hex', mentionsCredential);
  if (LOGIN_HINT.test(masked)) maskIf(LOGIN_IN_BASE64, 'base64', (decoded) => LOGIN.test(decoded));
  return masked;
}
