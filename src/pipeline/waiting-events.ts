import { AsyncResource } from 'node:async_hooks';
import { monotonicMillis } from '../internal/clock.js';
import { type Linkable, LinkedSet } from '../internal/collections/linked-set.js';
import { isPending } from '../internal/guard.js';
import { runDetached } from '../internal/run-detached.js';
import { unref } from '../internal/unref.js';
import type { Priority } from '../model/delivery/item-types.js';
import { estimateEventBytes } from './event-size.js';
import { inUserCodeAtEnd } from './pipeline.js';
import type { Finish, StepResult } from './step.js';

const ERROR_PRIORITY = 0;
const MAX_EVENTS = 5000;
const MAX_BYTES = 64 * 1024 * 1024;
/** The rest of the bytes is for errors. */
const MAX_BYTES_BELOW_ERRORS = 48 * 1024 * 1024;
/** Fewer events are not measured: measuring costs time, and so few cannot take much memory. */
const MEASURED_FROM_EVENTS = 50;
/** How long later events wait for an earlier one, so that one hanging hook does not delay all others. */
const PATIENCE_MILLIS = 2000;

interface Slot extends Linkable<Slot> {
  readonly isError: boolean;
  readonly finish: Finish;
  readonly settle: (result: StepResult) => void;
  readonly sinceMillis: number;
  readonly bytes: number;
  result?: StepResult;
  /** Whether `finish` was called: user code that gets the event then may end the process again. */
  isFinishing?: boolean;
}

/**
 * Events that wait between capture and send: for promises of user code or of integrations, or for an event that was
 * captured earlier. They are settled in capture order, unless one takes too long. Bounded in number and in bytes.
 */
export class WaitingEvents {
  /** In capture order. */
  readonly #line = new LinkedSet<Slot>();
  /** Events that took too long and lost their place in the order. */
  readonly #overtaken = new LinkedSet<Slot>();
  #errors = 0;
  #bytes = 0;
  #timer: NodeJS.Timeout | undefined;
  /** Settles when no event is waiting; shared, because an event may wait for ever, and flushes come often. */
  #idle: { readonly promise: Promise<void>; readonly resolve: () => void } | undefined;

  /** Whether there is no room for an event of a priority. Errors have places that others cannot take. */
  isFull(priority: Priority): boolean {
    if (priority === ERROR_PRIORITY) return this.#errors >= MAX_EVENTS || this.#bytes >= MAX_BYTES;
    return this.#count >= MAX_EVENTS || this.#bytes >= MAX_BYTES_BELOW_ERRORS;
  }

  /**
   * Calls `settle` exactly once with the result: synchronously when there is nothing to wait for.
   *
   * @param priority the priority of the event
   * @param data what the waiting event keeps in memory
   * @param finish ends the wait for the promise
   */
  add(
    result: StepResult | Promise<StepResult>,
    priority: Priority,
    data: unknown,
    finish: Finish,
    settle: (result: StepResult) => void,
  ): void {
    if (!isPending(result) && this.#line.size === 0) {
      settle(result);
      return;
    }
    const slot = this.#append(priority, data, finish, settle);
    if (isPending(result)) {
      runDetached(
        'processing an event',
        result.then((one) => this.#end(slot, one)),
      );
    } else {
      this.#end(slot, result);
    }
  }

  /** Waits until no event is waiting, including events captured meanwhile. */
  async settled(): Promise<void> {
    if (this.#count === 0) return;
    if (this.#idle === undefined) {
      let resolve = () => {};
      const promise = new Promise<void>((settle) => {
        resolve = settle;
      });
      this.#idle = { promise, resolve };
    }
    await this.#idle.promise;
  }

  /** Settles what waits only for an earlier event, although that one has not waited long. */
  overtake(): void {
    this.#advance(0);
  }

  /** Settles all waiting events now, in capture order, because the client is closed or the process ends. */
  finish(): void {
    for (const slot of [...this.#overtaken, ...this.#line]) {
      const isInUserCode = slot.isFinishing && slot.result === undefined;
      slot.isFinishing = true;
      let result = isInUserCode ? inUserCodeAtEnd() : (slot.result ?? slot.finish());
      // Finishing may wait again, but ends: a pipeline has a fixed number of steps.
      while (isPending(result)) result = slot.finish();
      this.#settle(slot, result);
    }
    clearTimeout(this.#timer);
  }

  get #count(): number {
    return this.#line.size + this.#overtaken.size;
  }

  #append(priority: Priority, data: unknown, finish: Finish, settle: (result: StepResult) => void): Slot {
    const bytes = this.#count < MEASURED_FROM_EVENTS ? 0 : estimateEventBytes(data);
    // An event may be settled in the async context of the previous one. Not `AsyncResource.bind`, which takes much longer.
    const resource = new AsyncResource('FaultlineWaitingEvent');
    const settleInContext = (result: StepResult) => resource.runInAsyncScope(settle, undefined, result);
    const isError = priority === ERROR_PRIORITY;
    const sinceMillis = monotonicMillis();
    const slot: Slot = { isError, finish, settle: settleInContext, sinceMillis, bytes };
    this.#line.add(slot);
    if (isError) this.#errors += 1;
    this.#bytes += bytes;
    return slot;
  }

  #end(slot: Slot, result: StepResult): void {
    if (this.#overtaken.has(slot)) {
      this.#settle(slot, result);
    } else if (this.#line.has(slot)) {
      slot.result = result;
      this.#advance();
    }
  }

  /** Settles the events at the head of the queue that are ready, and lets others overtake a slow one. */
  #advance(patienceMillis = PATIENCE_MILLIS): void {
    for (const slot of this.#line) {
      if (slot.result !== undefined) {
        this.#settle(slot, slot.result);
        continue;
      }
      const remainingMillis = slot.sinceMillis + patienceMillis - monotonicMillis();
      if (remainingMillis > 0) {
        this.#advanceIn(remainingMillis);
        return;
      }
      this.#line.delete(slot);
      this.#overtaken.add(slot);
    }
  }

  #advanceIn(millis: number): void {
    this.#timer ??= unref(
      setTimeout(() => {
        this.#timer = undefined;
        this.#advance();
      }, millis),
    );
  }

  #settle(slot: Slot, result: StepResult): void {
    this.#line.delete(slot);
    this.#overtaken.delete(slot);
    if (slot.isError) this.#errors -= 1;
    this.#bytes -= slot.bytes;
    slot.settle(result);
    if (this.#count > 0) return;
    this.#idle?.resolve();
    this.#idle = undefined;
  }
}
