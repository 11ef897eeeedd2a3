import { keepInJest } from './node/jest-globals.js';
import { SDK_MAJOR } from './version.js';

export const SHARED_SLOT = Symbol.for(`faultline.v${SDK_MAJOR}`);
export const LISTENERS_SLOT = Symbol.for(`faultline.v${SDK_MAJOR}.listeners`);
export const MISTAKES_SLOT = Symbol.for(`faultline.v${SDK_MAJOR}.mistakes`);

/**
 * An object on `globalThis` in which the copies of this package keep what is process-wide: all those of one major version
 * (same or different version, bundled, imported or reloaded).
 *
 * @param slot for one caller only: V8 would make a slow object of one that gets many members after it was made
 * @param create makes the members; those that the object has already stay as they are
 */
export function findSharedState<State extends object>(slot: symbol, create: () => State): State {
  const slots = globalThis as { [slot: symbol]: Partial<State> | undefined };
  const present = slots[slot];
  // Another minor version may have created the object without newer members.
  if (present) return Object.assign(present, { ...create(), ...present });
  const created = create();
  keepInJest(created);
  // If `globalThis` is frozen, this copy uses its own state.
  Reflect.defineProperty(globalThis, slot, { value: created });
  return created;
}
