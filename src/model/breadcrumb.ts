import { nowSeconds } from '../internal/clock.js';
import { copyOwn } from '../internal/guard.js';
import { isSeverityLevel, type SeverityLevel } from './severity.js';

/**
 * One step on the way to an event.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/event-payloads/breadcrumbs/
 */
export interface Breadcrumb {
  /** What kind of step, for renderers: `default`, `http`, `query`, `navigation`, `error`, `debug`, … */
  type?: string | undefined;
  /** Dotted origin, for example `http` or `ui.click`. */
  category?: string | undefined;
  /** Cut to 2048 characters. */
  message?: string | undefined;
  /** Servers show `info` when absent. */
  level?: SeverityLevel | undefined;
  /** Cut by `normalizeDepth` and `normalizeMaxBreadth`. */
  data?: Record<string, unknown> | undefined;
  /** Unix seconds. @default now */
  timestamp?: number | undefined;
}

/** What a `beforeBreadcrumb` hook may look at beside the breadcrumb; the keys depend on who made it. */
export type BreadcrumbHint = Record<string, unknown>;

const MAX_MESSAGE_LENGTH = 2048;

const text = (value: unknown) => (typeof value === 'string' ? value : undefined);

/** What the members are read as; what cannot be read so is left out, because servers refuse it. */
const READERS = new Map<string, (value: unknown) => unknown>([
  ['timestamp', (value) => (Number.isFinite(value) ? value : undefined)],
  ['type', text],
  ['category', text],
  ['message', readMessage],
  ['level', (value) => (isSeverityLevel(value) ? value : undefined)],
  ['data', (value) => (typeof value === 'object' && value !== null ? value : undefined)],
]);

/** A copy of what a caller gives for a breadcrumb, as far as it can be one; a missing timestamp becomes now. */
export function readBreadcrumb(given: unknown): Breadcrumb {
  const copy = copyOwn(given);
  for (const member in copy) {
    const value = copy[member];
    const read = (READERS.get(member) ?? readOther)(value);
    if (read === undefined) delete copy[member];
    else if (read !== value) copy[member] = read;
  }
  copy['timestamp'] ??= nowSeconds();
  return copy;
}

/** Members that are not ours to know are kept where they cannot do harm. */
function readOther(value: unknown): unknown {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value) ? value : undefined;
}

function readMessage(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'string') return undefined;
  return value.length > MAX_MESSAGE_LENGTH ? `${value.slice(0, MAX_MESSAGE_LENGTH)}...` : value;
}
