import { readProperty } from '../../internal/values/read.js';
import type { EnvelopeItemType } from '../delivery/envelope.js';
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
  const type = itemTypeOf(payload);
  const quantities = quantitiesOf(event);
  const envelopeHeaders = { event_id: payload.event_id, ...toTraceHeader(dsc) };
  /** @param stage which of the cuts comes next */
  const createItem = (content: Event, stage: number): OutgoingItem => ({
    content: [{ type }, content],
    quantities,
    envelopeHeaders,
    onAnswer,
    shrink: mayShrink(content) ? () => shrink(content, stage) : undefined,
  });
  const shrink = (content: Event, stage: number): OutgoingItem | undefined => {
    for (let i = stage; i < EVENT_CUTS.length; i++) {
      const smaller = EVENT_CUTS[i]!(content);
      if (smaller !== content) return createItem(smaller, i + 1);
    }
    return undefined;
  };
  const item = createItem(payload, 0);
  return attachments.length === 0 ? [item] : [item, ...attachments.map(createAttachmentItem)];
}

function itemTypeOf({ type }: { readonly type?: unknown }): EnvelopeItemType {
  return typeof type === 'string' ? (type as EnvelopeItemType) : 'event';
}
