import { expect } from 'vitest';
import type { Client } from '../../src/model/contracts.js';
import type { DataCategory } from '../../src/model/delivery/outcome.js';
import { PATIENCE_MILLIS } from './eventually.js';
import type { Receiver } from './receiver.js';

interface ConservationOptions {
  /** How long the first flush may take. */
  timeoutMillis?: number;
  /** Discards that no report could carry: those of a closed client, those made while all categories were closed. */
  unreported?: Partial<Record<DataCategory, number>>;
}

/**
 * Flushes, and expects that everything the client has captured is accounted for on both sides: nothing is queued, what it
 * calls delivered is what the receiver got, and what it calls discarded is what reports (or answers of 429) told. What it
 * wrote to the store on disk or read from there enters the equation.
 *
 * The receiver must have been this client's only destination, and it must have had no other client, since both began.
 */
export async function expectConservation(client: Client, receiver: Receiver, options: ConservationOptions = {}) {
  const { timeoutMillis = 5000, unreported = {} } = options;
  // A report leaves at the beginning of a flush: what the first one discarded on its way is in the report of the second,
  // and makes the first one false.
  await client.flush(timeoutMillis);
  expect(await client.flush(PATIENCE_MILLIS), 'second flush').toBe(true);

  const balance = client.ledger.balance();
  const received = receiver.counts();
  const refused = receiver.refused();
  const categories = new Set([...Object.keys(balance), ...Object.keys(received)] as DataCategory[]);
  categories.delete('internal');

  const account = (row: (category: DataCategory) => object) =>
    Object.fromEntries([...categories].sort().map((category) => [category, row(category)]));
  const told = account((category) => {
    const reported = receiver.discardedTotal(undefined, category);
    const delivered = received[category] ?? 0;
    const discarded = reported + (refused[category] ?? 0) + (unreported[category] ?? 0);
    // The receiver cannot know what is on disk: here the ledger is believed, and must balance.
    const { stored, recovered } = balance[category] ?? { stored: 0, recovered: 0 };
    const captured = delivered + discarded + stored - recovered;
    return { captured, delivered, discarded, queued: 0, stored, recovered };
  });
  expect(
    account((category) => ({ ...balance[category] })),
    'the ledger, compared with what the receiver counted (by category: CATEGORY_OF in src/receiver/inbox.ts)',
  ).toEqual(told);
}
