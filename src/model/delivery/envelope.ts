import type { Event } from '../event/event.js';
import type { DynamicSamplingContext } from '../trace.js';
import type { DataCategory } from './outcome.js';

/** Media type of an envelope; also identifies requests of SDKs. */
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

/** The category by which an item is rate limited. */
export function categoryOfItem([{ type }]: EnvelopeItem): DataCategory {
  return CATEGORY_OF_ITEM[type] ?? 'unknown';
}

/** Whether items contain no application data, only the SDK's reports about itself. */
export function isReport(items: readonly EnvelopeItem[]): boolean {
  return items.every((item) => item[0].type === 'client_report');
}

/** What leaves first when not everything can: errors (0), then transactions (1), then the rest (2). */
export type Priority = 0 | 1 | 2;

export const PRIORITIES: readonly Priority[] = [0, 1, 2];

const PRIORITY_OF_ITEM: Partial<Record<EnvelopeItemType, Priority>> = {
  event: 0,
  feedback: 0,
  transaction: 1,
  profile: 1,
  replay_event: 1,
};

/** The priority of an envelope is that of its first item; attachments follow the item that they belong to. */
export function priorityOf(items: readonly EnvelopeItem[]): Priority {
  const first = items[0];
  return first ? priorityOfType(first[0].type) : 2;
}

export function priorityOfType(type: EnvelopeItemType): Priority {
  return PRIORITY_OF_ITEM[type] ?? 2;
}
