import { readProperty } from '../../internal/values/read.js';
import type { EnvelopeItemType } from '../delivery/item-types.js';
import type { OutgoingItem } from '../delivery/outbox.js';
import type { TransportResponse } from '../delivery/transport.js';
import type { Attachment } from '../event/attachment.js';
import { type Event, quantitiesOf } from '../event/event.js';
import { createAttachmentItem } from './attachment-item.js';
import { toEventPayload } from './event-payload.js';
import { EVENT_CUTS, mayShrink } from './shrink-event.js';
import { toTraceHeader } from './trace-header.js';

/**
 * Builds the items of an event and its attachments; the event is first, because some servers require it.
 *
 * @param onAnswer called when the event's outcome is known and counted
 */
export function createEventItems(
  event: Event,
  attachments: readonly Attachment[],
  onAnswer?: (response: TransportResponse) => void,
): OutgoingItem[] {
  const payload = toEventPayload(event);
  const dsc = readProperty(event.sdkProcessingMetadata, 'dynamicSamplingContext');
  const facts: ItemFacts = {
    quantities: quantitiesOf(event),
    envelopeHeaders: { event_id: payload.event_id, ...toTraceHeader(dsc) },
    onAnswer,
  };
  const item = createItem(payload, facts, 0);
  return attachments.length === 0 ? [item] : [item, ...attachments.map(createAttachmentItem)];
}

/** What an item has in common with its smaller forms. */
type ItemFacts = Pick<OutgoingItem, 'quantities' | 'envelopeHeaders' | 'onAnswer'>;

/** @param stage which of the cuts comes next */
function createItem(payload: Event, facts: ItemFacts, stage: number): OutgoingItem {
  const { quantities, envelopeHeaders, onAnswer } = facts;
  const shrink = mayShrink(payload) ? () => createSmallerItem(payload, facts, stage) : undefined;
  return { content: [{ type: itemTypeOf(payload) }, payload], quantities, envelopeHeaders, onAnswer, shrink };
}

function createSmallerItem(payload: Event, facts: ItemFacts, stage: number): OutgoingItem | undefined {
  for (let i = stage; i < EVENT_CUTS.length; i++) {
    const smaller = EVENT_CUTS[i]!(payload);
    if (smaller !== payload) return createItem(smaller, facts, i + 1);
  }
  return undefined;
}

function itemTypeOf({ type }: { readonly type?: unknown }): EnvelopeItemType {
  return typeof type === 'string' ? (type as EnvelopeItemType) : 'event';
}
