import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  addBreadcrumb,
  type ClientOptions,
  captureEvent,
  captureException,
  captureMessage,
  type Event,
  startSpan,
} from '../../src/index.js';
import { send, sendEvent, sendTransaction, UUID, writtenDuring } from './send.js';

/** An error event from a file. */
const thrownIn = (filename: string): Event => ({
  exception: {
    values: [
      { type: 'Error', value: filename, stacktrace: { frames: [{ filename, function: 'f', lineno: 1, colno: 1 }] } },
    ],
  },
});

describe('Errors', () => {
  afterEach(() => vi.restoreAllMocks());

  it('an error event whose draw exceeds sampleRate is discarded, and recorded under sample_rate and error', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    const receiver = await send(() => expect(captureException(new Error('no'))).toMatch(UUID), { sampleRate: 0.25 });
    expect(receiver.events).toEqual([]);
    expect(receiver.discards()).toEqual([{ reason: 'sample_rate', category: 'error', quantity: 1 }]);
  });

  it('the capture path says that such an event is discarded, and gives the sampling rate', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.9);
    const text = await writtenDuring(() => send(() => captureMessage('m'), { sampleRate: 0.25, debug: true }));
    const line = text.split('\n').find((one) => one.includes('sampling rate'));
    expect(line).toMatch(/discarded/);
    expect(line).toMatch(/0\.25/);
  });

  it('an originalException that was captured already is ignored, and an id is returned', async () => {
    const error = new Error('once');
    const receiver = await send(() => {
      captureException(error);
      expect(captureEvent({ message: 'again' }, { originalException: error })).toMatch(UUID);
    });
    expect(receiver.events.map(({ message }) => message)).toEqual([undefined]);
    expect(receiver.discards()).toEqual([]);
  });

  it.each<[title: string, options: ClientOptions, sent: [errors: number, transactions: number]]>([
    ['beforeSend that returns null drops the event', { beforeSend: () => null }, [0, 1]],
    ['beforeSendTransaction that returns null drops the transaction', { beforeSendTransaction: () => null }, [1, 0]],
    ['an error that matches ignoreErrors by its message is not sent', { ignoreErrors: ['connection lost'] }, [0, 1]],
    [
      'an error that matches ignoreErrors by type and message is not sent',
      { ignoreErrors: [/^TypeError: connection/] },
      [0, 1],
    ],
    ['a transaction whose name matches ignoreTransactions is not sent', { ignoreTransactions: [/^wor/] }, [1, 0]],
  ])('%s', async (_, options, sent) => {
    const { events, transactions } = await send(
      () => {
        captureException(new TypeError('connection lost'));
        startSpan({ name: 'work' }, () => undefined);
      },
      { tracesSampleRate: 1, ...options },
    );
    expect([events.length, transactions.length]).toEqual(sent);
  });

  it('beforeBreadcrumb that returns null drops the breadcrumb', async () => {
    const event = await sendEvent(
      () => {
        addBreadcrumb({ message: 'a' });
        captureMessage('m');
      },
      { beforeBreadcrumb: () => null },
    );
    expect(event).not.toHaveProperty('breadcrumbs');
  });

  it('a message that matches ignoreErrors is not sent', async () => {
    const event = await sendEvent(() => ['drop this', 'keep that'].map((text) => captureMessage(text)), {
      ignoreErrors: ['drop', /^keep$/],
    });
    expect(event.message).toBe('keep that');
  });

  it.each<[title: string, options: ClientOptions, sent: string[]]>([
    ['an error from a URL that matches denyUrls is not sent', { denyUrls: ['vendor'] }, ['https://shop.test/app.js']],
    [
      'an error from a URL that does not match a non-empty allowUrls is not sent',
      { allowUrls: [/^https:\/\/shop/] },
      ['https://shop.test/app.js'],
    ],
    [
      'an error is sent from any URL while both lists are empty',
      {},
      ['https://shop.test/app.js', 'https://vendor.test/ad.js'],
    ],
  ])('%s', async (_, options, sent) => {
    const { events } = await send(() => {
      for (const url of ['https://shop.test/app.js', 'https://vendor.test/ad.js']) captureEvent(thrownIn(url));
    }, options);
    expect(events.map((event) => event.exception?.values?.[0]?.value).sort()).toEqual(sent);
  });

  it('an exception out of a startSpan callback propagates, and is captured automatically, once', async () => {
    const error = new Error('no stock');
    const { events, transactions } = await send(
      () => {
        let caught: unknown;
        try {
          startSpan({ name: 'outer' }, () =>
            startSpan({ name: 'inner' }, () => {
              throw error;
            }),
          );
        } catch (thrown) {
          caught = thrown;
        }
        expect(caught).toBe(error);
      },
      { tracesSampleRate: 1 },
    );
    expect(events.map((event) => event.exception?.values?.[0]?.value)).toEqual(['no stock']);
    const [inner] = transactions[0]?.spans ?? [];
    expect(events[0]?.contexts.trace).toMatchObject({ trace_id: inner?.trace_id, span_id: inner?.span_id });
  });

  it('so is the reason of a promise that a startSpan callback returns', async () => {
    const error = new Error('no stock');
    const { events } = await send(
      () => expect(startSpan({ name: 'work' }, () => Promise.reject(error))).rejects.toBe(error),
      { tracesSampleRate: 1 },
    );
    expect(events.map((event) => event.exception?.values?.[0]?.value)).toEqual(['no stock']);
  });

  it('the status that the callback set before it threw, an error of code 2, is kept', async () => {
    const transaction = await sendTransaction(() => {
      const run = () =>
        startSpan({ name: 'work' }, (span) => {
          try {
            throw new Error('no stock');
          } catch (error) {
            span.setStatus({ code: 2, message: 'not_found' });
            throw error;
          }
        });
      expect(run).toThrow('no stock');
    });
    expect(transaction.contexts.trace.status).toBe('not_found');
  });

  it('very long strings are normalized, not rejected', async () => {
    const event = await sendEvent(() => captureException(new Error('x'.repeat(1_000_000))));
    expect(event.exception?.values?.[0]?.value).toBe(`${'x'.repeat(250)}...`);
  });

  it('circular references are normalized, not rejected', async () => {
    const circular: Record<string, unknown> = { name: 'ring' };
    circular['self'] = circular;
    const event = await sendEvent(() => captureEvent({ message: 'm', extra: { circular } }));
    expect(event.extra).toEqual({ circular: { name: 'ring', self: '[Circular ~]' } });
  });
});
