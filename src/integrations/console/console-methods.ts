import { guardOwn } from '../../internal/guard.js';
import { noteMistake } from '../../internal/options/mistakes.js';
import { replaceMethod } from '../../internal/patching/replace-method.js';
import { likeOriginal, markWrapped } from '../../internal/patching/wrapped.js';
import { describe } from '../../internal/values/in-message.js';
import type { Called } from '../../model/hint.js';

/** Methods of the console that can be observed. */
export const CONSOLE_METHODS = ['debug', 'info', 'warn', 'error', 'log', 'trace', 'assert'] as const;

/** One of them. */
export type ConsoleMethod = (typeof CONSOLE_METHODS)[number];

/** Observes messages, except those logged meanwhile and those that console methods write by calling one another. */
interface ConsoleObserver {
  before?(method: ConsoleMethod, args: readonly unknown[]): void;
  /** Called when the message is written; calls made meanwhile are observed again. @param called by the application */
  after?(method: ConsoleMethod, args: readonly unknown[], called: Called): void;
}

const MAX_ARGUMENTS = 20;

/** How logged objects are printed. */
export const INSPECTION = {
  depth: 2,
  maxArrayLength: 20,
  maxStringLength: 2000,
  breakLength: Number.POSITIVE_INFINITY,
};

/** Reads the option `levels`. @param owner the function that got it */
export function readLevels(owner: string, levels: readonly unknown[]): readonly ConsoleMethod[] {
  const unknown = levels.filter((level) => !CONSOLE_METHODS.includes(level as ConsoleMethod));
  const problem = `levels: must be methods of the console (${CONSOLE_METHODS.join(', ')}), but one is ${describe(unknown[0])}; it is ignored`;
  if (unknown.length > 0) noteMistake({ owner, problem });
  return CONSOLE_METHODS.filter((method) => levels.includes(method));
}

/** @returns restores the methods; one that other code has wrapped since stays, and does nothing more */
export function observeConsole(methods: readonly ConsoleMethod[], observer: ConsoleObserver): () => void {
  const target: Console = globalThis.console;
  let isBusy = false;
  /** Not kept once it is stopped: the wrapper may stay. */
  let active: ConsoleObserver | undefined = observer;
  const wrap = (method: ConsoleMethod): (() => void) => {
    const original = target[method] as ((...args: unknown[]) => unknown) | undefined;
    // The application has removed it.
    if (typeof original !== 'function') return () => undefined;
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
      if (isBusy || !active) return Reflect.apply(original, this, args);
      isBusy = true;
      try {
        guardOwn('observing the console', () => active?.before?.(method, args));
        return Reflect.apply(original, this, args);
      } finally {
        isBusy = false;
        guardOwn('observing the console', () => active?.after?.(method, args, wrapper));
      }
    };
    return replaceMethod(target, method, markWrapped(likeOriginal(wrapper, original), original));
  };
  const restores = methods.map((method) => guardOwn(`console.${method}`, () => wrap(method)));
  return () => {
    active = undefined;
    for (const restore of restores) restore?.();
  };
}

/** The logged values; `undefined` for an assertion that holds, which logs nothing. */
export function loggedBy(method: ConsoleMethod, args: readonly unknown[]): readonly unknown[] | undefined {
  if (method !== 'assert') return args.slice(0, MAX_ARGUMENTS);
  return args[0] ? undefined : args.slice(1, MAX_ARGUMENTS + 1);
}

/** What Node prints of a failed assertion. @param text of what was logged */
export function describeAssertion(text: string): string {
  return text === '' ? 'Assertion failed' : `Assertion failed: ${text}`;
}
