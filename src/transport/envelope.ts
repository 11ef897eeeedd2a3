import { SDK_NAME, SDK_VERSION } from '../internal/version.js';
import type { Dsn } from '../model/dsn.js';
import { type Envelope, type EnvelopeHeaders, isReport } from '../model/envelope.js';
import type { OutgoingItem } from '../model/outbox.js';
import { dsnToString } from './dsn.js';

const SDK = { name: SDK_NAME, version: SDK_VERSION };

/** What the headers of an envelope say beside what its items need. */
export interface EnvelopeFacts {
  readonly dsn: Dsn | undefined;
  /** When set, the envelope names its destination, for the tunnel to forward it to. */
  readonly tunnel?: string;
  /** Unix milliseconds. */
  readonly nowMillis: number;
}

/** Puts items into one envelope. */
export function createEnvelope(items: readonly OutgoingItem[], { dsn, tunnel, nowMillis }: EnvelopeFacts): Envelope {
  const contents = items.map(({ content }) => content);
  const headers: EnvelopeHeaders = {};
  for (const { envelopeHeaders } of items) Object.assign(headers, envelopeHeaders);
  if (!isReport(contents)) {
    headers.sent_at = new Date(nowMillis).toISOString();
    headers.sdk = SDK;
  }
  if (tunnel && dsn) headers.dsn = dsnToString(dsn);
  return [headers, contents];
}
