import { describe, expect, it, vi } from 'vitest';
import type { Envelope, EnvelopeItem } from '../../src/model/delivery/envelope.js';
import type { TransportResponse } from '../../src/model/delivery/transport.js';
import { createTransport, type MakeRequest } from '../../src/transport/create-transport.js';
import { passMinute } from './outbox-rig.js';

const event: EnvelopeItem = [{ type: 'event' }, { message: 'x' }];
const attachment: EnvelopeItem = [{ type: 'attachment', filename: 'a' }, new Uint8Array([1, 2, 3])];
const envelope = (...items: EnvelopeItem[]): Envelope => [{ event_id: 'e' }, items];

function setUp(makeRequest: MakeRequest, bufferSize?: number) {
  const dropped: [reason: string, item: EnvelopeItem][] = [];
  const transport = createTransport(
    { bufferSize, recordDroppedEvent: (reason, item) => void dropped.push([reason, item]) },
    makeRequest,
  );
  return { transport, dropped };
}

/** A transport over a function whose answers the test gives, so that what comes after the first 32 waits. */
function setUpWaiting() {
  const answers: ((response: TransportResponse) => void)[] = [];
  const bodies: unknown[] = [];
  const made = setUp(({ body }) => {
    bodies.push(body);
    return new Promise((resolve) => answers.push(resolve));
  });
  return { ...made, answers, bodies };
}

