/** Severity, worst first. `log` is sent as `info`. */
export type SeverityLevel = 'fatal' | 'error' | 'warning' | 'info' | 'debug' | 'log';

const LEVELS: ReadonlySet<unknown> = new Set<SeverityLevel>(['fatal', 'error', 'warning', 'info', 'debug', 'log']);

/** Whether a value is one of the severity levels. */
export function isSeverityLevel(value: unknown): value is SeverityLevel {
  return LEVELS.has(value);
}
