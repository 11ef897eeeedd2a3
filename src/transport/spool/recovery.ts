import { setTimeout as sleep } from 'node:timers/promises';
import { settlesWithin } from '../../internal/deadline.js';
import { runDetached } from '../../internal/run-detached.js';
import { unref } from '../../internal/unref.js';
import type { MaySend } from '../../model/delivery/store.js';
import type { Queue } from '../stages/queue.js';
import type { Spool } from './spool.js';

/** Waits until the application has started. */
const START_MILLIS = 200;
/** Pause between two envelopes, so that the server gets the backlog of an outage in small portions. */
const PAUSE_MILLIS = 5;
/** How often to look for what other processes have stored, what dead ones held, and what a rate limit has delayed. */
const SCAN_INTERVAL_MILLIS = 30_000;
/** Delay after something could not be read, for example because too many files are open. Doubles with each attempt. */
const FIRST_RETRY_MILLIS = 500;

/** Sends what this and other processes have stored: in the background, one by one, while no new ones wait. */
export class Recovery {
  readonly #spool: Spool;
  readonly #queue: Pick<Queue, 'isIdle' | 'send'>;
  readonly #maySend: MaySend;
  readonly #interval: NodeJS.Timeout;
  #running: Promise<void> | undefined;
  /** The first look, or the next one after something could not be read. */
  #nextScan: NodeJS.Timeout;
  #retryMillis = FIRST_RETRY_MILLIS;
  /** Number of calls of `sendAll` that wait for the run. */
  #waiters = 0;
  #isClosed = false;

  /** @param maySend whether no rate limit would discard an envelope's first item; otherwise it stays stored */
  constructor(spool: Spool, queue: Pick<Queue, 'isIdle' | 'send'>, maySend: MaySend) {
    this.#spool = spool;
    this.#queue = queue;
    this.#maySend = maySend;
    this.#nextScan = unref(setTimeout(() => this.#scan(), START_MILLIS));
    this.#interval = unref(setInterval(() => this.#scan(), SCAN_INTERVAL_MILLIS));
  }

  /** Whether an envelope is being sent, or waits for its turn. */
  get isSending(): boolean {
    return this.#running !== undefined;
  }

  /** Continues, if there may be something to send and it may be sent now. */
  wake(): void {
    if (this.#running || !this.#isReady) return;
    this.#running = this.#run();
    runDetached('sending stored envelopes', this.#running);
  }

  /** Sends at once, without pauses. Resolves when nothing is stored any longer, when it cannot be sent now, or at the timeout. */
  async sendAll(timeoutMillis: number): Promise<void> {
    this.#waiters += 1;
    // Another process or thread may have stored something since the last look.
    this.#scan();
    await settlesWithin(this.#running ?? Promise.resolve(), timeoutMillis);
    this.#waiters -= 1;
  }

  close(): void {
    this.#isClosed = true;
    clearInterval(this.#interval);
    clearTimeout(this.#nextScan);
  }

  #scan(): void {
    this.#spool.mayHaveMore = true;
    this.wake();
  }

  get #isReady(): boolean {
    return !this.#isClosed && this.#spool.mayHaveMore && this.#queue.isIdle;
  }

  async #run(): Promise<void> {
    try {
      while (this.#isReady) {
        const envelope = await this.#spool.take(this.#maySend);
        if (envelope === undefined) {
          if (this.#spool.mayTakeLater) this.#retryLater();
          return;
        }
        this.#retryMillis = FIRST_RETRY_MILLIS;
        this.#spool.settle(envelope, await this.#queue.send(envelope));
        if (this.#waiters === 0) await sleep(PAUSE_MILLIS, undefined, { ref: false });
      }
    } finally {
      this.#running = undefined;
    }
  }

  #retryLater(): void {
    if (this.#isClosed || this.#retryMillis >= SCAN_INTERVAL_MILLIS) return;
    clearTimeout(this.#nextScan);
    this.#nextScan = unref(setTimeout(() => this.#scan(), this.#retryMillis));
    this.#retryMillis *= 2;
  }
}
