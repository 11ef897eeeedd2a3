import { FILTERED } from '../sensitive-names.js';
import { RANDOM, RECORD_ID } from './random-words.js';

/**
 * Segments after which links of mails have a token: `/magic-login/x`, `/reset-password/42/x`, `/verify-email/x`,
 * `/invite/x`, `/login/x`, `/api/token/x`, `/webhooks/x`.
 */
const WORDS =
  '(?:set|create|new|change)-?password|log-?in(?=[/-])|sign-?in|claim(?=[/-])|impersonat|(?<![\\da-f])2fa(?![\\da-f])|sso(?=\\/)|magic|reset|verif|confirm|activat|invit|unsubscribe|opt-?out|one-?time|passwordless|recover|forgot|token|secret|api-?key|otp(?=[/-])|webhook(?!_)|hook(?=[/.])|integration(?=\\/)';
const HINT = new RegExp(WORDS, 'i');
const LINK = new RegExp(
  String.raw`\/([\w.-]{0,32}?(?:${WORDS})[\w.-]{0,32})((?:\/[^\s/?#"'${'`'}<>()[\]{},;|\\]{1,512}){1,3})`,
  'gi',
);
const SEGMENT = /\/([^/]+)/g;
/** Long, and of letters of both cases in no order that words have. */
const MIXED_LETTERS = /^(?=(?:[\w-]*?[a-z][A-Z]){4})[\w-]{20,}$/;
const ID = new RegExp(`^${RECORD_ID}$`, 'i');
const FILE = /\.[a-z]\w{1,5}$/i;

/** Replaces tokens in the paths of URLs, wherever those stand. */
export function maskPathTokens(text: string): string {
  if (!HINT.test(text)) return text;
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
  return (RANDOM.test(segment) || MIXED_LETTERS.test(segment)) && !FILE.test(segment);
}
