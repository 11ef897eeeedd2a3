import { FILTERED } from '../sensitive-names.js';
import { CAMEL_CASE, RANDOM, RECORD_ID } from './random-words.js';

/**
 * Segments after which links of mails have a token: `/magic-login/x`, `/reset-password/42/x`, `/verify-email/x`,
 * `/invite/x`, `/login/x`, `/api/token/x`, `/webhooks/x`.
 */
const WORDS =
  '(?:set|create|new|change)-?password|passwort|kennwort|r[eé]initialis|restablecer|log-?in(?=[/-])|sign-?in|claim(?=[/-])|impersonat|(?<![\\da-f])2fa(?![\\da-f])|sso(?=\\/)|magic|reset|verif|confirm|activat|invit|unsubscribe|opt-?out|one-?time|passwordless|recover|forgot|token|secret|api[-_]?key|otp(?=[/-])|webhook(?!_)|hooks?(?=[/.])|services(?=\\/T[A-Z\\d]{6})|integration(?=\\/)';
const HINT = new RegExp(WORDS, 'i');
const LINK = new RegExp(
  String.raw`\/([\w.-]{0,32}?(?:${WORDS})[\w.-]{0,32})((?:\/[^\s/?#"'${'`'}<>()[\]{},;|\\]{1,512}){1,3})`,
  'gi',
);
const SEGMENT = /\/([^/]+)/g;
/** Long, and of letters of both cases in no order that words have. */
const MIXED_LETTERS = /^(?=(?:[\w-]*?[a-z][A-Z]){4})[\w-]{20,}$/;
/** Letters of both cases with a digit, or in an order that names do not have. */
const SHORT_RANDOM = new RegExp(
  String.raw`^(?!${CAMEL_CASE}$)(?:(?=[\w-]*\d)(?=[\w-]*[a-z])(?=[\w-]*[A-Z])|(?=[\w-]*[A-Z]{2}[a-z])(?=(?:[\w-]*?[a-z][A-Z]){2}))[\w-]{10,}$`,
);
/** Segments that are common in other paths, too. What follows is a token only if it is long, or mixes cases and digits. */
const COMMON_LINK =
  /(\/(?:key|sessions?|auth|password|unlock|register|sign-?up|join|accept|shared?|change|callback)\/)([\w.~-]{10,512})(?![^\s/?#"'`<>()[\]{},;|\\])/gi;
const MIN_COMMON_LENGTH = 20;
/** Ids of records in other forms: ULID, CUID, addresses of a blockchain. */
const OTHER_ID = /^(?:[0-9A-HJKMNP-TV-Z]{26}|c[a-z\d]{24}|0x[\da-f]{40})$/i;
const ID = new RegExp(`^${RECORD_ID}$`, 'i');
const FILE = /\.[a-z]\w{1,5}$/i;

/** Replaces tokens in the paths of URLs, wherever those stand. */
export function maskPathTokens(text: string): string {
  const masked = text.replace(COMMON_LINK, (whole, link: string, segment: string) =>
    isToken(segment) &&
    !ID.test(segment) &&
    !OTHER_ID.test(segment) &&
    (segment.length >= MIN_COMMON_LENGTH || SHORT_RANDOM.test(segment))
      ? link + FILTERED
      : whole,
  );
  return HINT.test(masked) ? maskLinks(masked) : masked;
}

function maskLinks(text: string): string {
  return text.replace(LINK, (_, link: string, rest: string) => {
    // `/tokens/5`: a collection, with the id of a record after it.
    const isCollection = /s$/i.test(link);
    const masked = rest.replace(SEGMENT, (whole, segment: string) =>
      isToken(segment) && !(isCollection && ID.test(segment)) ? `/${FILTERED}` : whole,
    );
    return `/${link}${masked}`;
  });
}

function isToken(segment: string): boolean {
  return (RANDOM.test(segment) || MIXED_LETTERS.test(segment) || SHORT_RANDOM.test(segment)) && !FILE.test(segment);
}
