import { type Context, type Span, trace } from '@opentelemetry/api';
import type { Scope } from '../model/scope/scope.js';
import { processWide } from './process-wide.js';
import { type ScopedContext, withScopes } from './scoped-context.js';

/** Like `withScopes`, for a scope that was forked for this context: the scope remembers the active span. */
export function withForkedScope(context: Context, fork: Scope, isolation: Scope, span?: Span): ScopedContext {
  const scoped = withScopes(context, fork, isolation, span);
  processWide().forkContexts.set(fork, scoped);
  return scoped;
}

/** The span that was active when the scope was forked, even if another one is active now. */
function spanOfScope(scope: Scope): Span | undefined {
  const context = processWide().forkContexts.get(scope) as Context | undefined;
  return context && trace.getSpan(context);
}

/** A context with a scope's active span, which may differ from the current one. */
export function withSpanOfScope(context: Context, scope: Scope, current: Scope): Context {
  const span = scope === current ? undefined : spanOfScope(scope);
  return span ? trace.setSpan(context, span) : context;
}
