import { AsyncLocalStorage } from 'node:async_hooks';
import type { ObservedSetup } from '../context/observed/observed-setup.js';
import { reportFailedHook } from '../context/observed/report-hook.js';
import { processWide } from '../context/process-wide.js';
import { isThenable } from '../internal/guard.js';
import { unref } from '../internal/unref.js';
import { describeUnlessObject } from '../internal/values/built-in.js';
import { describeThrown } from '../internal/values/strings.js';
import { Discard, type DiscardReason } from '../model/delivery/outcome.js';
import type { Event } from '../model/event/event.js';
import type { Settings } from '../model/options.js';
import type { StepResult } from './step.js';

const CONSEQUENCE =
  'the event was discarded, as is every event for which this happens. It must return the event, or null to discard it on purpose';

/** For messages: an event without a type is an error event. */
const ERROR = 'error';

/** How long a promise of user code may delay an event. */
export const HOOK_DEADLINE_MILLIS = 10_000;

/** User code that may change an event or discard it. */
export interface EventHook {
  /** Its name in messages, for example `beforeSend`. */
  readonly what: string;
  /** Counted for the events that it discards. */
  readonly reason: DiscardReason;
  readonly settings: Settings;
  /** Whether it is the SDK's own. */
  readonly isTrusted?: boolean;
}

/** How many hooks led here, each by capturing the event that the next one got. In the async context of hooks. */
const chain = new AsyncLocalStorage<number>();

/** How many hooks led to what is captured here, even after a wait; 0 outside of hooks. */
export function chainLength(): number {
  return chain.getStore() ?? 0;
}

/** Calls user code that gets an event. */
export function inChain<T>(call: () => T): T {
  return chain.run(chainLength() + 1, call);
}

/**
 * Calls user code that gets an event, and reads the event it returns. Any other result discards the event: `null`, an
 * exception, a rejection, a promise that does not settle in time, or anything but an event of the same type. All but `null` are
 * reported.
 *
 * @param read makes an event of what was returned
 */
export function runHook(
  hook: EventHook,
  event: Event,
  call: () => unknown,
  read: (returned: Event) => Event,
): StepResult | Promise<StepResult> {
  // User code may change it.
  const { type } = event;
  const readResult = (result: unknown, observed?: ObservedSetup): StepResult => {
    if (result === null) return new Discard(hook.reason, `${hook.what} returned null`);
    const found = result === event ? undefined : describeUnlessObject(result);
    if (found !== undefined) return fail(hook, `must return null or an event, but returned ${found}`, observed);
    const returned = read(result as Event);
    if (returned.type === type) return returned;
    const types = `returned an event of the type ${returned.type ?? ERROR} for one of the type ${type ?? ERROR}`;
    return fail(hook, `must return null or an event of the same type, but ${types}`, observed);
  };
  let result: unknown;
  try {
    result = hook.isTrusted ? call() : inChain(call);
  } catch (error) {
    return fail(hook, `threw: ${describeThrown(error)}`);
  }
  return isThenable(result) ? awaitResult(hook, result, readResult) : readResult(result);
}

async function awaitResult(
  hook: EventHook,
  pending: PromiseLike<unknown>,
  readResult: (result: unknown, observed: ObservedSetup) => StepResult,
): Promise<StepResult> {
  const { observed } = processWide();
  try {
    return readResult(await withDeadline(pending), observed);
  } catch (error) {
    return fail(hook, `rejected: ${describeThrown(error)}`, observed);
  }
}

function fail({ what, reason, settings }: EventHook, problem: string, observed?: ObservedSetup): Discard {
  reportFailedHook(what, problem, CONSEQUENCE, settings, observed);
  return new Discard(reason, `${what} ${problem}`);
}

/** Rejects if the promise rejects or does not settle in time. Not `Promise.race`: thousands of events may wait. */
export function withDeadline<T>(pending: PromiseLike<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const expire = () => reject(new Error(`not settled within ${HOOK_DEADLINE_MILLIS} ms`));
    // After a suspension or a blocked event loop, timers run first; what the promise waits for may have arrived.
    const timer = unref(setTimeout(() => setImmediate(expire), HOOK_DEADLINE_MILLIS));
    const succeed = (value: T) => {
      clearTimeout(timer);
      resolve(value);
    };
    const fail = (error: unknown) => {
      clearTimeout(timer);
      reject(error);
    };
    // The detour through `Promise.resolve` also catches a `then` that throws.
    Promise.resolve(pending).then(succeed, fail);
  });
}
