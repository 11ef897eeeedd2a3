/**
 * Lengths, in characters, that every server accepts for names used to search events. Servers drop longer values, or
 * reject the whole envelope.
 */
export const MAX_LABEL_LENGTHS = { transaction: 200, release: 200, environment: 64, dist: 64 } as const;

/**
 * Why servers may drop a label: Relay removes labels that contain a slash or a control character.
 *
 * @returns `undefined` for a label that every server keeps
 */
export function findLabelProblem(label: string, maxLength: number): string | undefined {
  if (label.length > maxLength) return `is longer than ${maxLength} characters and is cut to them`;
  if (label.includes('/')) return 'contains a slash; some servers drop such a value';
  if (/\p{Cc}/u.test(label)) return 'contains a control character; some servers drop such a value';
  return undefined;
}
