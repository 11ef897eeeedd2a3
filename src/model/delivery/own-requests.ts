/** Media type of an envelope. */
export const ENVELOPE_CONTENT_TYPE = 'application/x-sentry-envelope';

/** Those of all wire formats, with or without parameters: something on the way may add a charset. */
const CONTENT_TYPES = /^application\/x-sentry-envelope\s*(?:;|$)/i;

/**
 * Whether a request brings envelopes of an SDK, for example to a tunnel. A process that receives its own envelopes would make
 * transactions and sessions of these requests forever.
 *
 * @param contentType the header
 */
export function isOwnRequest(contentType: unknown): boolean {
  return typeof contentType === 'string' && CONTENT_TYPES.test(contentType);
}
