import { createLogger } from '../../internal/diag.js';
import { isThenable } from '../../internal/guard.js';
import { runDetached } from '../../internal/run-detached.js';
import { toPrintable } from '../../internal/values/printable.js';
import { describeThrown } from '../../internal/values/strings.js';
import type { Settings } from '../../model/options.js';
import { notify } from '../notify.js';
import { processWide } from '../process-wide.js';
import type { ObservedSetup } from './observed-setup.js';

const MAX_HOOKS = 20;
const MAX_LENGTH = 300;

const log = createLogger('user-code');

/**
 * Reports user code that fails, once per process: its result is missing, and nothing else says so.
 *
 * @param what name of the user code, for example `beforeSend`
 * @param problem what it did, for example `threw: Error: no`
 * @param consequence what that means, and what the code must do
 * @param observed the observations at the time of the call: a failure for a client that `init` has replaced since is not
 *   reported for the new one
 */
export function reportFailedHook(
  what: string,
  problem: string,
  consequence: string,
  { quiet }: Pick<Settings, 'quiet'>,
  observed: ObservedSetup = processWide().observed,
): void {
  const { failedHooks } = observed;
  if (observed !== processWide().observed || failedHooks.has(what) || failedHooks.size >= MAX_HOOKS) return;
  const failure = toPrintable(`${what} ${problem}`, MAX_LENGTH);
  failedHooks.set(what, failure);
  const message = `${failure}; ${consequence}`;
  log.error(message);
  notify(`hook-fails:${what}`, message, { quiet });
}

/** What a function of the user must do, and what happens if it does not. */
interface Duty {
  /** What was done instead, and what the function must return. */
  readonly consequence: string;
  /** The problem with an answer; `undefined` for a good one. */
  readonly findProblem?: (answer: unknown) => string | undefined;
}

/**
 * Calls user code that must answer synchronously, and reports it if it throws, or if its answer has a problem.
 *
 * @returns its answer; `undefined` if it threw, or returned a promise or an answer with a problem
 */
export function askUserCode(
  what: string,
  call: () => unknown,
  { consequence, findProblem }: Duty,
  settings: Pick<Settings, 'quiet'> | undefined,
): unknown {
  let answer: unknown;
  let problem: string | undefined;
  try {
    answer = call();
    problem = isThenable(answer) ? 'must answer at once, but returned a promise' : findProblem?.(answer);
  } catch (error) {
    problem = `threw: ${describeThrown(error)}`;
  }
  if (problem === undefined) return answer;
  if (isThenable(answer)) runDetached(what, answer);
  reportFailedHook(what, problem, consequence, settings ?? { quiet: false });
  return undefined;
}
