import { expect, vi } from 'vitest';
import { type Client, type ClientOptions, init } from '../../src/index.js';
import {
  type ReceivedErrorEvent,
  type ReceivedTransaction,
  type Receiver,
  startReceiver,
} from '../support/receiver.js';
import { resetOpenTelemetry, type Stage, tell } from '../support/story.js';

export type Story = (stage: Stage) => unknown;

/** 32 hex characters: a UUID without its dashes. */
export const UUID = /^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/;
export const TRACE_ID = /^[0-9a-f]{32}$/;
export const SPAN_ID = /^[0-9a-f]{16}$/;
/** A trace that another service began. */
export const UPSTREAM = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' };

/** Tells a story; the receiver that comes back holds everything that was sent. */
export async function send(story: Story, options: ClientOptions = {}): Promise<Receiver> {
  let result: Receiver | undefined;
  await tell(options, story, ({ receiver }) => {
    result = receiver;
  });
  return result!;
}

/** The one error event that a story sends; it sends no other, and no transaction. */
export async function sendEvent(story: Story, options: ClientOptions = {}): Promise<ReceivedErrorEvent> {
  const { events, transactions } = await send(story, options);
  expect(transactions).toEqual([]);
  expect(events).toHaveLength(1);
  return events[0]!;
}

/** The one transaction that a story sends, with every trace kept unless the options say otherwise. */
export async function sendTransaction(story: Story, options: ClientOptions = {}): Promise<ReceivedTransaction> {
  const { transactions } = await send(story, { tracesSampleRate: 1, ...options });
  expect(transactions).toHaveLength(1);
  return transactions[0]!;
}

/** Tells a story to a client that has, or wants, no way to its destination, and expects that no request was made. */
export async function sendNothing(story: (client: Client) => unknown, options: ClientOptions): Promise<void> {
  const receiver = await startReceiver();
  const client = init({ dsn: receiver.dsn, ...options });
  try {
    await story(client);
    expect(await client.flush(5000)).toBe(true);
    expect(receiver.requests).toEqual([]);
  } finally {
    await client.close(1000);
    await receiver.close();
    resetOpenTelemetry();
  }
}

/** A value nested as deep as asked: `{ a: { a: … 'bottom' } }`. */
export function nested(levels: number): unknown {
  return levels === 0 ? 'bottom' : { a: nested(levels - 1) };
}

/** Everything that is written to stdout and stderr meanwhile. */
export async function writtenDuring(run: () => Promise<unknown>): Promise<string> {
  let text = '';
  const write = (chunk: unknown): boolean => {
    text += String(chunk);
    return true;
  };
  const spies = [process.stdout, process.stderr].map((stream) => vi.spyOn(stream, 'write').mockImplementation(write));
  try {
    await run();
  } finally {
    for (const spy of spies) spy.mockRestore();
  }
  return text;
}
