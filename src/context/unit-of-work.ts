import type { Scope } from '../model/scope/scope.js';
import { processWide } from './process-wide.js';

/**
 * The outermost unit of work that an isolation scope belongs to: a received request, a job, or a block to which the
 * application has given its own isolation scope. `undefined` outside of them.
 */
export function unitOf(isolation: Scope): object | undefined {
  return processWide().units.get(isolation);
}

/** Notes that an isolation scope belongs to the unit around it, or else is a unit of its own. */
export function joinUnit(isolation: Scope, around: Scope): void {
  const { units, fallback } = processWide();
  if (isolation !== fallback.isolation) units.set(isolation, units.get(isolation) ?? units.get(around) ?? {});
}

/** Notes that an isolation scope is a unit of its own, wherever it was made. */
export function beginUnit(isolation: Scope): void {
  processWide().units.set(isolation, {});
}