describe('a transport made from a function that posts', () => {
  it('hands it the serialized envelope at once, and resolves with its answer', async () => {
    const answer = { statusCode: 200, headers: { 'x-y': 'z' } };
    const makeRequest = vi.fn<MakeRequest>(async () => answer);
    const { transport, dropped } = setUp(makeRequest);
    const sent = transport.send(envelope(event));
    expect(makeRequest.mock.calls).toEqual([
      [{ body: '{"event_id":"e"}\n{"type":"event","length":15}\n{"message":"x"}' }],
    ]);
    expect(await sent).toEqual(answer);
    expect(dropped).toEqual([]);
  });

  it('hands it bytes when a payload is bytes', async () => {
    const makeRequest = vi.fn<MakeRequest>(async () => ({ statusCode: 200 }));
    await setUp(makeRequest).transport.send(envelope(event, attachment));
    expect(makeRequest.mock.calls[0]![0].body).toBeInstanceOf(Uint8Array);
  });

  it.each<[what: string, makeRequest: MakeRequest]>([
    ['rejects', () => Promise.reject(new Error('down'))],
    [
      'throws',
      () => {
        throw new Error('down');
      },
    ],
  ])('rejects, and tells of each item once, when the function %s', async (_, makeRequest) => {
    const { transport, dropped } = setUp(makeRequest);
    await expect(transport.send(envelope(event, attachment))).rejects.toThrow('down');
    expect(dropped).toEqual([
      ['network_error', event],
      ['network_error', attachment],
    ]);
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['no promise', { statusCode: 202 }],
  ])('takes %s for an answer', async (_, answer) => {
    const { transport, dropped } = setUp(() => answer as unknown as Promise<TransportResponse>);
    expect(await transport.send(envelope(event))).toEqual(answer ?? {});
    expect(dropped).toEqual([]);
  });

  it('obeys the limits that answers set, and is empty-handed for what it drops itself', async () => {
    const headers = { 'x-sentry-rate-limits': '60:error:key' };
    const makeRequest = vi.fn<MakeRequest>(async () => ({ statusCode: 200, headers }));
    const { transport, dropped } = setUp(makeRequest);
    await transport.send(envelope(event));
    expect(await transport.send(envelope(event))).toEqual({});
    expect(dropped).toEqual([['ratelimit_backoff', event]]);
    passMinute();
    await transport.send(envelope(event));
    expect(makeRequest).toHaveBeenCalledTimes(2);
  });

  it('tells of each item once when only some of them fail to leave for each reason', async () => {
    const answers = [
      async () => ({ headers: { 'x-sentry-rate-limits': '60:attachment:key' } }),
      () => Promise.reject(),
    ];
    const { transport, dropped } = setUp(() => answers.shift()!());
    await transport.send(envelope(event, attachment));
    await expect(transport.send(envelope(event, attachment))).rejects.toBeUndefined();
    expect(dropped).toEqual([
      ['ratelimit_backoff', attachment],
      ['network_error', event],
    ]);
  });

  it('applies a limit to what waits already', async () => {
    const { transport, dropped, answers, bodies } = setUpWaiting();
    const sent = Array.from({ length: 34 }, () => transport.send(envelope(event, attachment)));
    answers[0]!({ headers: { 'x-sentry-rate-limits': '60:attachment:key' } });
    await sent[0];
    answers[1]!({ statusCode: 429 });
    expect(await sent[33]).toEqual({});
    expect(bodies.slice(32)).toEqual(['{"event_id":"e"}\n{"type":"event","length":15}\n{"message":"x"}']);
    expect(dropped).toEqual([
      ['ratelimit_backoff', attachment],
      ['ratelimit_backoff', event],
      ['ratelimit_backoff', attachment],
    ]);
  });

  it('drops what it cannot serialize, at once or while it waits, and not for the network', async () => {
    const { transport, dropped } = setUpWaiting();
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const broken: EnvelopeItem = [{ type: 'event' }, proxy];
    await expect(transport.send(envelope(broken))).rejects.toThrow('revoked');
    for (let i = 0; i < 32; i++) void transport.send(envelope(event));
    await expect(transport.send(envelope(broken))).rejects.toThrow('revoked');
    expect(dropped.map(([reason]) => reason)).toEqual(['internal_sdk_error', 'internal_sdk_error']);
  });

  it('lets go what waits when it is closed, not what is under way', async () => {
    const { transport, dropped, answers } = setUpWaiting();
    const sent = Array.from({ length: 33 }, () => transport.send(envelope(event)));
    transport.close();
    await expect(sent[32]).rejects.toThrow('closed');
    expect(dropped).toEqual([['network_error', event]]);
    for (const answer of answers) answer({ statusCode: 200 });
    expect(await sent[0]).toEqual({ statusCode: 200 });
    expect(await transport.flush()).toBe(true);
    expect(answers).toHaveLength(32);
  });

  it('drops what exceeds the buffer', async () => {
    const { transport, dropped } = setUp(() => new Promise(() => undefined), 2);
    void transport.send(envelope(event));
    void transport.send(envelope(event));
    expect(await transport.send(envelope(event, attachment))).toEqual({});
    expect(dropped).toEqual([
      ['queue_overflow', event],
      ['queue_overflow', attachment],
    ]);
  });

  it.each([undefined, Number.NaN, -1, '5'])('has a buffer for 1000 when its size is %s', (bufferSize) => {
    const { transport, dropped } = setUp(() => new Promise(() => undefined), bufferSize as number);
    for (let i = 0; i < 1001; i++) void transport.send(envelope(event));
    expect(dropped).toEqual([['queue_overflow', event]]);
  });

  it('flushes what is under way', async () => {
    const { transport, answers } = setUpWaiting();
    void transport.send(envelope(event));
    expect(await transport.flush(5)).toBe(false);
    const flushed = transport.flush();
    answers[0]!({});
    expect(await flushed).toBe(true);
  });

  it('survives a callback that throws', async () => {
    const recordDroppedEvent = vi.fn(() => {
      throw new Error('callback');
    });
    const transport = createTransport({ recordDroppedEvent }, () => Promise.reject(new Error('down')));
    await expect(transport.send(envelope(event, attachment))).rejects.toThrow('down');
    expect(recordDroppedEvent).toHaveBeenCalledTimes(2);
  });

  it('works without a callback', async () => {
    const transport = createTransport({} as never, () => Promise.reject(new Error('down')));
    await expect(transport.send(envelope(event))).rejects.toThrow('down');
  });

  it('has methods that need no receiver', async () => {
    const { send, flush } = setUp(async () => ({ statusCode: 200 })).transport;
    expect(await send(envelope(event))).toEqual({ statusCode: 200 });
    expect(await flush()).toBe(true);
  });
});
