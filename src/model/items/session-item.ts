import type { OutgoingItem } from '../delivery/outbox.js';
import type { Quantities } from '../delivery/outcome.js';
import type { SessionAggregates, SessionJSON } from '../session.js';

/** How the ledger counts a session item, however many sessions it aggregates. */
export const ONE_SESSION: Quantities = [['session', 1]];

/** Builds an item from one session update, or from aggregated counts. */
export function createSessionItem(session: SessionJSON | SessionAggregates): OutgoingItem {
  return { content: [{ type: 'aggregates' in session ? 'sessions' : 'session' }, session], quantities: ONE_SESSION };
}
