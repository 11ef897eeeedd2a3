/** Media type of an envelope. */
export const ENVELOPE_CONTENT_TYPE = 'application/x-sentry-envelope';

/** Those of all wire formats. */
const CONTENT_TYPES: ReadonlySet<unknown> = new Set([ENVELOPE_CONTENT_TYPE]);

/**
 * Whether a request brings envelopes of an SDK, for example to a tunnel. A process that receives its own envelopes would make
 * transactions and sessions of these requests forever.
 *
 * @param contentType the header
 */
export function isOwnRequest(contentType: unknown): boolean {
  return CONTENT_TYPES.has(contentType);
}
