import { readProperty, readString } from './read.js';
import { SDK_VERSION } from './version.js';

const COPIES = Symbol.for('faultline.copies');

/** More tell nothing new, and a development server that loads modules anew makes them without end. */
const MAX_COPIES = 10;

const SELF = Object.freeze({ version: SDK_VERSION, url: import.meta.url });

/** Remembers for all copies of this package that this one is in use. Each has a client and scopes of its own. */
export function registerInstance(): void {
  const copies = noted();
  if (copies && copies.size < MAX_COPIES) copies.add(SELF);
}

/** The versions of all copies of this package that are in use in the process, this one included. */
export function versionsInUse(): string[] {
  return Array.from(noted() ?? [], (copy) => readString(copy, 'version') ?? 'unknown');
}

function noted(): Set<unknown> | undefined {
  const present = readProperty(globalThis, COPIES);
  if (present !== undefined) return present instanceof Set ? present : undefined;
  const copies = new Set<unknown>();
  const isKept = Reflect.defineProperty(globalThis, COPIES, { value: copies });
  return isKept ? copies : undefined;
}
