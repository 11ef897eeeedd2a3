import { isSeconds, nowSeconds } from '../../internal/clock.js';
import { guard } from '../../internal/guard.js';
import { noteMistake } from '../../internal/options/mistakes.js';
import { copyOwn } from '../../internal/values/copy-own.js';
import { isIndexed, isObject, readProperty } from '../../internal/values/read.js';
import { truncate } from '../../internal/values/strings.js';
import { noteWrongMember } from '../scope/check-data.js';
import { readSeverityLevel, type SeverityLevel } from './severity.js';

/**
 * Something that happened before an event.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/breadcrumbs/
 */
export interface Breadcrumb {
  /** How servers display it: `default`, `http`, `query`, `navigation`, `error`, `debug`, … */
  type?: string | undefined;
  /** Dotted origin, for example `http` or `ui.click`. */
  category?: string | undefined;
  /** Cut to 2048 characters. */
  message?: string | undefined;
  /** Servers show `info` when absent. */
  level?: SeverityLevel | undefined;
  /** As it is when the first event with the breadcrumb is captured. Cut by `normalizeDepth` and `normalizeMaxBreadth`. */
  data?: Record<string, unknown> | undefined;
  /** Unix seconds. @default now */
  timestamp?: number | undefined;
}

/** Additional data for `beforeBreadcrumb`, not sent. Its keys depend on the integration that made the breadcrumb. */
export type BreadcrumbHint = Record<string, unknown>;

const MAX_MESSAGE_LENGTH = 2048;
/** Of the other members that are strings. */
const MAX_MEMBER_LENGTH = 1024;
/** Members of a breadcrumb; `data` has its own limits. */
const MAX_MEMBERS = 100;

interface MemberReader {
  /** Returns `undefined` for a value that servers reject; the member is then left out. */
  readonly read: (value: unknown) => unknown;
  /** Named in the message about a wrong value; absent if the reader reports it. */
  readonly expected?: string;
}

const READERS = new Map<string, MemberReader>([
  ['timestamp', { read: readTimestamp, expected: 'Unix seconds, such as Date.now() / 1000' }],
  ['type', { read: readLabel, expected: 'a string' }],
  ['category', { read: readLabel, expected: 'a string' }],
  ['message', { read: readMessage, expected: 'a string' }],
  ['level', { read: (value) => readSeverityLevel('addBreadcrumb', value) }],
  ['data', { read: (value) => (isObject(value) ? value : undefined), expected: 'an object' }],
]);
/** Unknown members are kept if they are primitives. */
const OTHER: MemberReader = { read: readOther, expected: 'a string, number or boolean (data takes objects)' };

/** Sanitizes a breadcrumb of the caller: a copy without members of the wrong type. A missing timestamp becomes now. */
export function readBreadcrumb(breadcrumb: unknown): Breadcrumb {
  const copy = copyBreadcrumb(breadcrumb);
  for (const member in copy) {
    const value = copy[member];
    const reader = READERS.get(member) ?? OTHER;
    const read = reader.read(value);
    if (read === undefined) {
      if (reader.expected) noteWrongMember('addBreadcrumb', member, reader.expected, value);
      delete copy[member];
    } else if (read !== value) copy[member] = read;
  }
  if (TELLING.every((member) => copy[member] === undefined)) noteEmpty(Object.keys(copy));
  copy['timestamp'] ??= nowSeconds();
  return copy;
}

/** Members of which a breadcrumb must have one to say anything. */
const TELLING = ['message', 'category', 'data', 'type'];

function noteEmpty(members: readonly string[]): void {
  const listed = members.slice(0, 3).map((name) => `"${name}"`);
  const present = listed.length === 0 ? '' : `, only ${listed.join(', ')}`;
  const problem = `the breadcrumb has no message, category or data${present}; it is shown empty`;
  noteMistake({ owner: 'addBreadcrumb', problem });
}

/** Copies at most the known members and 100 others. */
export function copyBreadcrumb(breadcrumb: unknown): Record<string, unknown> {
  if (!isObject(breadcrumb) || isIndexed(breadcrumb)) return {};
  const keys = guard('Object.keys of a breadcrumb', () => Object.keys(breadcrumb), []);
  if (keys.length <= MAX_MEMBERS) return copyOwn(breadcrumb);
  const kept = new Set([...READERS.keys(), ...keys.slice(0, MAX_MEMBERS)]);
  return Object.fromEntries([...kept].map((key) => [key, readProperty(breadcrumb, key)]));
}

function readTimestamp(value: unknown): number | undefined {
  return isSeconds(value) ? value : undefined;
}

function readOther(value: unknown): unknown {
  return typeof value === 'boolean' || Number.isFinite(value) ? value : readLabel(value);
}

function readLabel(value: unknown): string | undefined {
  return typeof value === 'string' ? truncate(value, MAX_MEMBER_LENGTH) : undefined;
}

function readMessage(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? truncate(value, MAX_MESSAGE_LENGTH) : undefined;
}
