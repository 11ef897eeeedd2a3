import { PRIORITIES, type Priority } from '../model/envelope.js';
import type { DataCategory, Quantities } from '../model/outcome.js';

/**
 * What the name of a file says, so that files are chosen, counted and checked without opening them. The file itself holds
 * the envelope and nothing else.
 */
export interface FileName {
  readonly priority: Priority;
  /** Unix milliseconds. */
  readonly createdMillis: number;
  /** Length of the file. */
  readonly bytes: number;
  /** CRC-32 of the file. */
  readonly checksum: number;
  /** What the ledger counts for the envelope. */
  readonly quantities: Quantities;
  /** The process that wrote the file. */
  readonly owner: string;
  /** Distinguishes the files of one owner. */
  readonly serial: number;
  /** The process that holds the file. */
  readonly holder?: { readonly owner: string; readonly sinceMillis: number } | undefined;
}

const PATTERN =
  /^(\d)-([0-9a-z]{9})-([0-9a-z]+)-([0-9a-z]+)-([a-z_0-9.,]*)-([0-9a-f.]+)-([0-9a-z]+)\.envelope(?:\.([0-9a-f.]+)-([0-9a-z]{9})\.held)?$/;
const RADIX = 36;
/** Enough for all times until the year 5188. */
const TIME_DIGITS = 9;

/** For example `0-0mhy2x9qz-6f2-1hcq5o2-error.1-9f86d081.1f40.05ac331e7a20-1.envelope`. */
export function formatFileName(name: FileName): string {
  const { priority, createdMillis, bytes, checksum, quantities, owner, serial, holder } = name;
  const counts = quantities.map(([category, quantity]) => `${category}.${quantity}`).join(',');
  const parts = [priority, formatTime(createdMillis), format(bytes), format(checksum), counts, owner, format(serial)];
  const suffix = holder ? `.${holder.owner}-${formatTime(holder.sinceMillis)}.held` : '';
  return `${parts.join('-')}.envelope${suffix}`;
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
    checksum = '',
    counts = '',
    owner = '',
    serial = '',
    holder,
    since = '',
  ] = match;
  return {
    priority: PRIORITIES[Number(priority)] ?? 2,
    createdMillis: parse(created),
    bytes: parse(bytes),
    checksum: parse(checksum),
    quantities: counts === '' ? [] : counts.split(',').map(parseCount),
    owner,
    serial: parse(serial),
    holder: holder === undefined ? undefined : { owner: holder, sinceMillis: parse(since) },
  };
}

function parseCount(count: string): [DataCategory, number] {
  const [category, quantity] = count.split('.');
  return [category as DataCategory, Number(quantity) || 0];
}

function format(value: number): string {
  return value.toString(RADIX);
}

function parse(digits: string): number {
  return Number.parseInt(digits, RADIX);
}

function formatTime(millis: number): string {
  return format(Math.max(0, Math.floor(millis))).padStart(TIME_DIGITS, '0');
}
