import { replaceMethod } from '../patching/replace-method.js';

/**
 * Calls a function at the end of the process: as the first listener for `exit`, else as the last thing that `process.exit()`
 * does. A listener in front of it that calls `process.exit()` ends the process at once, and applications may remove all
 * listeners. If the function itself ends the process, it is called again.
 *
 * @returns a function that takes both back
 */
export function onProcessExit(run: () => void): () => void {
  let hasRun = false;
  const runOnce = () => {
    if (hasRun) return;
    run();
    hasRun = true;
  };
  process.prependListener('exit', runOnce);
  const restore = beforeLeaving(runOnce);
  return () => {
    process.off('exit', runOnce);
    // Others may have replaced `reallyExit` since, and still call the function that stood there.
    hasRun = true;
    restore();
  };
}

/** Node calls `reallyExit` through the property, for those who replace it. */
function beforeLeaving(run: () => void): () => void {
  const { reallyExit } = process as { reallyExit?: (code?: number) => never };
  if (typeof reallyExit !== 'function') return () => undefined;
  const replacement = function (this: unknown, ...args: [code?: number]): never {
    run();
    return reallyExit.apply(this, args);
  };
  return replaceMethod(process, 'reallyExit', replacement);
}
