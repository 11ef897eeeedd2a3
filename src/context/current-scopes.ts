import { type Context, context as contextApi } from '@opentelemetry/api';
import { typeOf } from '../internal/values/in-message.js';
import type { Client } from '../model/contracts.js';
import type { InnerClient } from '../model/inner-client.js';
import { Scope } from '../model/scope/scope.js';
import { isCallback, reportMistake } from './observed/report-mistakes.js';
import { processWide } from './process-wide.js';
import { isolationIn } from './request/request-isolation.js';
import { withForkedScope, withSpanOfScope } from './scope-span.js';
import { ScopedContext, type Scopes, scopesOf, withScopes } from './scoped-context.js';
import { joinUnit, shareUnit } from './unit-of-work.js';

/** The scopes of the active context. */
export function getScopes(): Scopes {
  const active = contextApi.active();
  if (active instanceof ScopedContext && active.state === 'entered') return active;
  const { scopesOfEmptyContexts, fallback, hasRequestScopes } = processWide();
  const scopes = scopesOf(active) ?? scopesOfEmptyContexts.getStore() ?? fallback;
  if (!hasRequestScopes) return scopes;
  // A context manager other than ours does not add the isolation scope to a request's context; the active span has it.
  const isolation = isolationIn(active, scopes.isolation);
  return isolation === scopes.isolation ? scopes : { current: scopes.current, isolation };
}

/** The scopes of a context; if it has none, those of the active context. */
export function scopesIn(context: Context): Scopes {
  return scopesOf(context) ?? getScopes();
}

/** The scope of the running block; forked by `withScope`, `startSpan` and `context.with`. */
export function getCurrentScope(): Scope {
  return getScopes().current;
}

/** The scope of the running request or task; forked by `withIsolationScope`. */
export function getIsolationScope(): Scope {
  return getScopes().isolation;
}

/** The scope that applies to every event of the process. */
export function getGlobalScope(): Scope {
  return processWide().globalScope;
}

/** The client in use: the current scope's if set, else that of the last `init`. */
export function getClient(): Client | undefined {
  return getInnerClient();
}

/** The client in use, with the methods that only the SDK calls. */
export function getInnerClient(): InnerClient | undefined {
  // The cast holds: `setClient` refuses anything but our clients.
  return (getCurrentScope().getClient() ?? processWide().globalScope.getClient()) as InnerClient | undefined;
}

/**
 * Runs the callback with a fork of the current scope, or with `scope`, as the current one. The span that was active
 * when `scope` was forked becomes active again.
 */
export function withScope<T>(callback: (scope: Scope) => T): T;
export function withScope<T>(scope: Scope | undefined, callback: (scope: Scope) => T): T;
export function withScope<T>(...args: [(scope: Scope) => T] | [Scope | undefined, (scope: Scope) => T]): T {
  const [scope, callback] = args.length === 1 ? [undefined, args[0]] : args;
  const { current, isolation } = getScopes();
  const active = contextApi.active();
  if (!isGivenScope('withScope', scope))
    return runWith('withScope', withForkedScope(active, current.clone(), isolation), callback);
  return runWith('withScope', withScopes(withSpanOfScope(active, scope, current), scope, isolation), callback);
}

/** Runs the callback with forks of the isolation scope (or the passed one) and the current scope. */
export function withIsolationScope<T>(callback: (isolationScope: Scope) => T): T;
export function withIsolationScope<T>(scope: Scope | undefined, callback: (isolationScope: Scope) => T): T;
export function withIsolationScope<T>(...args: [(scope: Scope) => T] | [Scope | undefined, (scope: Scope) => T]): T {
  const [scope, callback] = args.length === 1 ? [undefined, args[0]] : args;
  const { current, isolation } = getScopes();
  const isGiven = isGivenScope('withIsolationScope', scope);
  const isolationWithin = isGiven ? scope : isolation.clone();
  (isGiven ? shareUnit : joinUnit)(isolationWithin, isolation);
  const context = withForkedScope(contextApi.active(), current.clone(), isolationWithin);
  return runWith('withIsolationScope', context, callback, isolationWithin);
}

/** Whether the caller passed a scope. Reports any other value except `undefined` and `null`. */
function isGivenScope(owner: string, scope: unknown): scope is Scope {
  if (Scope.is(scope)) return true;
  if (scope !== undefined && scope !== null) {
    const advice = 'Set its data in the callback: withScope((scope) => scope.setTag(key, value))';
    reportMistake(owner, `its first argument must be a scope, but is ${typeOf(scope)}; it is ignored. ${advice}`);
  }
  return false;
}

function runWith<T>(owner: string, forked: ScopedContext, callback: (scope: Scope) => T, argument = forked.current): T {
  if (!isCallback(owner, callback)) return undefined as T;
  return contextApi.with(forked, () => {
    if (forked.state === 'entered') return callback(argument);
    // Our context manager, which adds scopes to contexts without any, is not in use.
    return processWide().scopesOfEmptyContexts.run(forked, callback, argument);
  });
}
