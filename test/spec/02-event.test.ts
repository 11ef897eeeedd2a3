import { describe, expect, it } from 'vitest';
import { captureEvent, type Event } from '../../src/index.js';
import { send, sendEvent, sendTransaction, UPSTREAM, UUID } from './send.js';

const SPAN = {
  trace_id: UPSTREAM.traceId,
  span_id: UPSTREAM.spanId,
  start_timestamp: 1_700_000_000.25,
  timestamp: 1_700_000_001.5,
  description: 'SELECT 1',
  data: { rows: 1 },
};

const TRANSACTION = {
  type: 'transaction',
  transaction: 'GET /cart',
  start_timestamp: 1_700_000_000,
  timestamp: 1_700_000_002.5,
  contexts: { trace: { trace_id: UPSTREAM.traceId, span_id: 'c7ad6b7169203331' } },
} as const;

describe('Event', () => {
  it('has optional fields only: an empty one is sent', async () => {
    const event = await sendEvent(() => captureEvent({}));
    expect(event.message).toBeUndefined();
    expect(event.exception).toBeUndefined();
  });

  it('event_id is a UUID, the one that the capture returned', async () => {
    let id = '';
    const event = await sendEvent(() => {
      id = captureEvent({ message: 'm' });
    });
    expect(id).toMatch(UUID);
    expect(event.event_id).toBe(id);
  });

  it.each<[title: string, field: keyof Event, value: unknown]>([
    ['message is the log message', 'message', 'cart is stale'],
    ['logentry has a message and params', 'logentry', { message: '%s is stale', params: ['cart', 7] }],
    ['timestamp is Unix time in seconds, with a fraction', 'timestamp', 1_700_000_000.25],
    ['start_timestamp is Unix time in seconds', 'start_timestamp', 1_700_000_000],
    ['level is a SeverityLevel', 'level', 'warning'],
    ['platform is a platform identifier', 'platform', 'native'],
    ['logger is a string', 'logger', 'audit'],
    ['server_name is a string', 'server_name', 'web-7'],
    ['release is a string', 'release', 'shop@1.4.0'],
    ['dist is a string', 'dist', '42'],
    ['environment is a string', 'environment', 'staging'],
    ['transaction is the transaction name', 'transaction', 'GET /cart'],
    ['fingerprint is the grouping fingerprint', 'fingerprint', ['{{ default }}', 'checkout']],
    [
      'breadcrumbs are the trail leading to the event',
      'breadcrumbs',
      [
        { message: 'a', timestamp: 1 },
        { message: 'b', timestamp: 2 },
      ],
    ],
    ['tags map strings to primitives', 'tags', { region: 'eu', shard: '7' }],
    ['extra is a map of arbitrary data', 'extra', { order: { items: ['a', 'b'] } }],
    ['user is a User', 'user', { id: '42', email: 'a@shop.test' }],
  ])('%s', async (_, field, value) => {
    const event = await sendEvent(() => captureEvent({ [field]: value }));
    expect(event[field]).toEqual(value);
  });

  it('timestamp is the time of the capture, in seconds, when it is absent', async () => {
    const before = Date.now() / 1000;
    const event = await sendEvent(() => captureEvent({}));
    expect(event.timestamp).toBeGreaterThanOrEqual(before - 0.002);
    expect(event.timestamp).toBeLessThanOrEqual(Date.now() / 1000);
  });

  it('sdk is an SdkInfo: given members stay, name and version are filled in', async () => {
    const given = await sendEvent(() => captureEvent({ sdk: { name: 'shop.wrapper', version: '7.0.0' } }));
    expect(given.sdk).toMatchObject({ name: 'shop.wrapper', version: '7.0.0' });
    const filledIn = await sendEvent(() => captureEvent({}));
    expect(filledIn.sdk).toMatchObject({
      name: 'faultline.javascript.node',
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
  });

  it('request is a RequestEventData', async () => {
    const request = { url: 'https://shop.test/cart', method: 'POST', headers: { accept: 'text/html' } };
    const event = await sendEvent(() => captureEvent({ request }));
    expect(event.request).toEqual(request);
  });

  it('modules map names to versions; those of the event win over those that were found', async () => {
    const event = await sendEvent(() => captureEvent({ modules: { shop: '1.4.0', '@opentelemetry/api': '0.0.7' } }));
    expect(event.modules).toMatchObject({ shop: '1.4.0', '@opentelemetry/api': '0.0.7' });
  });

  it('exception holds values', async () => {
    const values = [{ type: 'TypeError', value: 'no such thing' }];
    const event = await sendEvent(() => captureEvent({ exception: { values } }));
    expect(event.exception?.values).toMatchObject(values);
    expect(event.exception?.values).toHaveLength(1);
  });

  it('contexts map keys to context objects', async () => {
    const event = await sendEvent(() => captureEvent({ contexts: { shop: { name: 'eu' }, cart: { items: 3 } } }));
    expect(event.contexts).toMatchObject({ shop: { name: 'eu' }, cart: { items: 3 } });
  });

  it('type undefined means error event', async () => {
    const receiver = await send(() => captureEvent({ message: 'm', type: undefined }));
    expect(receiver.items().map(({ headers }) => headers.type)).toEqual(['event']);
    expect(receiver.events[0]).not.toHaveProperty('type');
  });

  it('spans are SpanJSON', async () => {
    const transaction = await sendTransaction(() => captureEvent({ ...TRANSACTION, spans: [SPAN] }));
    expect(transaction.spans).toEqual([SPAN]);
  });

  it('measurements map names to values with units', async () => {
    const measurements = { ttfb: { value: 12.5, unit: 'millisecond' }, size: { value: 3, unit: 'byte' } };
    const transaction = await sendTransaction(() => captureEvent({ ...TRANSACTION, measurements }));
    expect(transaction.measurements).toEqual(measurements);
  });

  it('of type transaction has start_timestamp, timestamp and transaction', async () => {
    const receiver = await send(() => captureEvent({ ...TRANSACTION }));
    expect(receiver.items().map(({ headers }) => headers.type)).toEqual(['transaction']);
    expect(receiver.transactions[0]).toMatchObject(TRANSACTION);
  });

  it('of no type is an ErrorEvent, whatever it says', async () => {
    const receiver = await send(() => {
      captureEvent({ message: 'm' });
      captureEvent({ exception: { values: [{ type: 'Error', value: 'e' }] } });
      captureEvent({ transaction: 'GET /cart', start_timestamp: 1, timestamp: 2 });
    });
    expect(receiver.items().map(({ headers }) => headers.type)).toEqual(['event', 'event', 'event']);
  });
});
