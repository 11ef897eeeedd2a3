import { MILLIS_PER_SECOND, toIsoTime } from '../internal/clock.js';
import { SDK_NAME, SDK_VERSION } from '../internal/version.js';
import { type Envelope, type EnvelopeHeaders, isClientReport } from '../model/delivery/envelope.js';
import type { OutgoingItem } from '../model/delivery/outbox.js';
import { type Destination, dsnToString } from './dsn.js';

const SDK = { name: SDK_NAME, version: SDK_VERSION };

/** Input for envelope headers that do not come from items. */
interface EnvelopeFacts extends Destination {
  /** Unix milliseconds. */
  readonly nowMillis: number;
}

/** Puts items into one envelope. */
export function createEnvelope(items: readonly OutgoingItem[], { dsn, tunnel, nowMillis }: EnvelopeFacts): Envelope {
  const contents = items.map(({ content }) => content);
  const headers: EnvelopeHeaders = {};
  for (const { envelopeHeaders } of items) Object.assign(headers, envelopeHeaders);
  if (!isClientReport(contents)) {
    headers.sent_at = toCachedIsoTime(nowMillis);
    headers.sdk = SDK;
  }
  // For the tunnel to forward it to.
  if (tunnel && dsn) headers.dsn = dsnToString(dsn);
  return [headers, contents];
}

const MILLIS_LENGTH = '123Z'.length;
let lastSecond: number | undefined;
/** The time of `lastSecond` up to its point. */
let lastPrefix = '';

/** Like `toIsoTime`, which takes longer than the rest of an envelope's headers and is called once a second. */
function toCachedIsoTime(nowMillis: number): string {
  const millis = Math.trunc(nowMillis);
  const second = Math.floor(millis / MILLIS_PER_SECOND);
  if (second !== lastSecond) {
    lastPrefix = toIsoTime(second * MILLIS_PER_SECOND).slice(0, -MILLIS_LENGTH);
    lastSecond = second;
  }
  return `${lastPrefix}${String(millis - second * MILLIS_PER_SECOND).padStart(3, '0')}Z`;
}
