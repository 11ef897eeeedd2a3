const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...['true', 't', 'y', 'yes', 'on', '1'].map((word) => [word, true] as const),
  ...['false', 'f', 'n', 'no', 'off', '0'].map((word) => [word, false] as const),
]);

/** Accepts booleans and the words that environment variables use for them. */
export function parseFlag(value: unknown): boolean | undefined {
  return typeof value === 'string' ? FLAGS.get(value.toLowerCase()) : typeof value === 'boolean' ? value : undefined;
}
