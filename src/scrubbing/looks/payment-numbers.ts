/** Digits as payment cards have them, in groups or not, and whatever numbers stand beside them. The check digit decides. */
const CARD = /(?<![\w.-])(?:\d{13,19}|\d{4}([ -])\d{4}\1\d{4}\1\d{4}|\d{4}([ -])\d{6}\2\d{4,5})(?![\w-]|\.\d)/g;
/** How numbers of the large networks begin, and how long they are. */
const CARD_NUMBER =
  /^(?:4\d{15}(?:\d{3})?|(?:5[1-5]|2[2-7])\d{14}|3[47]\d{13}|3[068]\d{12}|35\d{14}|(?:6011|65\d\d|64[4-9]\d|62\d\d)\d{12,15})$/;
/** Numbers of bank accounts, in groups or not. The check digits decide. */
const IBAN = /(?<![\w-])[A-Z]{2}\d{2}(?:[ -]?[A-Z\d]{4}){2,7}(?:[ -]?[A-Z\d]{1,3})?(?![\w-])/g;
/** The countries that have them. */
const IBAN_COUNTRY =
  /^(?:A[DELTZ]|B[AEGHIRY]|C[HRYZ]|D[EKJO]|E[EGS]|F[IKOR]|G[BEILRT]|H[NRU]|I[ELQST]|JO|K[WZ]|L[BCITUVY]|M[CDEKNRTU]|N[ILO]|OM|P[KLST]|QA|R[OSU]|S[ACDEIKMOTV]|T[LNR]|UA|V[AG]|XK|YE)/;

/** Replaces the numbers of payment cards and bank accounts. */
export function maskPaymentNumbers(text: string, replace: (found: string) => string): string {
  if (!/\d{4}/.test(text)) return text;
  const masked = text.replace(CARD, (found) => (isCard(found) ? replace(found) : found));
  return masked.replace(IBAN, (found) => (isIban(found) ? replace(found) : found));
}

/** Whether digits look like the number of a card of one of the large networks and pass the Luhn check. */
function isCard(text: string): boolean {
  const digits = text.replace(/\D/g, '');
  if (!CARD_NUMBER.test(digits) || /^(\d)\1*$/.test(digits)) return false;
  let sum = 0;
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i]);
    const doubled = digit * 2;
    sum += i % 2 === 0 ? digit : doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** @see ISO 13616: the number with its first four characters at the end, and letters from A = 10, is 1 modulo 97 */
function isIban(text: string): boolean {
  const characters = text.replace(/[ -]/g, '');
  if (!IBAN_COUNTRY.test(characters) || characters.length < 15) return false;
  let remainder = 0;
  for (const character of characters.slice(4) + characters.slice(0, 4)) {
    const value = Number.parseInt(character, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder === 1;
}
