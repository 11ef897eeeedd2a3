import type { Scope } from '../model/scope/scope.js';
import { processWide } from './process-wide.js';

/**
 * The outermost unit of work that an isolation scope belongs to: a received request, a job, or a block with an isolation
 * scope of its own. `undefined` outside of them, and for a scope that several of them share.
 */
export function unitOf(isolation: Scope): object | undefined {
  return processWide().units.get(isolation) ?? undefined;
}

/** Notes that a fork belongs to the unit around it, or else begins one. */
export function joinUnit(fork: Scope, around: Scope): void {
  const { units } = processWide();
  const unit = units.get(around);
  units.set(fork, unit === undefined ? {} : unit);
}

/** Like {@link joinUnit}, for a scope of the application, which may use it in several units, at the same time, too. */
export function shareUnit(isolation: Scope, around: Scope): void {
  const { units, fallback } = processWide();
  if (isolation === around || isolation === fallback.isolation) return;
  if (units.get(isolation) === undefined) joinUnit(isolation, around);
  else if (units.get(isolation) !== units.get(around)) units.set(isolation, null);
}

/** Notes that an isolation scope is that of a request which a server has received, wherever the server was started. */
export function beginUnit(isolation: Scope): void {
  processWide().units.set(isolation, {});
}
