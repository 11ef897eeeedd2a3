import type { Json } from '../../receiver/received.js';
import { type RenderOptions, renderError, renderRepeatedError } from '../../receiver/render/render-error.js';
import { renderTrace } from '../../receiver/render/render-trace.js';
import { DiscardTally, describeDiscard } from './describe-discard.js';
import { describeUncaptured } from './describe-uncaptured.js';
import type { EventStore } from './event-store.js';
import type { Received } from './server.js';

/** A trace is printed when nothing of it has arrived for this long. */
const QUIET_MILLIS = 1000;
/** More in one second would only scroll by; the page has them all. */
const MAX_PRINTED_PER_SECOND = 20;
/** Spans that are of no use without a parent, such as a request that a script sends. */
const NO_LOSS = 'no_parent_span';
const MAX_OPEN_TRACES = 1000;
const MAX_EVENTS_OF_TRACE = 1000;
/** Issues whose events are counted. */
const MAX_GROUPS = 10_000;

interface OpenTrace {
  readonly transactions: Json[];
  timer?: NodeJS.Timeout;
}

/** Prints errors when they arrive, the stack once for each issue, and traces when they are complete. */
export class LivePrinter {
  readonly #write: (text: string) => void;
  readonly #options: RenderOptions;
  readonly #store: Pick<EventStore, 'errorsOf'>;
  /** What applications have reported as discarded. */
  readonly discarded = new DiscardTally();
  readonly #countOf = new Map<string, number>();
  readonly #openTraces = new Map<string, OpenTrace>();
  #printed = 0;
  #omitted = 0;
  #second: NodeJS.Timeout | undefined;

  /** @param store has the errors of traces, which may arrive long before the transaction */
  constructor(write: (text: string) => void, options: RenderOptions, store: Pick<EventStore, 'errorsOf'>) {
    this.#write = write;
    this.#options = options;
    this.#store = store;
  }

  show({ added, discards }: Received): void {
    for (const { summary, event } of added) {
      const { kind, group, traceId } = summary;
      if (kind === 'error') this.#print(() => this.#renderError(event, group));
      this.#collect(traceId, kind === 'error' ? undefined : event);
    }
    for (const discard of discards) {
      if (discard.reason === NO_LOSS) continue;
      this.discarded.add(discard);
      this.#print(() => `the SDK discarded ${describeDiscard(discard)}`);
    }
  }

  /** Prints the traces that are waiting for their last parts. */
  finish(): void {
    for (const traceId of [...this.#openTraces.keys()]) this.#finishTrace(traceId);
    this.#endSecond();
  }

  #renderError(event: Json, group: string): string {
    const count = (this.#countOf.get(group) ?? 0) + 1;
    if (this.#countOf.size < MAX_GROUPS || count > 1) this.#countOf.set(group, count);
    return count === 1 ? renderError(event, this.#options) : renderRepeatedError(event, count, this.#options);
  }

  /** @param transaction absent for an error, which delays the end of its trace as well */
  #collect(traceId: string, transaction: Json | undefined): void {
    const open = this.#openTraces.get(traceId) ?? { transactions: [] };
    if (traceId === '' || (open.transactions.length === 0 && !transaction)) return;
    if (!this.#openTraces.has(traceId) && this.#openTraces.size >= MAX_OPEN_TRACES) {
      this.#finishTrace(this.#openTraces.keys().next().value!);
    }
    this.#openTraces.set(traceId, open);
    if (transaction && open.transactions.length < MAX_EVENTS_OF_TRACE) open.transactions.push(transaction);
    clearTimeout(open.timer);
    open.timer = setTimeout(() => this.#finishTrace(traceId), QUIET_MILLIS).unref();
  }

  #finishTrace(traceId: string): void {
    const { transactions, timer } = this.#openTraces.get(traceId)!;
    clearTimeout(timer);
    this.#openTraces.delete(traceId);
    this.#print(() => this.#renderTrace(transactions, this.#store.errorsOf(traceId, MAX_EVENTS_OF_TRACE)));
  }

  #renderTrace(transactions: readonly Json[], errors: readonly Json[]): string {
    const trace = renderTrace(transactions, errors, this.#options.paint);
    const uncaptured = describeUncaptured(transactions, errors, this.discarded.describe('error'));
    return uncaptured === undefined ? trace : `${trace}\n${uncaptured}`;
  }

  #print(render: () => string): void {
    this.#second ??= setTimeout(() => this.#endSecond(), 1000).unref();
    if (this.#printed >= MAX_PRINTED_PER_SECOND) {
      this.#omitted += 1;
      return;
    }
    this.#printed += 1;
    this.#write(`${render()}\n\n`);
  }

  #endSecond(): void {
    clearTimeout(this.#second);
    this.#second = undefined;
    if (this.#omitted > 0) this.#write(`… ${this.#omitted} more in this second; the page shows them.\n\n`);
    this.#printed = 0;
    this.#omitted = 0;
  }
}
