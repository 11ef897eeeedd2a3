import { reportFailedHook } from '../context/observed/report-hook.js';
import { isThenable } from '../internal/guard.js';
import { isArray } from '../internal/values/read.js';
import { stringifySafely } from '../internal/values/strings.js';
import { Discard, type DiscardReason } from '../model/delivery/outcome.js';
import type { Event } from '../model/event/event.js';
import type { Settings } from '../model/options.js';
import type { StepResult } from './step.js';

const CONSEQUENCE =
  'the event was discarded, and so is every other one for which this happens. It must return the event, or null to discard it on purpose';

/** How long a promise of user code may delay an event. */
export const HOOK_DEADLINE_MILLIS = 10_000;

type Sanitize = (returned: Event) => Event;

/**
 * Calls an event processor or hook of the user and sanitizes the event it returns. Any other result discards the event:
 * `null`, an exception, a rejection, a promise that does not settle in time, or a value that is not an event. All but `null`
 * are reported.
 *
 * @param what name of the user code in messages, for example `beforeSend`
 */
export function runHook(
  what: string,
  reason: DiscardReason,
  call: () => unknown,
  sanitize: Sanitize,
  settings: Settings,
): StepResult | Promise<StepResult> {
  const fail = (problem: string): Discard => {
    reportFailedHook(what, problem, CONSEQUENCE, settings);
    return new Discard(reason, `${what} ${problem}`);
  };
  const read = (result: unknown): StepResult => {
    if (result === null) return new Discard(reason, `${what} returned null`);
    if (typeof result === 'object' && !isArray(result)) return sanitize(result as Event);
    return fail(`must return null or an event, but returned ${isArray(result) ? 'an array' : typeof result}`);
  };
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    return fail(`threw: ${stringifySafely(error)}`);
  }
  return isThenable(result) ? awaitResult(result, read, fail) : read(result);
}

async function awaitResult(
  pending: PromiseLike<unknown>,
  read: (result: unknown) => StepResult,
  fail: (problem: string) => Discard,
): Promise<StepResult> {
  try {
    return read(await withDeadline(pending));
  } catch (error) {
    return fail(`rejected: ${stringifySafely(error)}`);
  }
}

/** Rejects if the promise rejects or does not settle in time. Not `Promise.race`: thousands of events may wait. */
export function withDeadline<T>(pending: PromiseLike<T>): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const expire = () => reject(new Error(`not settled within ${HOOK_DEADLINE_MILLIS} ms`));
    const timer = setTimeout(expire, HOOK_DEADLINE_MILLIS);
    timer.unref();
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
