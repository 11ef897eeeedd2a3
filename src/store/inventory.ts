import type { StoreLimits } from '../model/delivery/store.js';
import { type FileName, parseFileName } from './file-name.js';
import { readTemporaryOwner } from './folder.js';
import { isAbandoned } from './owner.js';

/** Longer than any file is postponed. */
const MAX_POSTPONED_MILLIS = 120_000;

/** A file with envelopes. */
export interface Entry {
  readonly file: string;
  readonly name: FileName;
}

export interface Size {
  bytes: number;
  /** Number of envelopes. */
  items: number;
}

export type Inventory = Readonly<ReturnType<typeof takeInventory>>;

/** Sorts out what is in the folder. @param owner the process that asks, which holds its files for as long as it lives */
export function takeInventory(files: readonly string[], limits: StoreLimits, owner: string, nowMillis: number) {
  const counted: Entry[] = [];
  const reports: Entry[] = [];
  const leftovers: string[] = [];
  const held: Entry[] = [];
  for (const file of files) {
    const name = parseFileName(file);
    const writer = readTemporaryOwner(file);
    if (name !== undefined) {
      const kind = isHeld(name, owner, nowMillis) ? held : hasOnlyReports(name) ? reports : counted;
      kind.push({ file, name });
    } else if (writer !== undefined && isAbandoned(writer.owner, writer.sinceMillis, nowMillis)) {
      leftovers.push(file);
    }
  }
  const oldestMillis = nowMillis - limits.maxAgeMillis;
  const young = counted.filter(({ name }) => name.createdMillis >= oldestMillis);
  const old = counted.filter(({ name }) => name.createdMillis < oldestMillis);
  const kept = selectWithin(limits, young, held);
  const keptReports = selectWithin(limits, reports, []);
  const all = [...kept.entries, ...keptReports.entries];
  const available = all.filter(({ name }) => !isPostponed(name, nowMillis));
  return {
    /** May be taken; what is sent next comes last. */
    available: available.sort(compareForSending),
    hasPostponed: available.length < all.length,
    /** Too old, or above the limits. */
    surplus: [...old, ...kept.surplus, ...keptReports.surplus],
    /** What dead processes did not finish. */
    leftovers,
    /** Size of the files within the limits and of held files, without client reports. */
    size: kept.size,
  };
}

/** Whether a live process holds the file: `owner` or another one. */
function isHeld({ holder }: FileName, owner: string, nowMillis: number): boolean {
  if (holder === undefined) return false;
  return holder.owner === owner || !isAbandoned(holder.owner, holder.sinceMillis, nowMillis);
}

/** Whether no process may take a file yet. A clock that was set back does not keep it for longer. */
function isPostponed({ notBeforeMillis = 0 }: FileName, nowMillis: number): boolean {
  return notBeforeMillis > nowMillis && notBeforeMillis <= nowMillis + MAX_POSTPONED_MILLIS;
}

/** Whether a process may take a file now. */
export function mayBeTaken(name: FileName, owner: string, nowMillis: number): boolean {
  return !isHeld(name, owner, nowMillis) && !isPostponed(name, nowMillis);
}

/**
 * Client reports count what was lost, and the ledger does not count them: they have their own limits, and are evicted
 * neither for events nor by age.
 */
export function hasOnlyReports({ counts }: FileName): boolean {
  return counts === '';
}

/** @param held what cannot be given up. @returns what is within the limits, its size together with `held`, and the rest */
function selectWithin({ maxBytes, maxItems }: StoreLimits, all: readonly Entry[], held: readonly Entry[]) {
  const size: Size = { bytes: 0, items: 0 };
  for (const { name } of [...held, ...all]) {
    size.bytes += name.bytes;
    size.items += name.envelopes;
  }
  const isWithin = () => size.bytes <= maxBytes && size.items <= maxItems;
  if (isWithin()) return { entries: all, surplus: [], size };
  const entries = all.toSorted(compareForEviction);
  let first = 0;
  for (; first < entries.length && !isWithin(); first++) {
    size.bytes -= entries[first]!.name.bytes;
    size.items -= entries[first]!.name.envelopes;
  }
  return { entries: entries.slice(first), surplus: entries.slice(0, first), size };
}

/** Lowest priority first, oldest first. */
function compareForEviction(a: Entry, b: Entry): number {
  return b.name.priority - a.name.priority || compareAge(a, b);
}

/** Reversed, because the next file is popped from the end. */
function compareForSending(a: Entry, b: Entry): number {
  return b.name.priority - a.name.priority || compareAge(b, a);
}

function compareAge(a: Entry, b: Entry): number {
  return a.name.createdMillis - b.name.createdMillis || a.name.serial - b.name.serial;
}
