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
});
