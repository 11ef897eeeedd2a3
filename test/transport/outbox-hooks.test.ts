import { describe, expect, it, vi } from 'vitest';
import type { Envelope } from '../../src/model/delivery/envelope.js';
import type { OutboxOptions } from '../../src/transport/create-outbox.js';
import { createEvent, receive, setUp } from './outbox-rig.js';

describe('hooks', () => {
  it('hear of an envelope before it leaves, and of the answer after the ledger has', async () => {
    const receiver = await receive({ respond: { statusCode: 202, headers: { 'x-y': 'z' } } });
    const told: unknown[] = [];
    const { outbox, ledger, capture } = setUp({
      dsn: receiver.dsn,
      emit: (hook, ...args) => void told.push([hook, ...args, ledger.balance().error?.delivered]),
    });
    const event = createEvent();
    capture(event, [], (response) => told.push(['onAnswer', response, ledger.balance().error?.delivered]));
    expect(told).toEqual([['beforeEnvelope', [expect.anything(), [[{ type: 'event' }, event]]], 0]]);
    await outbox.flush(5000);
    const answer = expect.objectContaining({ statusCode: 202, headers: expect.objectContaining({ 'x-y': 'z' }) });
    expect(told.slice(1)).toEqual([['onAnswer', answer, 1]]);
  });

  it('get an answer without a status when none came', async () => {
    const onAnswer = vi.fn();
    const { outbox, capture } = setUp();
    capture(createEvent(), [], onAnswer);
    await outbox.flush();
    expect(onAnswer).not.toHaveBeenCalled();
    outbox.close();
    await outbox.flush();
    expect(onAnswer.mock.calls).toEqual([[{}]]);
  });

  it('cost no event when they throw', async () => {
    const receiver = await receive();
    const emit = () => {
      throw new Error('hook');
    };
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn, emit });
    capture();
    await outbox.flush(5000);
    expect(balance()).toEqual({ error: { captured: 1, delivered: 1 } });
  });

  it('that destroy an envelope cost this one alone', async () => {
    const receiver = await receive();
    const emit: OutboxOptions['emit'] = (hook, ...args) => {
      if (hook === 'beforeEnvelope') (args[0] as unknown as Envelope)[1] = undefined as never;
    };
    const { outbox, capture, balance } = setUp({ dsn: receiver.dsn, emit, sendClientReports: false });
    capture();
    expect(await outbox.flush(5000)).toBe(true);
    expect(balance()).toEqual({ error: { captured: 1, discarded: 1 } });
  });
});
