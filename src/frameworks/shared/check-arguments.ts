import { reportMistake } from '../../context/observed/report-mistakes.js';
import { processWide } from '../../context/process-wide.js';
import { describe } from '../../internal/values/in-message.js';
import { readProperty } from '../../internal/values/read.js';
import { describeThrown } from '../../internal/values/strings.js';

/**
 * Runs a setup function, unless its application lacks one of the methods: then it is another framework's, or none.
 *
 * @param caller the setup function that users call
 */
export function setUpApp(caller: string, app: unknown, methods: readonly string[], setUp: () => void): void {
  const missing = methods.filter((method) => typeof readProperty(app, method) !== 'function');
  if (missing.length === 0) {
    try {
      setUp();
    } catch (error) {
      reportMistake(caller, `it threw: ${describeThrown(error)}; errors of the application may not be captured`);
    }
    return;
  }
  const lacking = missing.map((method) => `${method}()`).join(' and ');
  reportMistake(
    caller,
    `the first argument must be the application, but is ${describe(app)} without ${lacking}; its errors are not captured. docs/frameworks.md names the function of each framework`,
  );
}

/** Says that a setup function was passed to `app.use` in place of being called. */
export function noteUseAsMiddleware(caller: string): void {
  processWide().hasErrorHandler = true;
  reportMistake(
    caller,
    `is not a middleware and captures no errors: call ${caller}(app) instead of app.use(${caller})`,
  );
}

/**
 * Lets a function that makes a plugin say so if it is passed as the plugin: servers look for members of plugins, and find this
 * one on the function.
 */
export function expectCall(makePlugin: (...args: never[]) => object, hook: string): void {
  const value = () =>
    reportMistake(
      makePlugin.name,
      `it is a function that makes the plugin, and captures no errors: call ${makePlugin.name}()`,
    );
  Object.defineProperty(makePlugin, hook, { value });
}

/** Returns `next` if a setup function is called as middleware, with a context and `next`. */
export function findNext(caller: string, app: unknown, options: unknown): (() => unknown) | undefined {
  if (typeof options !== 'function' || typeof readProperty(app, 'use') === 'function') return undefined;
  noteUseAsMiddleware(caller);
  return options as () => unknown;
}

/** Whether what is to be wrapped is a function. */
export function isHandler(caller: string, handler: unknown): boolean {
  if (typeof handler === 'function') return true;
  reportMistake(caller, `the handler must be a function, but is ${describe(handler)}; nothing is wrapped`);
  return false;
}
