import type { Event } from './event.js';
import type { DataCategory } from './outcome.js';
import type { DynamicSamplingContext } from './trace.js';

/** Media type of an envelope; also how requests of SDKs are told from other requests. */
export const ENVELOPE_CONTENT_TYPE = 'application/x-sentry-envelope';

/** The kinds of items. */
export type EnvelopeItemType =
  | 'event'
  | 'transaction'
  | 'attachment'
  | 'session'
  | 'sessions'
  | 'client_report'
  | 'feedback'
  | 'profile'
  | 'replay_event';

/** The line before the payload of an item. */
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

/** JSON payloads stay objects until the envelope is serialized; strings and bytes are sent unchanged. */
export type EnvelopeItem = [headers: EnvelopeItemHeaders, payload: Event | object | string | Uint8Array];

/** The first line of an envelope. */
export interface EnvelopeHeaders {
  /** The id of the event in it, 32 hex characters. */
  event_id?: string | undefined;
  /** ISO 8601, UTC. */
  sent_at?: string | undefined;
  sdk?: { name: string; version: string } | undefined;
  /** The dynamic sampling context of the trace that the event belongs to. */
  trace?: DynamicSamplingContext | undefined;
  /** Only with a tunnel. */
  dsn?: string | undefined;
}

/**
 * One message to the destination: headers and the items that travel together.
 *
 * @see https://develop.sentry.dev/sdk/foundations/transport/envelopes/
 */
export type Envelope = [headers: EnvelopeHeaders, items: EnvelopeItem[]];

const CATEGORY_OF_ITEM: Record<EnvelopeItemType, DataCategory> = {
  event: 'error',
  transaction: 'transaction',
  attachment: 'attachment',
  session: 'session',
  sessions: 'session',
  client_report: 'internal',
  feedback: 'feedback',
  profile: 'profile',
  replay_event: 'replay',
};

/** The category an item is rate limited under. */
export function categoryOfItem([{ type }]: EnvelopeItem): DataCategory {
  return CATEGORY_OF_ITEM[type] ?? 'unknown';
}

/** Whether items carry no data of the application, only what the SDK reports about itself. */
export function isReport(items: readonly EnvelopeItem[]): boolean {
  return items.every(([{ type }]) => type === 'client_report');
}
