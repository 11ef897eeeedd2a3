import { readProperty } from '../../internal/values/read.js';
import type { EnvelopeItemType } from '../delivery/item-types.js';
import type { OutgoingItem } from '../delivery/outbox.js';
import type { TransportResponse } from '../delivery/transport.js';
import type { Attachment } from '../event/attachment.js';
import { type Event, quantitiesOf } from '../event/event.js';
import { createAttachmentItem } from './attachment-item.js';
import { toEventPayload } from './event-payload.js';
import { type Cut, EVENT_CUTS, mayShrink } from './shrink-event.js';
import { toTraceHeader } from './trace-header.js';

/**
 * Builds the items of an event and its attachments; the event is first, because some servers require it.
 *
 * @param onAnswer called when the event's outcome is known and counted
 * @param withLessData the first cut of an event that a server finds too large
 */
export function createEventItems(
  event: Event,
  attachments: readonly Attachment[],
  onAnswer?: (response: TransportResponse) => void,
  withLessData?: Cut,
): OutgoingItem[] {
  const payload = toEventPayload(event);
  const dsc = readProperty(event.sdkProcessingMetadata, 'dynamicSamplingContext');
  const facts: ItemFacts = {
    quantities: quantitiesOf(event),
    envelopeHeaders: { event_id: payload.event_id, ...toTraceHeader(dsc) },
    onAnswer,
  };
  const item = createItem(payload, facts, withLessData ? [withLessData, ...EVENT_CUTS] : EVENT_CUTS);
  return attachments.length === 0 ? [item] : [item, ...attachments.map(createAttachmentItem)];
}

/** What an item has in common with its smaller forms. */
type ItemFacts = Pick<OutgoingItem, 'quantities' | 'envelopeHeaders' | 'onAnswer'>;

/** @param cuts the next ones */
function createItem(payload: Event, facts: ItemFacts, cuts: readonly Cut[]): OutgoingItem {
  const { quantities, envelopeHeaders, onAnswer } = facts;
  const shrink = mayShrink(payload) ? () => createSmallerItem(payload, facts, cuts) : undefined;
  return { content: [{ type: itemTypeOf(payload) }, payload], quantities, envelopeHeaders, onAnswer, shrink };
}

function createSmallerItem(payload: Event, facts: ItemFacts, cuts: readonly Cut[]): OutgoingItem | undefined {
  for (const [i, cut] of cuts.entries()) {
    const smaller = cut(payload);
    if (smaller !== payload) return createItem(smaller, facts, cuts.slice(i + 1));
  }
  return undefined;
}

function itemTypeOf({ type }: { readonly type?: unknown }): EnvelopeItemType {
  return typeof type === 'string' ? (type as EnvelopeItemType) : 'event';
}
