import type { ObservedSetup } from '../context/observed/observed-setup.js';
import { reportFailedHook } from '../context/observed/report-hook.js';
import { processWide } from '../context/process-wide.js';
import { isThenable } from '../internal/guard.js';
import { isArray } from '../internal/values/read.js';
import { describeThrown } from '../internal/values/strings.js';
import { Discard, type DiscardReason } from '../model/delivery/outcome.js';
import type { Event } from '../model/event/event.js';
import type { Settings } from '../model/options.js';
import type { StepResult } from './step.js';

const CONSEQUENCE =
  'the event was discarded, as is every event for which this happens. It must return the event, or null to discard it on purpose';

/** How long a promise of user code may delay an event. */
export const HOOK_DEADLINE_MILLIS = 10_000;

/** User code that may change an event or discard it. */
export interface EventHook {
  /** Its name in messages, for example `beforeSend`. */
  readonly what: string;
  /** Counted for the events that it discards. */
  readonly reason: DiscardReason;
  readonly settings: Settings;
}

type Sanitize = (returned: Event) => Event;

/**
 * Calls user code and sanitizes the event it returns. Any other result discards the event: `null`, an exception, a
 * rejection, a promise that does not settle in time, or a value that is not an event. All but `null` are reported.
 */
export function runHook(hook: EventHook, call: () => unknown, sanitize: Sanitize): StepResult | Promise<StepResult> {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    return fail(hook, `threw: ${describeThrown(error)}`);
  }
  return isThenable(result) ? awaitResult(hook, result, sanitize) : readResult(hook, result, sanitize);
}

async function awaitResult(hook: EventHook, pending: PromiseLike<unknown>, sanitize: Sanitize): Promise<StepResult> {
  const { observed } = processWide();
  try {
    return readResult(hook, await withDeadline(pending), sanitize, observed);
  } catch (error) {
    return fail(hook, `rejected: ${describeThrown(error)}`, observed);
  }
}

function readResult(hook: EventHook, result: unknown, sanitize: Sanitize, observed?: ObservedSetup): StepResult {
  if (result === null) return new Discard(hook.reason, `${hook.what} returned null`);
  if (typeof result === 'object' && !isArray(result)) return sanitize(result as Event);
  const type = isArray(result) ? 'an array' : typeof result;
  return fail(hook, `must return null or an event, but returned ${type}`, observed);
}

function fail({ what, reason, settings }: EventHook, problem: string, observed?: ObservedSetup): Discard {
  reportFailedHook(what, problem, CONSEQUENCE, settings, observed);
  return new Discard(reason, `${what} ${problem}`);
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
