import { FILTERED } from './sensitive-names.js';

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
