import type { Event } from './event.js';
import type { DataCategory } from './outcome.js';
import type { DynamicSamplingContext } from './trace.js';

/** Media type of an envelope; also how requests of SDKs are told from other requests. */
export const ENVELOPE_CONTENT_TYPE = 'application/x-sentry-envelope';

/** What an item of an envelope holds. */
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

/** What is said of an item before its payload. */
export interface EnvelopeItemHeaders {
  type: EnvelopeItemType;
  /** Bytes of the payload; written when the envelope is serialized. */
  length?: number | undefined;
  /** Of attachments only, as the next two. */
  filename?: string | undefined;
  /** Media type. */
  content_type?: string | undefined;
  attachment_type?: string | undefined;
}

/** JSON payloads stay objects until the envelope is serialized; text and bytes are sent as they are. */
export type EnvelopeItem = [headers: EnvelopeItemHeaders, payload: Event | object | string | Uint8Array];

/** What is said of an envelope before its items. */
export interface EnvelopeHeaders {
  /** Of the event in it, 32 hex characters. */
  event_id?: string | undefined;
  /** ISO 8601, UTC. */
  sent_at?: string | undefined;
  sdk?: { name: string; version: string } | undefined;
  /** Of the trace that the event belongs to. */
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
