import { isAnyArrayBuffer, isUint8Array } from 'node:util/types';
import { copyOwn } from '../internal/guard.js';
import { uuid4 } from '../internal/ids.js';
import { isArray, readProperty } from '../internal/read.js';
import { SDK_NAME, SDK_VERSION } from '../internal/version.js';
import type { Attachment } from '../model/attachment.js';
import type { Breadcrumb } from '../model/breadcrumb.js';
import type { Dsn } from '../model/dsn.js';
import type { Envelope, EnvelopeHeaders, EnvelopeItem, EnvelopeItemType } from '../model/envelope.js';
import type { Event } from '../model/event.js';
import type { DiscardedEvents } from '../model/ledger.js';
import type { SessionAggregates, SessionJSON } from '../model/session.js';
import { type DynamicSamplingContext, textsOf } from '../model/trace.js';
import { dsnToString } from './dsn.js';
import { stringify } from './json.js';

const MILLIS_PER_SECOND = 1000;
const SDK = { name: SDK_NAME, version: SDK_VERSION };

/** What goes into the headers of an envelope, beside what its items say. */
export interface EnvelopeFacts {
  readonly dsn: Dsn | undefined;
  /** When set, the envelope names its destination, for the tunnel to forward it to. */
  readonly tunnel?: string;
  /** Unix milliseconds. */
  readonly nowMillis: number;
}

/**
 * An event with its attachments, as they leave: the event first, which some servers rely on. The event itself is left
 * as it is; its copy in the envelope lacks what is the SDK's own, and has levels that every server knows.
 *
 * @param dsc written as `trace` when it names both trace and key, without which servers refuse it
 */
export function createEventEnvelope(
  event: Event,
  attachments: readonly Attachment[],
  facts: EnvelopeFacts & { readonly dsc?: DynamicSamplingContext },
): Envelope {
  const payload = copyOwn(event) as Event;
  // Not deleted: that would make the object slower to serialize.
  payload.sdkProcessingMetadata = undefined;
  if (payload.level === 'log') payload.level = 'info';
  if (isArray(payload.breadcrumbs)) payload.breadcrumbs = payload.breadcrumbs.map(withKnownLevel);
  if (typeof payload.event_id !== 'string') payload.event_id = uuid4();
  const headers: EnvelopeHeaders = {
    event_id: payload.event_id,
    sent_at: new Date(facts.nowMillis).toISOString(),
    sdk: SDK,
  };
  const trace = textsOf(facts.dsc);
  if (trace.trace_id && trace.public_key) headers.trace = trace;
  if (facts.tunnel && facts.dsn) headers.dsn = dsnToString(facts.dsn);
  const items: EnvelopeItem[] = [[{ type: itemTypeOf(payload) }, payload]];
  for (const attachment of attachments) items.push(attachmentItem(attachment));
  return [headers, items];
}

/** An update of a session, or counts of many. */
export function createSessionEnvelope(session: SessionJSON | SessionAggregates, facts: EnvelopeFacts): Envelope {
  const headers: EnvelopeHeaders = { sent_at: new Date(facts.nowMillis).toISOString(), sdk: SDK };
  if (facts.tunnel && facts.dsn) headers.dsn = dsnToString(facts.dsn);
  return [headers, [[{ type: 'aggregates' in session ? 'sessions' : 'session' }, session]]];
}

/** A report to the destination of what did not reach it, and why. */
export function createClientReportEnvelope(discards: readonly DiscardedEvents[], facts: EnvelopeFacts): Envelope {
  const payload = { timestamp: facts.nowMillis / MILLIS_PER_SECOND, discarded_events: discards };
  return [facts.tunnel && facts.dsn ? { dsn: dsnToString(facts.dsn) } : {}, [[{ type: 'client_report' }, payload]]];
}

function withKnownLevel(breadcrumb: Breadcrumb): Breadcrumb {
  return readProperty(breadcrumb, 'level') === 'log' ? { ...breadcrumb, level: 'info' } : breadcrumb;
}

function itemTypeOf({ type }: { readonly type?: unknown }): EnvelopeItemType {
  return typeof type === 'string' ? (type as EnvelopeItemType) : 'event';
}

function attachmentItem(attachment: Attachment): EnvelopeItem {
  const { filename, contentType, attachmentType, data } = copyOwn(attachment) as Partial<Attachment>;
  return [
    {
      type: 'attachment',
      filename: isText(filename) ? filename : 'attachment',
      ...(isText(contentType) ? { content_type: contentType } : undefined),
      ...(isText(attachmentType) ? { attachment_type: attachmentType } : undefined),
    },
    contentOf(data),
  ];
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** Text and bytes as they are, other binary kinds as their bytes, the rest as JSON; nothing at all is empty. */
function contentOf(data: unknown): string | Uint8Array {
  if (typeof data === 'string' || isUint8Array(data)) return data;
  if (isAnyArrayBuffer(data)) return new Uint8Array(data);
  if (ArrayBuffer.isView(data)) return new Uint8Array(data.buffer, data.byteOffset, data.byteLength);
  return data === undefined || data === null ? '' : stringify(data);
}

/**
 * The wire format: JSON lines and payloads, every item with its `length` in bytes.
 *
 * @returns text, or bytes as soon as one payload is bytes
 */
export function serializeEnvelope([headers, items]: Envelope): string | Uint8Array {
  const chunks: Uint8Array[] = [];
  let text = stringify(headers);
  for (const [itemHeaders, payload] of items) {
    const isBinary = isUint8Array(payload);
    const content = isBinary || typeof payload === 'string' ? payload : stringify(payload);
    text += `\n${stringify({ ...itemHeaders, length: Buffer.byteLength(content) })}\n`;
    if (isBinary) {
      chunks.push(Buffer.from(text), payload);
      text = '';
    } else {
      text += content;
    }
  }
  return chunks.length === 0 ? text : Buffer.concat([...chunks, Buffer.from(text)]);
}
