/** Beyond this many times the part that is kept, the part is worth a copy of its own. */
const MUCH_LONGER = 8;

/**
 * Cuts a text.
 *
 * @param maxLength characters kept; 0 keeps all
 * @returns the text itself where it is short enough, else its beginning and `...`
 */
export function truncate(text: string, maxLength: number): string {
  return maxLength > 0 && text.length > maxLength ? `${head(text, maxLength)}...` : text;
}

/** The beginning of a text. A character of two halves is not torn apart, because servers refuse half a character. */
function head(text: string, maxLength: number): string {
  const last = text.charCodeAt(maxLength - 1);
  const isHighSurrogate = last >= 0xd800 && last <= 0xdbff;
  const part = text.slice(0, isHighSurrogate ? maxLength - 1 : maxLength);
  return text.length > part.length * MUCH_LONGER ? detach(part) : part;
}

/**
 * The same text in memory of its own. A slice keeps the whole text alive that it was cut from, so whatever is kept for
 * long is to be detached first. A half of a two-part character becomes U+FFFD.
 */
export function detach(text: string): string {
  return Buffer.from(text).toString();
}
