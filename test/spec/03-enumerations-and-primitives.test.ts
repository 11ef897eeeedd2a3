import { describe, expect, it } from 'vitest';
import {
  captureEvent,
  captureMessage,
  type Event,
  type EventType,
  type SeverityLevel,
  startSpan,
} from '../../src/index.js';
import { send, sendEvent, sendTransaction } from './send.js';

describe('Enumerations and primitives', () => {
  it.each<[title: string, level: SeverityLevel, sent: string]>([
    ['SeverityLevel fatal is sent', 'fatal', 'fatal'],
    ['SeverityLevel error is sent', 'error', 'error'],
    ['SeverityLevel warning is sent', 'warning', 'warning'],
    ['SeverityLevel info is sent', 'info', 'info'],
    ['SeverityLevel debug is sent', 'debug', 'debug'],
    // Servers in strict mode refuse `log`, and all others read it as `info`.
    ['SeverityLevel log reaches hooks as it is, and servers as info', 'log', 'info'],
  ])('%s', async (_, level, sent) => {
    const hooked: unknown[] = [];
    const beforeSend = (event: Event) => {
      hooked.push(event.level);
      return event;
    };
    const { events } = await send(
      () => {
        captureMessage('m', level);
        captureEvent({ message: 'e', level });
      },
      { beforeSend },
    );
    expect(hooked).toEqual([level, level]);
    expect(events.map((event) => event.level)).toEqual([sent, sent]);
  });

  it.each<[title: string, event: Event & { type?: EventType }, item: string]>([
    [
      'EventType transaction leaves as a transaction',
      { type: 'transaction', transaction: 'a', start_timestamp: 1, timestamp: 2 },
      'transaction',
    ],
    ['EventType profile leaves as a profile', { type: 'profile' }, 'profile'],
    ['EventType replay_event leaves as a replay_event', { type: 'replay_event' }, 'replay_event'],
    [
      'EventType feedback leaves as feedback',
      { type: 'feedback', contexts: { feedback: { message: 'nice' } } },
      'feedback',
    ],
    ['EventType undefined leaves as an error event', { message: 'm' }, 'event'],
  ])('%s', async (_, event, item) => {
    const receiver = await send(() => captureEvent({ ...event, logger: 'mine' }));
    expect(receiver.items()).toHaveLength(1);
    const [sent] = receiver.items();
    expect(sent?.headers.type).toBe(item);
    expect(sent?.json).toMatchObject({ ...event, logger: 'mine' });
    expect(sent?.json?.['type']).toBe(event.type);
  });

  it('Primitive is a string, number, boolean, null or undefined', async () => {
    const tags = { text: 'a', number: 1.5, yes: true, no: false, nothing: null, absent: undefined };
    const event = await sendEvent(() => captureEvent({ tags }));
    expect(event.tags).toEqual({ text: 'a', number: '1.5', yes: 'true', no: 'false', nothing: null });
  });

  it.each<[title: string, code: 0 | 1 | 2, status: string]>([
    ['span status code 0 is unset, and counts as no failure', 0, 'ok'],
    ['span status code 1 is OK', 1, 'ok'],
    ['span status code 2 is error', 2, 'internal_error'],
  ])('%s', async (_, code, status) => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'root' }, (span) => void span.setStatus({ code })),
    );
    expect(transaction.contexts.trace.status).toBe(status);
  });

  it.each<[title: string, tracesSampleRate: number, flags: number]>([
    ['trace flags 1 means sampled', 1, 1],
    ['trace flags 0 means not sampled', 0, 0],
  ])('%s', async (_, tracesSampleRate, flags) => {
    const { transactions } = await send(
      () => startSpan({ name: 'root' }, (span) => expect(span.spanContext().traceFlags).toBe(flags)),
      { tracesSampleRate },
    );
    expect(transactions).toHaveLength(flags);
  });

  it('the fingerprint token {{ default }} stands for the default grouping, and reaches the server as it is', async () => {
    const event = await sendEvent(() => captureEvent({ message: 'm', fingerprint: ['{{ default }}', 'mine'] }));
    expect(event.fingerprint).toEqual(['{{ default }}', 'mine']);
  });

  it('the ip_address token {{auto}} asks the server for the address, and reaches it as it is', async () => {
    const event = await sendEvent(() => captureEvent({ message: 'm', user: { ip_address: '{{auto}}' } }));
    expect(event.user).toEqual({ ip_address: '{{auto}}' });
  });
});
