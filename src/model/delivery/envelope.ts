import type { Event } from '../event/event.js';
import type { DynamicSamplingContext } from '../trace.js';
import type { EnvelopeItemType } from './item-types.js';

/** The header line before an item's payload. */
export interface EnvelopeItemHeaders {
  type: EnvelopeItemType;
  /** Bytes of the payload; written when the envelope is serialized. */
  length?: number | undefined;
  /** Attachments only, like the next two. */
  filename?: string | undefined;
  /** Media type. */
  content_type?: string | undefined;
  attachment_type?: string | undefined;
}

/** JSON payloads stay objects until serialization; strings and bytes are sent unchanged. */
export type EnvelopeItem = [headers: EnvelopeItemHeaders, payload: Event | object | string | Uint8Array];

/** The first line of an envelope. */
export interface EnvelopeHeaders {
  /** The id of the contained event, 32 hex characters. */
  event_id?: string | undefined;
  /** ISO 8601, UTC. */
  sent_at?: string | undefined;
  sdk?: { name: string; version: string } | undefined;
  /** The dynamic sampling context of the event's trace. */
  trace?: DynamicSamplingContext | undefined;
  /** Only with a tunnel. */
  dsn?: string | undefined;
}

/**
 * One message to the destination: headers and items.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/envelopes/
 */
export type Envelope = [headers: EnvelopeHeaders, items: EnvelopeItem[]];

/** Whether items contain no application data, only the SDK's reports about itself. */
export function isClientReport(items: readonly EnvelopeItem[]): boolean {
  return items.every((item) => item[0].type === 'client_report');
}

/** The type of an envelope is that of its first item; attachments follow the item that they belong to. */
export function firstTypeOf(items: readonly EnvelopeItem[]): EnvelopeItemType | undefined {
  return items[0]?.[0].type;
}
