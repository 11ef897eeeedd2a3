import type { OutgoingItem } from '../outbox.js';
import type { Quantities } from '../outcome.js';
import type { SessionAggregates, SessionJSON } from '../session.js';

/** What one session item counts for in the ledger, however many sessions it aggregates. */
export const ONE_SESSION: Quantities = [['session', 1]];

/** An update of one session, or counts of many. */
export function createSessionItem(session: SessionJSON | SessionAggregates): OutgoingItem {
  return { content: [{ type: 'aggregates' in session ? 'sessions' : 'session' }, session], quantities: ONE_SESSION };
}
