/** How much is kept on disk, and for how long. */
export interface StoreLimits {
  /** Bytes of all files. */
  readonly maxBytes: number;
  /** Number of envelopes. */
  readonly maxItems: number;
  /** Older envelopes are discarded. */
  readonly maxAgeMillis: number;
  /** Whether transactions are stored. */
  readonly transactions: boolean;
}
