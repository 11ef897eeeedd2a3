import { createLogger } from '../../internal/diag.js';
import { noteMistake, takeMistakes } from '../../internal/options/mistakes.js';
import { describe } from '../../internal/values/in-message.js';
import type { Settings } from '../../model/options.js';
import { notify } from '../notify.js';
import { processWide } from '../process-wide.js';

const MAX_PROBLEMS = 100;
/** Lines on stderr about one function. A message may name a value that differs with each call. */
const MAX_LINES = 5;

const log = createLogger('options');

/**
 * Logs mistakes in the arguments of integrations and setup functions, and writes the costly ones to stderr.
 *
 * @param problems what was reported before; new mistakes are added
 */
export function reportMistakes(settings: Settings, problems: string[]): void {
  for (const { owner, problem, isCostly = true } of takeMistakes()) {
    const message = `${owner}: ${problem}`;
    if (problems.includes(message) || problems.length >= MAX_PROBLEMS) continue;
    const ofOwner = problems.filter((one) => one.startsWith(`${owner}: `));
    problems.push(message);
    log.warn(message);
    if (isCostly && ofOwner.length < MAX_LINES) notify(`mistake:${message}`, message, settings);
  }
}

/** Reports a mistake that costs data. @param owner the function that got the wrong argument */
export function reportMistake(owner: string, problem: string): void {
  noteMistake({ owner, problem });
  reportMistakesNow();
}

/** Whether a callback can be called; reports it if not. */
export function isCallback(owner: string, callback: unknown, consequence = 'nothing runs'): boolean {
  if (typeof callback === 'function') return true;
  reportMistake(owner, `the callback must be a function, but is ${describe(callback)}; ${consequence}`);
  return false;
}

/** @returns `undefined` if it is absent or not a number; the latter is reported */
export function readMillis(owner: string, millis: unknown): number | undefined {
  if (typeof millis === 'number' && !Number.isNaN(millis)) return millis;
  if (millis === undefined || millis === null) return undefined;
  reportMistake(owner, `the time must be a number of milliseconds, but is ${describe(millis)}; it is ignored`);
  return undefined;
}

/** Reports the noted mistakes through the client of `init`; before `init` they wait. */
export function reportMistakesNow(): void {
  const client = processWide().globalScope.getClient();
  if (client) reportMistakes(client.settings, processWide().observed.optionProblems);
}
