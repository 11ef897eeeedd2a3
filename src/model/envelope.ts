import type { Event } from './event.js';
import { quantitiesOf } from './event.js';
import type { DataCategory, Quantities } from './outcome.js';
import type { DynamicSamplingContext } from './trace.js';

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

export interface EnvelopeItemHeaders {
  type: EnvelopeItemType;
  /** Bytes of the payload; written when the envelope is serialized. */
  length?: number;
  filename?: string;
  content_type?: string;
  attachment_type?: string;
}

/** JSON payloads stay objects until the envelope is serialized; text and bytes are sent as they are. */
export type EnvelopeItem = [headers: EnvelopeItemHeaders, payload: Event | object | string | Uint8Array];

export interface EnvelopeHeaders {
  event_id?: string;
  /** ISO 8601, UTC. */
  sent_at?: string;
  sdk?: { name: string; version: string };
  trace?: DynamicSamplingContext;
  /** Only with a tunnel. */
  dsn?: string;
}

/** One message to the destination: headers and the items that travel together. */
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

/** What is lost when an item is lost; nothing for a client report, which is no data of the host. */
export function quantitiesOfItem(item: EnvelopeItem): Quantities {
  const [{ type }, payload] = item;
  if (type === 'client_report') return [];
  if (type === 'transaction') return quantitiesOf(payload as Event);
  return [[categoryOfItem(item), 1]];
}
