import { noteMistake } from '../../internal/options/mistakes.js';
import { describe } from '../../internal/values/in-message.js';

/** Severity, worst first. `log` is sent as `info`. */
export type SeverityLevel = 'fatal' | 'error' | 'warning' | 'info' | 'debug' | 'log';

const NAMES = ['fatal', 'error', 'warning', 'info', 'debug', 'log'] as const satisfies SeverityLevel[];
const LEVELS: ReadonlySet<unknown> = new Set(NAMES);

/** Reads a level; reports and ignores any other value. @param owner the function that got it */
export function readSeverityLevel(owner: string, value: unknown): SeverityLevel | undefined {
  if (value === undefined || LEVELS.has(value)) return value as SeverityLevel | undefined;
  const problem = `the level must be one of ${NAMES.join(', ')}, but is ${describe(value)}; it is ignored`;
  noteMistake({ owner, problem });
  return undefined;
}
