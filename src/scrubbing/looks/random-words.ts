/**
 * Source of a regular expression for words that look random: letters between digits, at least 8 characters. Names with
 * numbers at their end (`app-config-v2`, `summer2024`), dates and durations do not match.
 */
export const RANDOM_WORD = String.raw`(?!\d{4}-\d\d-\d\d|\d{1,4}h\d{1,2}m)(?=[\w+/=.~%&!$#@^*-]{0,128}?\d[A-Za-z]{1,24}\d)[\w+/=.~%&!$#@^*-]{8,512}`;

/** Source of a regular expression for names in code: `Ed25519Signature2020`, `OAuth2Callback`. */
export const CAMEL_CASE = String.raw`(?=\w{0,64}?[a-z]{3})(?:[a-z]+\d{0,5})?(?:[A-Z]{1,4}[a-z]+\d{0,5}|V\d{1,2}){2,}`;

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
