import type { Event } from '../../model/event/event.js';
import type { Step } from '../step.js';
import { UNNAMED } from './fill-in.js';

/** Notes that an event processor or an integration has set the name of a transaction. */
export const noteRenaming: Step = (event, { transaction }) => withCustomSource(event, transaction || UNNAMED);

/**
 * A name set by user code is final: with the source `custom`, servers do not replace identifiers in it.
 *
 * @param nameBefore the transaction's name before user code had the event. Changes by the SDK itself, such as the filtering
 *   of a secret, do not count.
 */
export function withCustomSource(event: Event, nameBefore: string | undefined): Event {
  if (event.type !== 'transaction' || !event.transaction_info || event.transaction === nameBefore) return event;
  return { ...event, transaction_info: { ...event.transaction_info, source: 'custom' } };
}
