import { describe, expect, it, vi } from 'vitest';
import type { Envelope, EnvelopeItem } from '../../src/model/delivery/envelope.js';
import type {
  Transport,
  TransportFactory,
  TransportOptions,
  TransportResponse,
} from '../../src/model/delivery/transport.js';
import { createTransport } from '../../src/transport/create-transport.js';
import { createEvent, file, NEVER, receive, setUp, transportOf } from './outbox-rig.js';

describe('a transport of the application', () => {
  it('gets the address, the headers and the bounds', () => {
    const factory = vi.fn<TransportFactory>(() => ({ send: async () => ({}), flush: async () => true }));
    setUp({ transport: factory, transportOptions: { headers: { a: 'b' }, bufferSize: 7 } });
    expect(factory).toHaveBeenCalledExactlyOnceWith({
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:1\/api\/1\/envelope\/\?sentry_version=7&sentry_key=ab12&/),
      headers: { a: 'b' },
      bufferSize: 7,
      timeoutMillis: 10_000,
      recordDroppedEvent: expect.any(Function),
    });
  });

  it('gets the tunnel as address, and bounds by default', () => {
    const factory = vi.fn<TransportFactory>(() => ({ send: async () => ({}), flush: async () => true }));
    setUp({ transport: factory, tunnel: '/anything' });
    expect(factory.mock.calls[0]![0]).toMatchObject({ url: '/anything', headers: {}, bufferSize: 1000 });
  });

  it('gets each envelope as headers and items, once, during the call', () => {
    const send = vi.fn(async () => ({}));
    const { capture } = setUp({ transport: transportOf(send) });
    const event = createEvent({ sdkProcessingMetadata: { a: 1 } });
    capture(event, [file]);
    const { sdkProcessingMetadata: _, ...payload } = event;
    expect(send.mock.calls).toEqual([
      [
        [
          { event_id: event.event_id, sent_at: expect.any(String), sdk: expect.any(Object) },
          [
            [{ type: 'event' }, payload],
            [{ type: 'attachment', filename: 'a.bin' }, file.data],
          ],
        ],
      ],
    ]);
  });

  it('works without a DSN, and gets an empty address then', async () => {
    const send = vi.fn(async (_: Envelope) => ({}));
    const factory = vi.fn<TransportFactory>(() => ({ send, flush: async () => true }));
    const { outbox, capture, balance } = setUp({ dsn: '', transport: factory });
    capture();
    expect(await outbox.flush(1000)).toBe(true);
    expect(factory.mock.calls[0]![0].url).toBe('');
    expect(send.mock.calls.map(([[headers]]) => Object.keys(headers))).toEqual([['event_id', 'sent_at', 'sdk']]);
    expect(balance()).toEqual({ error: { captured: 1, delivered: 1 } });
  });

  const failing = (): never => {
    throw new Error('transport');
  };
  const [delivered, discarded] = [
    { captured: 1, delivered: 1 },
    { captured: 1, discarded: 1 },
  ];
  const hostile = Object.defineProperty({}, 'statusCode', { get: failing });
  it.each<[what: string, send: () => unknown, balance: object]>([
    ['answers 200', async () => ({ statusCode: 200 }), delivered],
    ['answers nothing', async () => undefined, delivered],
    ['answers without a status', async () => ({}), delivered],
    ['answers what cannot be read', async () => hostile, delivered],
    ['answers a status that is no number', async () => ({ statusCode: '500' }), delivered],
    ['answers 500', async () => ({ statusCode: 500 }), discarded],
    ['answers 429', async () => ({ statusCode: 429 }), discarded],
    ['returns nothing', () => undefined, delivered],
    ['returns an answer and no promise', () => ({ statusCode: 500 }), discarded],
    ['rejects', () => Promise.reject(new Error('down')), discarded],
    ['rejects with nothing', () => Promise.reject(), discarded],
    ['throws', failing, discarded],
    ['returns what throws when waited for', () => Object.defineProperty({}, 'then', { get: failing }), discarded],
    ['never answers', () => NEVER, { captured: 1, queued: 1 }],
  ])('that %s settles an event once', async (_, send, expected) => {
    const { outbox, capture, balance } = setUp({ transport: transportOf(send), sendClientReports: false });
    capture(createEvent(), [file]);
    await outbox.flush(20);
    expect(balance()).toEqual({ error: expected, attachment: expected });
  });

  it.each<[what: string, factory: unknown]>([
    ['throws', failing],
    ['returns nothing', () => undefined],
    ['returns what cannot send', () => ({ flush: async () => true })],
    ['returns what cannot be read', () => Object.defineProperty({}, 'send', { get: failing })],
  ])('is replaced by HTTP when its factory %s', async (_, factory) => {
    const receiver = await receive();
    const { outbox, capture } = setUp({ dsn: receiver.dsn, transport: factory as TransportFactory });
    capture();
    await outbox.flush(5000);
    expect(receiver.events).toHaveLength(1);
  });

  it('has as many envelopes under way as the buffer holds; what exceeds it is overflow', async () => {
    const send = vi.fn(() => NEVER);
    const { capture, balance, ledger } = setUp({ transport: transportOf(send), transportOptions: { bufferSize: 40 } });
    for (let i = 0; i < 45; i++) capture();
    expect(send).toHaveBeenCalledTimes(40);
    expect(balance()).toEqual({ error: { captured: 45, discarded: 5, queued: 40 } });
    expect(ledger.takeUnreported()).toEqual([{ reason: 'queue_overflow', category: 'error', quantity: 5 }]);
  });

  it('keeps its `this`', async () => {
    class Counting implements Transport {
      sent = 0;
      async send(): Promise<TransportResponse> {
        this.sent += 1;
        return {};
      }
      async flush(): Promise<boolean> {
        return this.sent === 1;
      }
    }
    const transport = new Counting();
    const { capture, outbox } = setUp({ transport: () => transport });
    capture();
    expect(transport.sent).toBe(1);
    expect(await outbox.flush(5000)).toBe(true);
  });

  describe('made with createTransport', () => {
    const answering = (answer: () => Promise<TransportResponse>): TransportFactory => {
      return (options) => createTransport(options, () => answer());
    };

    it('delivers', async () => {
      const { outbox, capture, balance } = setUp({ transport: answering(async () => ({ statusCode: 200 })) });
      capture();
      await outbox.flush(5000);
      expect(balance()).toEqual({ error: { captured: 1, delivered: 1 } });
    });

    it('tells of its losses itself, and they are counted once', async () => {
      const headers = { 'x-sentry-rate-limits': '60:error:key' };
      const answers = [async () => ({ statusCode: 200, headers }), () => Promise.reject(new Error('down'))];
      const { outbox, capture, balance, ledger } = setUp({
        transport: answering(() => answers.shift()!()),
        sendClientReports: false,
      });
      capture();
      await outbox.flush(5000);
      capture(createEvent(), [file]);
      await outbox.flush(5000);
      expect(balance()).toEqual({
        error: { captured: 2, delivered: 1, discarded: 1 },
        attachment: { captured: 1, discarded: 1 },
      });
      expect(ledger.takeUnreported()).toEqual([
        { reason: 'ratelimit_backoff', category: 'error', quantity: 1 },
        { reason: 'network_error', category: 'attachment', quantity: 1 },
      ]);
    });
  });

  it('may tell of an item twice, late, or of one that nobody knows: each counts once', async () => {
    let options: TransportOptions | undefined;
    const items: EnvelopeItem[] = [];
    const { outbox, capture, balance } = setUp({
      transport: (given) => {
        options = given;
        const send = async (envelope: Envelope) => {
          items.push(...envelope[1]);
          given.recordDroppedEvent('ratelimit_backoff', envelope[1][0]!);
          given.recordDroppedEvent('network_error', envelope[1][0]!);
          return { statusCode: 200 };
        };
        return { send, flush: async () => true };
      },
    });
    capture(createEvent(), [file]);
    await outbox.flush(5000);
    for (const item of items) options!.recordDroppedEvent('network_error', item);
    options!.recordDroppedEvent('network_error', [{ type: 'event' }, {}]);
    expect(balance()).toEqual({ error: { captured: 1, discarded: 1 }, attachment: { captured: 1, delivered: 1 } });
  });
});
