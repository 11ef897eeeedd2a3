/**
 * Source of a regular expression for words that look random: letters between digits, at least 8 characters. Names with
 * numbers at their end (`app-config-v2`, `summer2024`), dates and durations do not match.
 */
export const RANDOM_WORD = String.raw`(?!\d{4}-\d\d-\d\d|\d{1,4}h\d{1,2}m)(?=[\w+/=.~%&!$#@^*-]{0,128}?\d[A-Za-z]{1,24}\d)[\w+/=.~%&!$#@^*-]{8,512}`;

/** Source of a regular expression for names in code: `Ed25519Signature2020`, `OAuth2Callback`. */
export const CAMEL_CASE = String.raw`(?=\w{0,64}?[a-z]{3})(?:[a-z]+\d{0,5})?(?:[A-Z]{1,4}[a-z]+\d{0,5}|V\d{1,2}){2,}`;

/** Source of a regular expression for several words with numbers at their ends: `Invoice-2024`. */
export const NAMES = String.raw`(?:[A-Za-z]{0,32}\d{0,16}[-_]){1,16}[A-Za-z]{0,32}\d{0,16}(?![\w-])`;

/**
 * Source of a regular expression for the first character of a word that looks random: letters of both cases and a digit, no names.
 * Callers repeat it by a quantifier, for the length of the word: `${MIXED}{16,}`.
 */
export const MIXED = String.raw`(?!\d{4}-\d\d|${CAMEL_CASE}(?![\w-])|${NAMES})(?=[\w-]{0,32}\d)(?=[\w-]{0,32}[a-z])(?=[\w-]{0,32}[A-Z])[\w-]`;

/** Matches a string that is such a word. */
export const RANDOM = new RegExp(`^${RANDOM_WORD}$`);

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** Ids of records, which are not secrets: UUIDs and the ids of MongoDB. */
export const RECORD_ID = String.raw`(?:${UUID}|[0-9a-f]{24})(?![\w-])`;

/**
 * Source of a regular expression for parameters of URLs with common names, which count as credentials only if the value looks
 * random.
 */
export const RANDOM_PARAMETER = String.raw`(?:code=(?=[\w~./%-]{20})|(?:(?:key|refresh|access)=(?=[\w~-]{16})|[tku]=(?!${RECORD_ID})(?=[\w~-]{20})|(?:ticket|appid|licen[cs]e|invite|verify|confirm|tok)=)(?![^\s&#]{0,512}[./%]))`;
/** The random value of such a parameter. */
export const RANDOM_VALUE = String.raw`(?=[\w~./%-]{0,128}?\d[A-Za-z]{1,24}\d)[\w~./%-]{8,512}`;

/** Source of a regular expression for words in lists with common names, `tokens` and `keys`. Hashes and files do not match. */
export const TOKEN_ELEMENT = String.raw`(?!${RECORD_ID}|(?:[\da-f]{32}|[\da-f]{40}|[\da-f]{64})(?![\w-]))(?=[\w+=~-]{0,64}?\d[A-Za-z]{1,24}\d)[\w+=~-]{10,512}`;
