import { guardOwn } from '../internal/guard.js';
import { SHARED_SLOT } from '../internal/shared-state.js';
import { readProperty, readString } from '../internal/values/read.js';
import { majorOf, SDK_VERSION } from '../internal/version.js';
import type { Settings } from '../model/options.js';
import type { Scope } from '../model/scope/scope.js';

/** Shared by copies of all major versions, so that even copies without common state can list each other. */
const COPIES = Symbol.for('faultline.copies');

const OTHER_SLOT = /^faultline\.v(\d+(?:\.\d+)?)$/;

/** Limit, because a development server that reloads modules keeps creating copies. */
const MAX_COPIES = 10;

const SELF = Object.freeze({ version: SDK_VERSION });

/** Registers this copy, for all copies of this package: `init` was called in it, or it has made one of our parts. */
export function registerCopy(): void {
  const copies = registeredCopies();
  if (copies && copies.size < MAX_COPIES) copies.add(SELF);
}

/** The versions of all copies of this package in the process, including this one. */
export function versionsInUse(): string[] {
  return Array.from(registeredCopies() ?? [], (copy) => readString(copy, 'version') ?? 'unknown');
}

/** The versions of the copies of other major versions in which `init` was called. Others have registered their parts only. */
export function otherMajorsInUse(): string[] {
  const majors = slotsOfOtherMajors().map(({ version, slot }) => settingsIn(slot) && majorOf(version));
  return versionsInUse().filter((version) => majors.includes(majorOf(version)));
}

/**
 * Captures that were lost in copies of other major versions, which have no client because `init` was called in this copy
 * only.
 */
export function capturesOfOtherMajors(): { readonly version: string; readonly captures: number }[] {
  return slotsOfOtherMajors().flatMap(({ version, slot }) => {
    const captures = readProperty(slot, 'capturesWithoutClient');
    return typeof captures === 'number' && captures > 0 ? [{ version, captures }] : [];
  });
}

/** Whether a copy of another major version has an enabled client that writes to stderr. */
export function isOtherMajorTalking(): boolean {
  return slotsOfOtherMajors().some(({ slot }) => {
    const settings = settingsIn(slot);
    return settings?.enabled === true && !settings.quiet && !settings.debug;
  });
}

/** Those of the client of the latest `init`. */
function settingsIn(slot: unknown): Settings | undefined {
  const scope = readProperty(slot, 'globalScope') as Scope | undefined;
  return guardOwn('a copy of another version', () => scope?.getClient()?.settings);
}

function slotsOfOtherMajors(): { readonly version: string; readonly slot: unknown }[] {
  return Object.getOwnPropertySymbols(globalThis).flatMap((symbol) => {
    const major = symbol === SHARED_SLOT ? undefined : OTHER_SLOT.exec(symbol.description ?? '')?.[1];
    return major ? [{ version: `${major}.x`, slot: readProperty(globalThis, symbol) }] : [];
  });
}

function registeredCopies(): Set<unknown> | undefined {
  const present = readProperty(globalThis, COPIES);
  if (present !== undefined) return present instanceof Set ? present : undefined;
  const copies = new Set<unknown>();
  return Reflect.defineProperty(globalThis, COPIES, { value: copies }) ? copies : undefined;
}
