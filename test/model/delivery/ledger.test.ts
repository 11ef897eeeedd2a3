import { describe, expect, it } from 'vitest';
import { Ledger } from '../../../src/model/delivery/ledger.js';
import fc from '../../support/fast-check.js';

describe('the ledger', () => {
  it('balances after any sequence of outcomes', () => {
    const source = fc.constantFrom('capture', 'recover');
    const outcome = fc.constantFrom('deliver', 'discard', 'store', 'wait');
    fc.assert(
      fc.property(fc.array(fc.tuple(source, outcome, fc.integer({ min: 1, max: 9 }))), (entries) => {
        const ledger = new Ledger();
        for (const [origin, kind, quantity] of entries) {
          ledger[origin]([['span', quantity]]);
          if (kind === 'discard') ledger.discard('before_send', [['span', quantity]]);
          else if (kind !== 'wait') ledger[kind]([['span', quantity]]);
        }
        const sum = (step: string) =>
          entries.filter((entry) => entry.includes(step as never)).reduce((all, [, , quantity]) => all + quantity, 0);
        if (entries.length === 0) return;
        expect(ledger.balance().span).toEqual({
          captured: sum('capture'),
          delivered: sum('deliver'),
          discarded: sum('discard'),
          queued: sum('wait'),
          stored: sum('store'),
          recovered: sum('recover'),
        });
      }),
    );
  });

  it('reports each discard once, summed by reason and category', () => {
    const ledger = new Ledger();
    ledger.captureAndDiscard('sample_rate', [
      ['transaction', 1],
      ['span', 3],
    ]);
    ledger.captureAndDiscard('sample_rate', [['transaction', 1]]);
    expect(ledger.takeUnreported()).toEqual([
      { reason: 'sample_rate', category: 'transaction', quantity: 2 },
      { reason: 'sample_rate', category: 'span', quantity: 3 },
    ]);
    expect(ledger.takeUnreported()).toEqual([]);
  });

  it('reports again what could not be sent', () => {
    const ledger = new Ledger();
    ledger.captureAndDiscard('before_send', [['error', 1]]);
    const taken = ledger.takeUnreported();
    ledger.captureAndDiscard('before_send', [['error', 1]]);
    ledger.returnUnreported(taken);
    expect(ledger.takeUnreported()).toEqual([{ reason: 'before_send', category: 'error', quantity: 2 }]);
  });

  it('keeps to itself what the destination refused, and what has nowhere to go', () => {
    const ledger = new Ledger();
    ledger.capture([['error', 2]]);
    ledger.discard('ratelimit_backoff', [['error', 1]], false);
    ledger.discard('disabled', [['error', 1]]);
    expect(ledger.takeUnreported()).toEqual([]);
    expect(ledger.balance().error).toEqual({
      captured: 2,
      delivered: 0,
      discarded: 2,
      queued: 0,
      stored: 0,
      recovered: 0,
    });
  });
});
