import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPort } from '../support/find-port.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { startService, stopAndBalance } from '../support/services/start-service.js';

describe.each(['traced', 'untraced'])('messages of a microservice of Nest, %s', (setup) => {
  let receiver: Receiver;
  let answers: unknown;

  beforeAll(async () => {
    receiver = await startReceiver();
    const env = { DSN: receiver.dsn, SETUP: setup, PORT: String(await findPort()) };
    const service = await startService(env, { file: new URL('apps/nest-messages.mjs', import.meta.url) });
    answers = await (await fetch(service.url)).json();
    await stopAndBalance(service, receiver);
  });

  afterAll(() => receiver.close());

  it('are answered as without the module', () => {
    expect(answers).toEqual(['Internal server error', 'Internal server error', 'answer', 'sent']);
  });

  it('have errors once, with a name, tags and a trace of their own', () => {
    const { events } = receiver;
    const described = events.map(({ exception, transaction, tags }) => [
      exception.values.at(-1)!.value,
      transaction,
      tags?.['way'],
    ]);
    expect(described.sort()).toEqual([
      ['answer', 'Mails.send', 'answer'],
      ['first', 'Mails.send', 'first'],
      ['untagged', 'Mails.send', undefined],
    ]);
    expect(new Set(events.map(({ contexts }) => contexts['trace']!['trace_id'])).size).toBe(events.length);
  });

  it('are transactions, of which those of errors are a part', () => {
    const messages = receiver.transactions.filter(({ transaction }) => transaction === 'Mails.send');
    const described = messages.map(({ contexts, tags }) => [contexts.trace.op, contexts.trace.status, tags?.['way']]);
    const expected = [
      ['rpc', 'internal_error', undefined],
      ['rpc', 'internal_error', 'answer'],
      ['rpc', 'internal_error', 'first'],
      ['rpc', 'ok', 'fine'],
    ];
    expect(described.sort()).toEqual(setup === 'traced' ? expected : []);
    const traces = new Set(messages.map(({ contexts }) => contexts.trace.trace_id));
    for (const { contexts } of receiver.events) {
      expect(traces.has(contexts['trace']!['trace_id'] as string)).toBe(setup === 'traced');
    }
  });
});
