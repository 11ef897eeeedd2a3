import { types } from 'node:util';
import { copyOwn, isThenable } from '../internal/guard.js';
import { isArray } from '../internal/read.js';
import type { Event } from '../model/event.js';
import { Discard, type DiscardReason } from '../model/outcome.js';
import type { StepResult } from './capture.js';

/** How long a promise of the host may keep an event waiting. */
export const HOOK_DEADLINE_MILLIS = 10_000;

/**
 * Calls a processor or hook of the host and reads what it returns: an event goes on, `null` discards it, and so does
 * everything else that can come of it (an exception, a rejection, a promise that does not settle in time, nonsense).
 *
 * @param what names the code in messages, for example `beforeSend`
 */
export function runHook(what: string, reason: DiscardReason, call: () => unknown): StepResult | Promise<StepResult> {
  let result: unknown;
  try {
    result = call();
  } catch (error) {
    return new Discard(reason, `${what} threw: ${stringifySafely(error)}`);
  }
  return isThenable(result) ? awaitHost(what, reason, result) : readResult(what, reason, result);
}

async function awaitHost(what: string, reason: DiscardReason, pending: PromiseLike<unknown>): Promise<StepResult> {
  try {
    const result = await withDeadline(pending);
    return readResult(what, reason, result);
  } catch (error) {
    return new Discard(reason, `${what} rejected: ${stringifySafely(error)}`);
  }
}

/** @throws when the promise rejects or does not settle in time */
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

function readResult(what: string, reason: DiscardReason, result: unknown): StepResult {
  if (result === null) return new Discard(reason, `${what} returned null`);
  if (isEvent(result)) return toReadable(result);
  return new Discard(reason, `${what} must return null or an event, but returned ${typeof result}`);
}

/** What is more than a plain object, or cannot be read, is copied as far as it can be read. */
function toReadable(event: Event): Event {
  try {
    Object.values(event);
    return types.isProxy(event) || Object.getPrototypeOf(event) !== Object.prototype ? copyOwn(event) : event;
  } catch {
    return copyOwn(event);
  }
}

function isEvent(value: unknown): value is Event {
  return typeof value === 'object' && value !== null && !isArray(value);
}

function stringifySafely(error: unknown): string {
  try {
    return String(error);
  } catch {
    return 'an unprintable value';
  }
}
