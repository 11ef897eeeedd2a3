import { readProperty } from '../../internal/read.js';
import type { Attachment } from '../attachment.js';
import type { EnvelopeItemType } from '../envelope.js';
import { type Event, quantitiesOf } from '../event.js';
import type { OutgoingItem } from '../outbox.js';
import type { TransportResponse } from '../transport.js';
import { createAttachmentItem } from './attachment-item.js';
import { toEventPayload } from './event-payload.js';
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
  const item: OutgoingItem = {
    content: [{ type: itemTypeOf(payload) }, payload],
    quantities: quantitiesOf(event),
    envelopeHeaders: { event_id: payload.event_id, ...toTraceHeader(dsc) },
    onAnswer,
  };
  return [item, ...attachments.map(createAttachmentItem)];
}

function itemTypeOf({ type }: { readonly type?: unknown }): EnvelopeItemType {
  return typeof type === 'string' ? (type as EnvelopeItemType) : 'event';
}
