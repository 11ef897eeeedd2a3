import type { Receiver } from './receiver.js';

export const EVENT_ID = '6d1f0b6c8f1b4e0b9a3c2d5e7f901234';
export const TRACE = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331' };
export const SDK = { name: 'hand', version: '1.0.0' };
export const EVENT = { event_id: EVENT_ID, timestamp: 1, platform: 'node', sdk: SDK, contexts: { trace: TRACE } };
export const SPAN = {
  ...TRACE,
  parent_span_id: TRACE.span_id,
  span_id: 'c7ad6b7169203331',
  start_timestamp: 1,
  timestamp: 2,
};
export const TRANSACTION = { ...EVENT, type: 'transaction', transaction: 'GET /', start_timestamp: 0, spans: [SPAN] };
export const ENVELOPE_TYPE = { 'content-type': 'application/x-sentry-envelope' };

/** An envelope as bytes, written by hand: nothing of the SDK under test is in it. */
export function envelopeBytes(headers: object, ...items: [headers: object, payload: string | Uint8Array][]): Buffer {
  const lines = items.flatMap(([itemHeaders, payload]) => {
    const bytes = Buffer.from(payload as string);
    return [Buffer.from(`\n${JSON.stringify({ ...itemHeaders, length: bytes.length })}\n`), bytes];
  });
  return Buffer.concat([Buffer.from(JSON.stringify(headers)), ...lines]);
}

export const event = (changes: object = {}) =>
  envelopeBytes({ event_id: EVENT_ID }, [{ type: 'event' }, JSON.stringify({ ...EVENT, ...changes })]);

export const transaction = (changes: object = {}) =>
  envelopeBytes({ event_id: EVENT_ID }, [{ type: 'transaction' }, JSON.stringify({ ...TRANSACTION, ...changes })]);

export const report = (...discarded_events: object[]) =>
  envelopeBytes({}, [{ type: 'client_report' }, JSON.stringify({ timestamp: 1, discarded_events })]);

/** Posts what may be an envelope to where the DSN of the receiver says, or to another path. */
export async function postEnvelope(
  { dsn }: Pick<Receiver, 'dsn'>,
  body: Uint8Array,
  headers: Record<string, string> = {},
  path?: string,
): Promise<{ statusCode: number; text: string }> {
  const { origin, username, pathname } = new URL(dsn);
  const target = path ?? `${pathname.replace(/(\d+)$/, 'api/$1/envelope/')}?sentry_key=${username}`;
  const response = await fetch(origin + target, { method: 'POST', headers: { ...ENVELOPE_TYPE, ...headers }, body });
  return { statusCode: response.status, text: await response.text() };
}
