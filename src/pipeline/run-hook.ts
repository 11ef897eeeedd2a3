import { isThenable } from '../internal/guard.js';
import { isArray } from '../internal/read.js';
import type { Event } from '../model/event.js';
import { Discard, type DiscardReason } from '../model/outcome.js';
import type { StepResult } from './capture.js';

/** How long a promise of user code may delay an event. */
export const HOOK_DEADLINE_MILLIS = 10_000;

type Sanitize = (returned: Event) => Event;

/**
 * Calls an event processor or hook of the user and sanitizes the event it returns. Any other result discards the event:
 * `null`, an exception, a rejection, a promise that does not settle in time, or a value that is not an event.
 *
 * @param what name of the user code in messages, for example `beforeSend`
 */
export function runHook(
  what: string,
  reason: DiscardReason,
  call: () => unknown,
  sanitize: Sanitize,
): StepResult | Promise<StepResult> {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    return new Discard(reason, `${what} threw: ${stringifySafely(error)}`);
  }
  return isThenable(result) ? awaitResult(what, reason, result, sanitize) : readResult(what, reason, result, sanitize);
}

async function awaitResult(
  what: string,
  reason: DiscardReason,
  pending: PromiseLike<unknown>,
  sanitize: Sanitize,
): Promise<StepResult> {
  try {
    return readResult(what, reason, await withDeadline(pending), sanitize);
  } catch (error) {
    return new Discard(reason, `${what} rejected: ${stringifySafely(error)}`);
  }
}

/** @throws if the promise rejects or does not settle in time */
export async function withDeadline<T>(pending: PromiseLike<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not settled within ${HOOK_DEADLINE_MILLIS} ms`)), HOOK_DEADLINE_MILLIS);
    timer.unref();
  });
  try {
    return await Promise.race([pending, expiry]);
  } finally {
    clearTimeout(timer);
  }
}

function readResult(what: string, reason: DiscardReason, result: unknown, sanitize: Sanitize): StepResult {
  if (result === null) return new Discard(reason, `${what} returned null`);
  if (typeof result === 'object' && !isArray(result)) return sanitize(result as Event);
  return new Discard(reason, `${what} must return null or an event, but returned ${typeof result}`);
}

function stringifySafely(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'an unprintable value';
  }
}
