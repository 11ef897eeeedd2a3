/** Jest's own mark, with a list of members to keep; an empty one stands for all. */
const KEEP_MEMBERS = Symbol.for('$$jest-protect-from-deletion');

/**
 * Keeps the members of an object on `globalThis` after the end of a test file. Jest 30 would delete them, or warn when
 * they are read, while what the tests captured is still being sent.
 */
export function keepInJest(object: object): void {
  if (!Object.hasOwn(object, KEEP_MEMBERS)) Reflect.defineProperty(object, KEEP_MEMBERS, { value: [] });
}
