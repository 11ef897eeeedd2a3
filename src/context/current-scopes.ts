import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, context as contextApi } from '@opentelemetry/api';
import type { Client } from '../model/contracts.js';
import type { InnerClient } from '../model/inner-client.js';
import { Scope } from '../model/scope.js';
import { type Scopes, scopesOf, withScopes } from './scoped-context.js';

/**
 * The one process-wide slot: the global scope, which also knows the client that `init` made, and the scopes of code
 * that runs in no context of ours.
 */
const fallback: Scopes & { readonly global: Scope } = {
  global: new Scope(),
  isolation: new Scope(),
  current: new Scope(),
};

/**
 * The scopes around code that runs in a context without any. Instrumentation begins a request with an empty context, and
 * a context manager that is not ours leaves it empty: without this, requests would share the scopes of the process.
 */
const around = new AsyncLocalStorage<Scopes>();

/** The scopes of the active context. */
export function getScopes(): Scopes {
  const active = contextApi.active();
  const scopes = scopesOf(active) ?? around.getStore() ?? fallback;
  if (fillsContexts || !findIsolation) return scopes;
  const isolation = findIsolation(active, scopes.isolation);
  return isolation === scopes.isolation ? scopes : { current: scopes.current, isolation };
}

/** The scope of the running block; forked by `withScope`, `startSpan` and `context.with`. */
export function getCurrentScope(): Scope {
  return getScopes().current;
}

/** The scope of the running request or task; forked by `withIsolationScope`. */
export function getIsolationScope(): Scope {
  return getScopes().isolation;
}

/** The isolation scope of code that runs in no request or task. */
export function getDefaultIsolationScope(): Scope {
  return fallback.isolation;
}

/** The scope that applies to every event of the process. */
export function getGlobalScope(): Scope {
  return fallback.global;
}

/** The client in use: the current scope's own where it has one, else the one that `init` made last. */
export function getClient(): Client | undefined {
  return getInnerClient();
}

/** The client in use, with the methods that only the SDK calls. */
export function getInnerClient(): InnerClient | undefined {
  // `setClient` accepts no other.
  return (getCurrentScope().getClient() ?? fallback.global.getClient()) as InnerClient | undefined;
}

/** Runs the callback with a fork of the current scope, or with the given scope, as the current one. */
export function withScope<T>(callback: (scope: Scope) => T): T;
export function withScope<T>(scope: Scope | undefined, callback: (scope: Scope) => T): T;
export function withScope<T>(...args: [(scope: Scope) => T] | [Scope | undefined, (scope: Scope) => T]): T {
  const [given, callback] = args.length === 1 ? [undefined, args[0]] : args;
  const { current, isolation } = getScopes();
  return runWith(Scope.is(given) ? given : current.clone(), isolation, callback);
}

/** Runs the callback with forks of the isolation scope (or the given one) and the current scope. */
export function withIsolationScope<T>(callback: (isolationScope: Scope) => T): T;
export function withIsolationScope<T>(scope: Scope | undefined, callback: (isolationScope: Scope) => T): T;
export function withIsolationScope<T>(...args: [(scope: Scope) => T] | [Scope | undefined, (scope: Scope) => T]): T {
  const [given, callback] = args.length === 1 ? [undefined, args[0]] : args;
  const { current, isolation } = getScopes();
  const forkedIsolation = Scope.is(given) ? given : isolation.clone();
  return runWith(current.clone(), forkedIsolation, callback, forkedIsolation);
}

function runWith<T>(current: Scope, isolation: Scope, callback: (scope: Scope) => T, argument = current): T {
  if (typeof callback !== 'function') return undefined as T;
  const forked = withScopes(contextApi.active(), current, isolation);
  if (fillsContexts) return contextApi.with(forked, callback, undefined, argument);
  return around.run(forked, () => contextApi.with(forked, callback, undefined, argument));
}

let fillsContexts = false;

/** Called by our context manager, which fills each context with scopes: then there is nothing to remember around it. */
export function setFillsContexts(fills: boolean): void {
  fillsContexts = fills;
}

let findIsolation: ((context: Context, isolation: Scope) => Scope) | undefined;

/**
 * Called when the first unit of work begins. A context manager that is not ours puts no isolation scope into the context
 * that a unit runs in: there it is found by the active span.
 */
export function setIsolationFinder(find: (context: Context, isolation: Scope) => Scope): void {
  findIsolation = find;
}
