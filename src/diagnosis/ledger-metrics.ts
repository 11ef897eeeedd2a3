import { type BatchObservableCallback, createNoopMeter, type Meter, metrics } from '@opentelemetry/api';
import { guard } from '../internal/guard.js';
import { unref } from '../internal/unref.js';
import { SDK_VERSION } from '../internal/version.js';
import type { CategoryBalance } from '../model/delivery/ledger.js';
import type { InnerClient } from '../model/inner-client.js';

/** When to look for a meter provider: many applications set OpenTelemetry up after `init`. */
const LOOKS_AFTER_MILLIS = [0, 1000, 10_000, 60_000];

const COUNTERS: Readonly<Record<'captured' | 'delivered' | 'stored', string>> = {
  captured: 'What was captured.',
  delivered: 'What the destination confirmed.',
  stored: 'What was written to the store on disk.',
};

/**
 * Offers the counts of a client's ledger as metrics, by category, if the application has a meter provider. They are read
 * when metrics are collected.
 *
 * @returns removes them
 */
export function exportLedgerMetrics(client: Pick<InnerClient, 'ledger'>): () => void {
  let remove = registerMetrics(client);
  const timers = remove
    ? []
    : LOOKS_AFTER_MILLIS.map((millis) =>
        unref(
          setTimeout(() => {
            remove ??= registerMetrics(client);
          }, millis),
        ),
      );
  return () => {
    for (const timer of timers) clearTimeout(timer);
    remove?.();
    remove = undefined;
  };
}

/** @returns removes the metrics; `undefined` when there is no meter provider */
function registerMetrics({ ledger }: Pick<InnerClient, 'ledger'>): (() => void) | undefined {
  const meter = guard('the meter provider', () => metrics.getMeter('faultline', SDK_VERSION));
  if (meter === undefined || meter === createNoopMeter()) return undefined;
  return guard('the meter', () => register(meter, ledger));
}

function register(meter: Meter, ledger: InnerClient['ledger']): () => void {
  const counters = Object.entries(COUNTERS).map(([count, description]) => ({
    count: count as keyof CategoryBalance,
    instrument: meter.createObservableCounter(`faultline.${count}`, { description }),
  }));
  const discarded = meter.createObservableCounter('faultline.discarded', {
    description: 'What was given up, and why.',
  });
  const queued = meter.createObservableUpDownCounter('faultline.queued', { description: 'What has no outcome yet.' });
  const observe: BatchObservableCallback = (result) => {
    for (const [category, balance] of Object.entries(ledger.balance())) {
      for (const { count, instrument } of counters) result.observe(instrument, balance[count], { category });
      result.observe(queued, balance.queued, { category });
    }
    for (const { reason, category, quantity } of ledger.discards()) {
      result.observe(discarded, quantity, { category, reason });
    }
  };
  const instruments = [...counters.map(({ instrument }) => instrument), discarded, queued];
  meter.addBatchObservableCallback(observe, instruments);
  return () => {
    guard('the meter', () => meter.removeBatchObservableCallback(observe, instruments));
  };
}
