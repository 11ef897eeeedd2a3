import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  EVENT,
  EVENT_ID,
  envelopeBytes,
  event,
  postEnvelope,
  report,
  SPAN,
  TRACE,
  transaction,
} from '../support/envelope-bytes.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

let receiver: Receiver;
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(() => receiver.close());
const post = (body: Uint8Array, headers?: Record<string, string>) => postEnvelope(receiver, body, headers);

describe('a violation is', () => {
  const EXCEPTION = { type: 'Error', value: 'x' };
  const DISCARD = { reason: 'sample_rate', category: 'error', quantity: 1 };
  it.each<[string, Buffer, RegExp]>([
    ['a payload with another event id', event({ event_id: '0'.repeat(32) }), /payload event_id/],
    [
      'an event id with dashes',
      envelopeBytes({ event_id: 'a-b' }, [{ type: 'event' }, '{"event_id":"a-b"}']),
      /32 hex/,
    ],
    ['an event without a timestamp', event({ timestamp: undefined }), /timestamp undefined/],
    ['an event without a platform', event({ platform: undefined }), /platform/],
    ['an event without an SDK', event({ sdk: {} }), /sdk/],
    ['an unknown level', event({ level: 'bad' }), /level bad/],
    ['data of the SDK itself', event({ sdkProcessingMetadata: {} }), /sdkProcessingMetadata/],
    ['a tag that is an object', event({ tags: { a: {} } }), /tag a/],
    ['a trace id that is none', event({ contexts: { trace: { ...TRACE, trace_id: 'x' } } }), /trace_id x/],
    ['a span id without a trace id', event({ contexts: { trace: { span_id: TRACE.span_id } } }), /only one of/],
    ['an empty exception', event({ exception: { values: [{}] } }), /neither type nor value/],
    ['an exception that is none', event({ exception: { values: [null] } }), /no check expects/],
    ['a mechanism without a type', event({ exception: { values: [{ ...EXCEPTION, mechanism: {} }] } }), /mechanism/],
    [
      'a frame at line 0',
      event({ exception: { values: [{ ...EXCEPTION, stacktrace: { frames: [{ lineno: 0 }] } }] } }),
      /frame is at 0/,
    ],
    ['a transaction in an event item', event({ type: 'transaction' }), /has the type transaction/],
    ['an event in a transaction item', transaction({ type: undefined }), /has the type undefined/],
    ['a transaction without a name', transaction({ transaction: '' }), /no name/],
    ['a transaction that ends before it starts', transaction({ start_timestamp: 9 }), /ends before it starts/],
    ['a span of another trace', transaction({ spans: [{ ...SPAN, trace_id: 'a'.repeat(32) }] }), /another trace/],
    ['a span that has not ended', transaction({ spans: [{ ...SPAN, timestamp: undefined }] }), /ends before/],
    ['an empty envelope', envelopeBytes({}), /envelope is empty/],
    ['an empty client report', report(), /client report is empty/],
    ['a loss of nothing', report({ ...DISCARD, quantity: 0 }), /quantity of a discard is 0/],
    [
      'two events in an envelope',
      envelopeBytes(
        { event_id: EVENT_ID },
        [{ type: 'event' }, JSON.stringify(EVENT)],
        [{ type: 'event' }, JSON.stringify(EVENT)],
      ),
      /holds 2 events/,
    ],
    [
      'an attachment before its event',
      envelopeBytes(
        { event_id: EVENT_ID },
        [{ type: 'attachment', filename: 'a' }, 'a'],
        [{ type: 'event' }, JSON.stringify(EVENT)],
      ),
      /not the first item/,
    ],
    [
      'an attachment without a name',
      envelopeBytes({ event_id: EVENT_ID }, [{ type: 'attachment' }, 'a']),
      /no filename/,
    ],
    ['a payload of several lines', envelopeBytes({}, [{ type: 'session' }, '{\n}']), /more than one line/],
    ['an item without a length', Buffer.from('{}\n{"type":"session"}\n{}'), /carries no length/],
    [
      'a trace header without a key',
      envelopeBytes({ trace: { trace_id: 'a' } }, [{ type: 'session' }, '{}']),
      /public_key/,
    ],
    ['a time in another form', envelopeBytes({ sent_at: 'now' }, [{ type: 'session' }, '{}']), /sent_at now/],
    ['half an SDK', envelopeBytes({ sdk: { name: 'x' } }, [{ type: 'session' }, '{}']), /envelope sdk/],
  ])('%s', async (_, bytes, message) => {
    expect(await post(bytes)).toMatchObject({ statusCode: 200 });
    expect(receiver.violations).toContainEqual(expect.stringMatching(message));
  });

  it('another content type', async () => {
    await post(event(), { 'content-type': 'text/plain' });
    expect(receiver.violations).toEqual(['content-type is text/plain']);
  });
});
