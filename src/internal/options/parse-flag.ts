const FLAGS: Record<string, boolean> = {
  ...Object.fromEntries(['true', 't', 'y', 'yes', 'on', '1'].map((word) => [word, true])),
  ...Object.fromEntries(['false', 'f', 'n', 'no', 'off', '0'].map((word) => [word, false])),
};

/** Accepts booleans and the words that environment variables use for them. */
export function parseFlag(value: unknown): boolean | undefined {
  return typeof value === 'string' ? FLAGS[value.toLowerCase()] : typeof value === 'boolean' ? value : undefined;
}
