import type { Discard } from '../received.js';

/**
 * How much has arrived, and how much the senders reported as discarded.
 *
 * @param counts by category
 */
export function renderCounts(counts: Readonly<Record<string, number>>, discards: readonly Discard[]): string {
  const received = Object.entries(counts).filter(([category]) => category !== 'internal');
  const arrived = received.map(([category, quantity]) => `${quantity} ${category}`);
  const lost = discards.map(({ reason, category, quantity }) => `${quantity} ${category} (${reason})`);
  return `received: ${arrived.join(', ') || 'nothing'} | lost: ${lost.join(', ') || 'nothing'}`;
}
