import type { Discard } from '../../receiver/received.js';
import { plural } from '../../receiver/render/describe-event.js';
import { toLine } from '../../receiver/render/inert.js';

const MAX_LENGTH = 40;

const PROCESSORS = 'an event processor or an integration';
const HOOKS = 'beforeSendTransaction or ignoreSpans';
const END = 'the command ended before it was sent, as with process.exit()';
const RATES = 'tracesSampleRate, tracesSampler or the caller';

/** What discards data for a reason, by category. */
const CAUSES: Record<string, Record<string, string>> = {
  sample_rate: { error: 'sampleRate', transaction: RATES, span: RATES },
  before_send: { error: 'beforeSend', transaction: HOOKS, span: HOOKS },
  event_processor: {
    error: `ignoreErrors, allowUrls, denyUrls, ${PROCESSORS}`,
    transaction: `ignoreTransactions, ignoreStatusCodes, ${PROCESSORS}`,
  },
  backpressure: { error: 'maxSameErrorsPerSecond' },
  network_error: { transaction: END, span: END },
};

/** `1 error (event_processor: ignoreErrors, …)`: how much was discarded, why, and by what. */
export function describeDiscard({ quantity, category, reason }: Discard): string {
  const cause = CAUSES[reason]?.[category];
  const why = toLine(reason, MAX_LENGTH) + (cause ? `: ${cause}` : '');
  return `${plural(quantity, toLine(category, MAX_LENGTH))} (${why})`;
}

/** Pairs of reason and category that are counted: a sender could make up any number. */
const MAX_KINDS = 100;

/** Adds up what was discarded. */
export class DiscardTally {
  readonly #sums = new Map<string, Discard>();

  add(discard: Discard): void {
    const key = `${discard.category} ${discard.reason}`;
    const sum = this.#sums.get(key);
    if (!sum && this.#sums.size >= MAX_KINDS) return;
    this.#sums.set(key, { ...discard, quantity: discard.quantity + (sum?.quantity ?? 0) });
  }

  /** @param category only this one. @returns an empty string if there was nothing */
  describe(category?: string): string {
    const sums = [...this.#sums.values()].filter((one) => category === undefined || one.category === category);
    return sums.map(describeDiscard).join(', ');
  }
}
