const MINUTE_SECONDS = 60;

/**
 * What a destination, or the way to it, does. `heals` is what the recovery after the end of the process finds.
 *
 * @typedef {object} IngestRow
 * @property {string} name
 * @property {import('./ingest.js').GetAnswer} [getAnswer] accepts everything when absent
 * @property {number} [refusesMillis] how long it refuses connections; for the life of the process: `Infinity`
 * @property {'fails' | 'hangs' | 'works'} [resolver] of the name that the DSN then has
 * @property {boolean} [isUnverified] speaks TLS with a certificate that the process does not know
 * @property {'works' | 'refuses'} [proxy] the variable `http_proxy` names one
 * @property {readonly string[]} [discards] the reasons for which errors may be discarded. With the others none may be
 */

/** @type {readonly IngestRow[]} */
export const INGESTS = [
  { name: 'ok' },
  { name: 'slow', getAnswer: () => ({ delayMillis: 400 }) },
  { name: 'never answers', getAnswer: () => ({ hangs: true }) },
  { name: 'resets', getAnswer: () => ({ resets: true }) },
  { name: 'refused', refusesMillis: Number.POSITIVE_INFINITY },
  { name: 'refused, then back', refusesMillis: 400 },
  { name: 'no such name', resolver: 'fails' },
  { name: 'resolver hangs', resolver: 'hangs' },
  {
    name: '429 with categories',
    getAnswer: () => ({
      statusCode: 429,
      headers: { 'x-sentry-rate-limits': `${MINUTE_SECONDS}:error;transaction:organization` },
    }),
    discards: ['ratelimit_backoff'],
  },
  {
    name: '429',
    getAnswer: () => ({ statusCode: 429, headers: { 'retry-after': MINUTE_SECONDS } }),
    discards: ['ratelimit_backoff'],
  },
  { name: '500', getAnswer: () => ({ statusCode: 500 }), discards: ['send_error'] },
  { name: '502, then ok', getAnswer: (count) => ({ statusCode: count <= 2 ? 502 : 200 }) },
  { name: '503', getAnswer: () => ({ statusCode: 503, headers: { 'retry-after': MINUTE_SECONDS } }) },
  { name: '413', getAnswer: () => ({ maxBytes: 512 }), discards: ['send_error'] },
  { name: 'truncated answer', getAnswer: () => ({ truncates: true }) },
  { name: 'unverified TLS', isUnverified: true },
  { name: 'proxy', resolver: 'fails', proxy: 'works' },
  { name: 'proxy refused', resolver: 'fails', proxy: 'refuses' },
];
