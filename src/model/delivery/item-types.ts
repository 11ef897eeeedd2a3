import type { DataCategory } from './outcome.js';

/**
 * What leaves first when not everything can: errors and feedback (0), then transactions, profiles and replays (1), then the
 * rest (2).
 */
export type Priority = 0 | 1 | 2;

export const PRIORITIES: readonly Priority[] = [0, 1, 2];

/** How items of a type are treated. */
interface ItemTraits {
  /** By which they are rate limited, and counted if they are events. */
  readonly category: DataCategory;
  readonly priority: Priority;
  /** Whether they go to the store on disk when they cannot be sent; `'transactions'`: if its option of that name is set. */
  readonly isStored: boolean | 'transactions';
}

const ITEM_TYPES = {
  event: { category: 'error', priority: 0, isStored: true },
  feedback: { category: 'feedback', priority: 0, isStored: true },
  transaction: { category: 'transaction', priority: 1, isStored: 'transactions' },
  profile: { category: 'profile', priority: 1, isStored: 'transactions' },
  replay_event: { category: 'replay', priority: 1, isStored: 'transactions' },
  attachment: { category: 'attachment', priority: 2, isStored: true },
  session: { category: 'session', priority: 2, isStored: true },
  sessions: { category: 'session', priority: 2, isStored: true },
  client_report: { category: 'internal', priority: 2, isStored: true },
} satisfies Record<string, ItemTraits>;

/** The kinds of items. */
export type EnvelopeItemType = keyof typeof ITEM_TYPES;

/** Of a type that user code made up. */
const UNKNOWN: ItemTraits = { category: 'unknown', priority: 2, isStored: true };

/** @param type any value: user code may put anything there */
export function traitsOf(type: unknown): ItemTraits {
  const isKnown = typeof type === 'string' && Object.hasOwn(ITEM_TYPES, type);
  return isKnown ? ITEM_TYPES[type as EnvelopeItemType] : UNKNOWN;
}
