import { copyOwn } from '../../internal/guard.js';
import { uuid4 } from '../../internal/ids.js';
import { isArray, readProperty } from '../../internal/read.js';
import type { Attachment } from '../attachment.js';
import type { Breadcrumb } from '../breadcrumb.js';
import type { EnvelopeHeaders, EnvelopeItemType } from '../envelope.js';
import { type Event, quantitiesOf } from '../event.js';
import type { OutgoingItem } from '../outbox.js';
import { type DynamicSamplingContext, sanitizeDsc } from '../trace.js';
import type { TransportResponse } from '../transport.js';
import { createAttachmentItem } from './attachment-item.js';

/**
 * An event and its attachments; the event comes first, because some servers rely on it. The event itself is not
 * changed: its payload is a copy without `sdkProcessingMetadata`, in which the level `log` is `info`, because not
 * every server knows `log`.
 *
 * @param onAnswer called when the end of the event is known and counted
 */
export function createEventItems(
  event: Event,
  attachments: readonly Attachment[],
  onAnswer?: (response: TransportResponse) => void,
): OutgoingItem[] {
  const payload = copyOwn(event) as Event;
  const dsc = readProperty(payload.sdkProcessingMetadata, 'dynamicSamplingContext');
  // Not deleted: that would make the object slower to serialize.
  payload.sdkProcessingMetadata = undefined;
  if (payload.level === 'log') payload.level = 'info';
  if (isArray(payload.breadcrumbs)) payload.breadcrumbs = payload.breadcrumbs.map(withKnownLevel);
  if (typeof payload.event_id !== 'string') payload.event_id = uuid4();
  const item: OutgoingItem = {
    content: [{ type: itemTypeOf(payload) }, payload],
    quantities: quantitiesOf(event),
    envelopeHeaders: { event_id: payload.event_id, ...toTraceHeader(dsc as DynamicSamplingContext | undefined) },
    onAnswer,
  };
  return [item, ...attachments.map(createAttachmentItem)];
}

function withKnownLevel(breadcrumb: Breadcrumb): Breadcrumb {
  return readProperty(breadcrumb, 'level') === 'log' ? { ...breadcrumb, level: 'info' } : breadcrumb;
}

function itemTypeOf({ type }: { readonly type?: unknown }): EnvelopeItemType {
  return typeof type === 'string' ? (type as EnvelopeItemType) : 'event';
}

/** Servers refuse a trace header that does not name both the trace and the key. */
function toTraceHeader(dsc: DynamicSamplingContext | undefined): Pick<EnvelopeHeaders, 'trace'> {
  const trace = sanitizeDsc(dsc);
  return trace.trace_id && trace.public_key ? { trace } : {};
}
