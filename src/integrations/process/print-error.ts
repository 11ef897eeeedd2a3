import { inspect } from 'node:util';
import { guardOwn } from '../../internal/guard.js';
import { writeToStderr } from '../../internal/node/stderr.js';
import { isObjectOrFunction } from '../../internal/values/read.js';

const MIN_INSPECTION_DEPTH = 5;
/** Node defines this property on errors emitted as `error`. It returns the stack with the emitter's stack appended. */
const ENHANCE_STACK = 'kEnhanceStackBeforeInspector';

/** Writes a warning about an unhandled rejection to stderr, as Node does with `--unhandled-rejections=warn`. */
export function printRejectionWarning(reason: unknown): void {
  writeToStderr(`(node:${process.pid}) UnhandledPromiseRejectionWarning: ${printError(reason)}\n`);
}

/** Writes an exception to stderr as Node does, without the line of source code, which only Node knows. */
export function printFatal(error: unknown): void {
  const hint = isObjectOrFunction(error)
    ? ''
    : '\n(Use `node --trace-uncaught ...` to show where the exception was thrown)';
  writeToStderr(`${printError(error)}${hint}\n\nNode.js ${process.version}\n`);
}

function printError(error: unknown): string {
  if (!isObjectOrFunction(error)) return typeof error === 'symbol' ? '' : String(error);
  const colors = process.stderr.isTTY === true && process.stderr.hasColors();
  const depth = Math.max(inspect.defaultOptions.depth ?? Number.POSITIVE_INFINITY, MIN_INSPECTION_DEPTH);
  return guardOwn(
    'printing an error',
    () => {
      addEmitterToStack(error);
      return inspect(error, { colors, customInspect: false, depth });
    },
    '[unprintable]',
  );
}

/** Adds `Emitted 'error' event at: ...` to the stack of an error that was emitted without a listener. */
function addEmitterToStack(error: object): void {
  const key = Object.getOwnPropertySymbols(error).find(({ description }) => description === ENHANCE_STACK);
  if (key === undefined) return;
  const enhance = (error as Record<symbol, unknown>)[key];
  // The stack of an error from a worker thread is read-only since Node 22; Node does not add to it then either.
  if (typeof enhance === 'function') Reflect.set(error, 'stack', enhance.call(error));
}
