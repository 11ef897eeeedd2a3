import * as timers from 'node:timers';
import * as promises from 'node:timers/promises';

/**
 * Functions of the platform as they were when the package was loaded. Applications and their tests replace them: with
 * `JSON.stringify` mocked no event would leave, and with faked timers a flush would wait forever.
 */
export const { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate } = timers;
export const { setImmediate: nextTurn } = promises;
export const { stringify: toJson } = JSON;
export const { keys: keysOf, entries: entriesOf } = Object;

/** `list.push(one)` without `push`. */
export function append<T>(list: T[], one: T): void {
  list[list.length] = one;
}
