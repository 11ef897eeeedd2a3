import { notify } from '../../context/notify.js';
import { processWide } from '../../context/process-wide.js';
import { getClient } from '../../index.js';
import { createLogger } from '../../internal/diag.js';
import { INSTEAD_OF_FEATURES } from '../../internal/options/without-effect.js';
import type { Integration } from '../../model/contracts.js';

const log = createLogger('sentry');

/** What to do instead of features of the peer that several names ask for. */
export const INSTEAD = {
  ...INSTEAD_OF_FEATURES,
  checkIns: 'Watch schedules elsewhere; wrapJob of faultline/jobs captures the errors of a job',
  flags: 'Set flags with setContext or setTag',
  spans: 'Use startSpan around the calls',
} as const;

let waiting: string[] = [];

/**
 * Logs once, by its name, that something of the peer's SDK has no effect here; the health report lists it. Before `init`
 * the message waits for it: the options of `init` are made earlier, and `debug` is one of them.
 *
 * @param instead what to do about it
 */
export function noteMissing(name: string, instead: string): void {
  const { withoutEffect } = processWide();
  if (withoutEffect.has(name)) return;
  withoutEffect.set(name, instead);
  waiting.push(name);
  logMissing();
}

/** Logs what waits, if there is a client, and writes it to stderr on one line: that of `init`, or one for a name used later. */
export function logMissing(): void {
  const settings = getClient()?.settings;
  if (!settings || waiting.length === 0) return;
  const names = waiting;
  waiting = [];
  const { withoutEffect } = processWide();
  for (const name of names) log.warn(`${name} has no effect: Faultline does not have it. ${withoutEffect.get(name)}`);
  const list = names.join(', ');
  const message = `without effect in faultline/sentry: ${list}. docs/migrate.md of the package says what to use instead, and faultline doctor lists them`;
  notify(`without-effect:${list}`, message, settings);
}

/** A function that does nothing. */
export function missing(name: string, instead: string): (...args: unknown[]) => void {
  return () => noteMissing(name, instead);
}

/** A function that returns its first argument unchanged: the client, function or object to instrument. */
export function missingWrapper(name: string, instead: string): <T>(wrapped: T, ...args: unknown[]) => T {
  return (wrapped) => {
    noteMissing(name, instead);
    return wrapped;
  };
}

/** The function `<name>Integration`, which returns an integration without effect. */
export function missingIntegration<Options extends object = object>(
  name: string,
  instead: string,
): (options?: Options) => Integration {
  return () => {
    noteMissing(`${name}Integration`, instead);
    return { name: name.replace(/^./, (first) => first.toUpperCase()) };
  };
}

/** The same for a library whose spans an instrumentation of OpenTelemetry makes: `@opentelemetry/instrumentation-<library>`. */
export function instrumentedBy(name: string, library = name): (options?: object) => Integration {
  return missingIntegration(name, `Register @opentelemetry/instrumentation-${library} for its spans`);
}
