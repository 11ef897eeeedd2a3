import { createLogger } from '../../internal/diag.js';
import { takeMistakes } from '../../internal/options/mistakes.js';
import type { Settings } from '../../model/options.js';
import { getClient } from '../current-scopes.js';
import { notify } from '../notify.js';
import { processWide } from '../process-wide.js';

const MAX_PROBLEMS = 100;

const log = createLogger('options');

/**
 * Logs the mistakes in what integrations and setup functions got, and writes the costly ones to stderr, one line for each
 * function.
 *
 * @param problems lists what was reported; the mistakes are added
 */
export function reportMistakes({ quiet, enabled }: Settings, problems: string[]): void {
  for (const { owner, problem, isCostly } of takeMistakes()) {
    const message = `${owner}: ${problem}`;
    if (problems.includes(message) || problems.length >= MAX_PROBLEMS) continue;
    problems.push(message);
    log.warn(message);
    if (isCostly) notify(`mistake:${owner}`, message, { quiet: quiet || !enabled });
  }
}

/** Reports them through the current client. Without one, they wait for `init`. */
export function reportMistakesNow(): void {
  const client = getClient();
  if (client) reportMistakes(client.settings, processWide().observed.optionProblems);
}
