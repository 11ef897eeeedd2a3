import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { expect } from 'vitest';
import {
  type Client,
  type ClientOptions,
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  init,
  withIsolationScope,
} from '../../src/index.js';
import type { CategoryBalance } from '../../src/model/delivery/ledger.js';
import { cpuMicrosOf } from '../support/growth.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry } from '../support/story.js';
import { LENGTH } from './runs.js';
import { checkShapes } from './shapes.js';

type Balance = Record<string, CategoryBalance>;

/** CPU time that the calls of a case may take, however large their arguments. */
const MAX_BLOCKED_MICROS = 5_000_000 * Math.max(1, LENGTH / 10);
const FLUSH_MILLIS = 30_000;

/** What has escaped into the process since it was looked at last. */
const escaped: unknown[] = [];
process.on('unhandledRejection', (reason) => escaped.push(reason));
process.on('uncaughtExceptionMonitor', (error) => escaped.push(error));

const STORE_DIRECTORY = process.env['FAULTLINE_STORE_DIR'] ?? tmpdir();
let clients = 0;

/** Each client accounts for itself: none sends what an earlier one has left on disk. */
function initApart(options: ClientOptions): Client {
  clients += 1;
  process.env['FAULTLINE_STORE_DIR'] = join(STORE_DIRECTORY, String(clients));
  return init(options);
}

/** A client and its only destination, on which one case after the other is played. */
export class Stage {
  readonly receiver: Receiver;
  client: Client;
  /** Whether the SDK may give up on something, as long as it counts it. */
  mayFail = false;
  #options: ClientOptions;
  #before: Balance = {};

  private constructor(receiver: Receiver, options: ClientOptions) {
    this.receiver = receiver;
    this.#options = options;
    this.client = initApart(options);
  }

  static async open(options: ClientOptions = {}): Promise<Stage> {
    const receiver = await startReceiver();
    return new Stage(receiver, { dsn: receiver.dsn, defaultIntegrations: false, ...options });
  }

  /** Ends the client, and takes another one, with exactly the given options. */
  async reopen(options: ClientOptions = this.#options): Promise<void> {
    await this.client.close(1000);
    resetOpenTelemetry();
    escaped.length = 0;
    this.receiver.clear();
    this.#before = {};
    this.client = initApart(options);
  }

  async close(): Promise<void> {
    await this.client.close(1000);
    await this.receiver.close();
    resetOpenTelemetry();
  }

  /**
   * Plays a case in scopes of its own, and then expects that nothing has escaped, that everything captured has ended,
   * the same way in the ledger and at the receiver, and that what has arrived is in order.
   *
   * @param arrived looks at what has arrived
   */
  async play(act: () => unknown, arrived: () => void = () => undefined): Promise<void> {
    await this.act(act);
    await this.settle(arrived);
  }

  /** Plays a case without looking at what arrives. */
  async act(act: () => unknown): Promise<void> {
    try {
      await withIsolationScope(() => blocking(act));
    } finally {
      for (const scope of [getGlobalScope(), getIsolationScope(), getCurrentScope()])
        scope.clear().setClient(undefined);
      getGlobalScope().setClient(this.client);
    }
  }

  async settle(arrived: () => void): Promise<void> {
    let isFine = false;
    try {
      await this.#settle(arrived);
      isFine = true;
    } finally {
      // What a failure has left behind must not fail the smaller cases that are tried next.
      if (!isFine) await this.reopen();
    }
  }

  async #settle(arrived: () => void): Promise<void> {
    const { receiver } = this;
    // The first flush is false when something was lost.
    expect((await this.client.flush(FLUSH_MILLIS)) || (await this.client.flush(FLUSH_MILLIS)), 'flush').toBe(true);
    // What a flush discards on its way is in the report of the next one.
    if (!this.#isTold()) expect(await this.client.flush(FLUSH_MILLIS), 'second flush').toBe(true);
    expectNothingEscaped();
    // Which trace the spans of a transaction made by hand say they are of is the application's affair.
    const violations = receiver.violations.filter((one) => !one.includes('belongs to another trace'));
    expect(violations).toEqual([]);
    expect(receiver.envelopes.flatMap(checkShapes)).toEqual([]);
    expect(this.#ledger()).toEqual(this.#arrived());
    if (!this.mayFail) expect(receiver.discardedTotal('internal_sdk_error'), 'lost to errors of the SDK').toBe(0);
    arrived();
    this.#before = this.client.ledger.balance() as Balance;
    receiver.clear();
  }

  #isTold(): boolean {
    const discarded = Object.values(this.#ledger()).reduce((sum, row) => sum + row.discarded, 0);
    return discarded === this.receiver.discardedTotal();
  }

  /** What the ledger says of this case. */
  #ledger(): Balance {
    const rows = Object.entries(this.client.ledger.balance() as Balance).map(([category, now]) => {
      const before: Partial<CategoryBalance> = this.#before[category] ?? {};
      const { captured = 0, delivered = 0, discarded = 0, queued = 0, stored = 0, recovered = 0 } = before;
      // Spans may wait for the end of a root that a case leaves open, whatever is flushed.
      const waiting = category === 'span' ? { before: queued, now: now.queued } : { before: 0, now: 0 };
      const row = {
        captured: now.captured - waiting.now - (captured - waiting.before),
        delivered: now.delivered - delivered,
        discarded: now.discarded - discarded,
        queued: now.queued - waiting.now,
        stored: now.stored - stored,
        recovered: now.recovered - recovered,
      };
      return [category, row] as const;
    });
    return Object.fromEntries(rows.filter(([, row]) => Object.values(row).some((count) => count !== 0)));
  }

  /** What the receiver says of it: what it got, and what it was told of. */
  #arrived(): Balance {
    const { receiver } = this;
    const received = receiver.counts() as Record<string, number>;
    const categories = new Set([...Object.keys(received), ...receiver.discards().map(({ category }) => category)]);
    categories.delete('internal');
    const rows = [...categories].map((category) => {
      const delivered = received[category] ?? 0;
      const discarded = receiver.discardedTotal(undefined, category as never);
      return [
        category,
        { captured: delivered + discarded, delivered, discarded, queued: 0, stored: 0, recovered: 0 },
      ] as const;
    });
    return Object.fromEntries(rows);
  }
}

/** Runs what the application would, and expects that it is not kept for long. */
export function blocking<T>(call: () => T): T {
  let result: T;
  const micros = cpuMicrosOf(() => {
    result = call();
  });
  expect(micros, 'microseconds of CPU time that the application was kept').toBeLessThan(MAX_BLOCKED_MICROS);
  return result!;
}

/** Expects that a promise settles with true or false; the test's timeout ends the wait. */
export async function expectAnswer(promise: Promise<boolean>): Promise<void> {
  expect(await promise).toBeTypeOf('boolean');
}

export function expectNothingEscaped(): void {
  expect(
    escaped.splice(0).map((one) => inspect(one)),
    'rejections nobody handled',
  ).toEqual([]);
}
