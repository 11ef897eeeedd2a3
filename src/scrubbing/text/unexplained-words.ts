import { CAMEL_CASE } from '../looks/random-words.js';
import { FILTERED, type SensitiveNames } from '../sensitive-names.js';

/** Letters of both cases between digits; not names in code. Paths, file names, calls and ids with a prefix (`cus_8Xk2aB9dE1`) do not match. */
const WORD = new RegExp(
  String.raw`(?<![\w/.]|\w-)(?!(?:[a-z]{2,5}_|0x)\w|UGFzc3dvcmQ6|${CAMEL_CASE}(?!\w))(?=[\w!#$%^*~+]{0,64}?\d[A-Za-z]{1,24}\d)(?=[\w!#$%^*~+]{0,64}?[a-z])(?=[\w!#$%^*~+]{0,64}?[A-Z])[\w!#$%^*~+]{10,512}={0,2}(?![\w/(-]|\.\w)`,
  'g',
);
/** What names a word, so that it is something else: `user 8Xk2aB9dE1`, `etag: "8Xk2aB9dE1"`, `SHA256:8Xk2aB9dE1`. */
const EXPLANATION =
  /(?:\b(?:ids?|request|trace|span|user|customer|tenant|account|order|job|message|build|commit|version|room|channel|device|sku|ref|reference|fingerprint|file|image|pod|host|bucket)\s{1,2}[#"'`]?|\b(?!(?:\d+|\w{0,16}value|val|header|input|received|actual|data|default|got|was|found|provided|text|pass|p|plaintext|sess)\b)[\w-]{1,32}\\?["'`]?\s?[:=]\s?\\?["'`]?)$/i;
/** What comes before the second part of a value, or before another value: `CONCAT('[Filtered]', `, `"[Filtered]" => `, `actual `. */
const CONTINUATION =
  /\[Filtered\]["'`]?(?:\s|\s{0,2}(?:,|\|\||\+|[-=]>|;)\s{0,2})["'`]?$|\b(?:value|actual|received|got|found|was)[\s:(]{1,3}["'`]?$/i;
const MAX_LOOK_BEHIND = 48;

/**
 * Masks words that look random in a line that mentions a credential, or below one, if the other patterns have found no value
 * there: `auth failed (me, 8Xk2aB9dE1)`. Where they have found one, masks only what belongs to it.
 */
export function maskUnexplained(text: string, names: SensitiveNames): string {
  if (text.search(WORD) < 0) return text;
  const lines = text.split('\n');
  return lines.map((line, index) => maskUnexplainedLine(line, lines[index - 1] ?? '', names)).join('\n');
}

/**
 * The same for one line, and the one before it.
 *
 * @param isCode whether only string literals are masked, as other words are names
 */
export function maskUnexplainedLine(line: string, before: string, names: SensitiveNames, isCode = false): string {
  if (line.search(WORD) < 0) return line;
  const isExplained = line.includes(FILTERED);
  const mentionsCredential = (one: string) => names.areCredentialsMentionedIn(one);
  if (!isExplained && !mentionsCredential(line) && (before.includes(FILTERED) || !mentionsCredential(before)))
    return line;
  return line.replace(WORD, (word, offset: number, whole: string) => {
    const beginning = whole.slice(Math.max(0, offset - MAX_LOOK_BEHIND), offset);
    if (isCode && !(/["'`]$/.test(beginning) && /^["'`]/.test(whole.slice(offset + word.length)))) return word;
    const isOther = isExplained ? !CONTINUATION.test(beginning) : EXPLANATION.test(beginning);
    return isOther ? word : FILTERED;
  });
}
