import { type Context, type Span, trace } from '@opentelemetry/api';
import type { Scope } from '../model/scope.js';
import { processWide } from './process-wide.js';
import { type ScopedContext, withScopes } from './scoped-context.js';

/** As `withScopes`, for a scope that was forked for this context: it remembers the span that is active there. */
export function withForkedScope(context: Context, fork: Scope, isolation: Scope): ScopedContext {
  const scoped = withScopes(context, fork, isolation);
  processWide().forkContexts.set(fork, scoped);
  return scoped;
}

/** The span that was active when the scope was forked, also when another one is active now. */
export function spanOfScope(scope: Scope): Span | undefined {
  const context = processWide().forkContexts.get(scope) as Context | undefined;
  return context && trace.getSpan(context);
}

/** A context with the active span of a scope, which need not be the current one. */
export function withSpanOfScope(context: Context, scope: Scope, current: Scope): Context {
  const span = scope === current ? undefined : spanOfScope(scope);
  return span ? trace.setSpan(context, span) : context;
}
