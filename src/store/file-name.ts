import { PRIORITIES, type Priority } from '../model/delivery/item-types.js';
import type { DataCategory, Quantities } from '../model/delivery/outcome.js';

/** What the name of a file says, so that files are chosen and counted without opening them. */
export interface FileName {
  readonly priority: Priority;
  /** Unix milliseconds. */
  readonly createdMillis: number;
  /** Length of the file. */
  readonly bytes: number;
  /** How many envelopes at the end of the file are not settled. */
  readonly envelopes: number;
  /** Where the first of them begins in the file. */
  readonly start: number;
  /** What the ledger counts for them, as `formatCounts` writes it; empty for client reports. */
  readonly counts: string;
  /** The process that wrote the file. */
  readonly owner: string;
  /** Distinguishes the files of one owner. */
  readonly serial: number;
  /** Unix milliseconds before which no process takes the file. */
  readonly notBeforeMillis?: number | undefined;
  /** The process that holds the file. */
  readonly holder?: { readonly owner: string; readonly sinceMillis: number } | undefined;
}

const PATTERN =
  /^(\d)-([0-9a-z]{9})-([0-9a-z]{1,6})-([0-9a-z]{1,6})-([0-9a-z]{1,6})-([a-z_0-9.,]*)-([0-9a-f.]+)-([0-9a-z]+)\.envelopes(?:\.after-([0-9a-z]{9}))?(?:\.([0-9a-f.]+)-([0-9a-z]{9})\.held)?$/;
const RADIX = 36;
/** Enough for all times until the year 5188. */
const TIME_DIGITS = 9;

/** For example `0-0mhy2x9qz-6f2-1-0-error.1-9f86d081.1f40.387741.05ac331e7a20-1.envelopes`. */
export function formatFileName(name: FileName): string {
  const { priority, createdMillis, bytes, envelopes, start, counts, owner, serial, notBeforeMillis, holder } = name;
  const numbers = [bytes, envelopes, start].map(toBase36);
  const parts = [priority, formatTime(createdMillis), ...numbers, counts, owner, toBase36(serial)];
  const wait = notBeforeMillis === undefined ? '' : `.after-${formatTime(notBeforeMillis)}`;
  const hold = holder ? `.${holder.owner}-${formatTime(holder.sinceMillis)}.held` : '';
  return `${parts.join('-')}.envelopes${wait}${hold}`;
}

/** @returns `undefined` for the name of any other file */
export function parseFileName(file: string): FileName | undefined {
  const match = PATTERN.exec(file);
  if (!match) return undefined;
  const [
    ,
    priority,
    created = '',
    bytes = '',
    envelopes = '',
    start = '',
    counts = '',
    owner = '',
    serial = '',
    notBefore,
    holder,
    since = '',
  ] = match;
  return {
    priority: PRIORITIES[Number(priority)] ?? 2,
    createdMillis: fromBase36(created),
    bytes: fromBase36(bytes),
    envelopes: fromBase36(envelopes),
    start: fromBase36(start),
    counts,
    owner,
    serial: fromBase36(serial),
    notBeforeMillis: notBefore === undefined ? undefined : fromBase36(notBefore),
    holder: holder === undefined ? undefined : { owner: holder, sinceMillis: fromBase36(since) },
  };
}

/** Whoever can write to the folder can write any name. */
const COUNT = /^([a-z][a-z_]{1,31})\.(\d{1,9})$/;

/** For example `error.1,attachment.2`. */
export function formatCounts(quantities: Quantities): string {
  return quantities.map(([category, quantity]) => `${category}.${quantity}`).join(',');
}

export function parseCounts(counts: string): Quantities {
  if (counts === '') return [];
  return counts.split(',').flatMap((count) => {
    const [, category, quantity] = COUNT.exec(count) ?? [];
    return category === undefined ? [] : [[category as DataCategory, Number(quantity)] as const];
  });
}

export function toBase36(value: number): string {
  return value.toString(RADIX);
}

export function fromBase36(digits: string): number {
  return Number.parseInt(digits, RADIX);
}

function formatTime(millis: number): string {
  // A clock that the application has replaced may return anything.
  return toBase36(Math.max(0, Math.floor(millis)) || 0).padStart(TIME_DIGITS, '0');
}
