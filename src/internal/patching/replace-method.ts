import { define } from '../values/set-own.js';

/**
 * Replaces a method of an object, inherited or its own.
 *
 * @returns a function that restores the method, unless other code has replaced it since
 */
export function replaceMethod(target: object, name: string, replacement: unknown): () => void {
  const own = Object.getOwnPropertyDescriptor(target, name);
  const { enumerable = false } = own ?? {};
  define(target, name, { value: replacement, configurable: true, writable: true, enumerable });
  return () => {
    if ((target as Record<string, unknown>)[name] !== replacement) return;
    if (own) define(target, name, own);
    else Reflect.deleteProperty(target, name);
  };
}

/** Combines functions that undo something into one. */
export function undoAll(undo: readonly (() => void)[]): () => void {
  return () => {
    for (const one of undo) one();
  };
}
