import { notify } from '../context/notify.js';
import { processWide } from '../context/process-wide.js';
import { createLogger } from '../internal/diag.js';
import { toPrintable } from '../internal/values/printable.js';
import type { Settings } from '../model/options.js';

const MAX_HOOKS = 20;
const MAX_LENGTH = 300;

const log = createLogger('user-code');

/**
 * Reports user code that fails, once per process: the data passed to it is discarded, and nothing else says so.
 *
 * @param what name of the user code, for example `beforeSend`
 * @param problem what it did, for example `threw: Error: no`
 * @param unit what is discarded
 */
export function reportFailedHook(
  what: string,
  problem: string,
  { quiet }: Pick<Settings, 'quiet'>,
  unit: 'event' | 'span' = 'event',
): void {
  const { failedHooks } = processWide().observed;
  if (failedHooks.has(what) || failedHooks.size >= MAX_HOOKS) return;
  const failure = toPrintable(`${what} ${problem}`, MAX_LENGTH);
  failedHooks.set(what, failure);
  const remedy = unit === 'event' ? 'return the event, or null to discard it on purpose' : 'return the span';
  const message = `${failure}; the ${unit} was discarded, and so is every other one for which this happens. It must ${remedy}`;
  log.error(message);
  notify(`hook-fails:${what}`, message, { quiet });
}
