import { type Context, createContextKey } from '@opentelemetry/api';
import type { Scope } from '../model/scope.js';

const SCOPES_KEY = createContextKey('faultline scopes');

/** The scopes that a context carries. */
export interface Scopes {
  readonly current: Scope;
  readonly isolation: Scope;
}

/**
 * An OTel context that carries scopes in two fields and leaves everything else to the context it wraps, so that forking
 * a scope copies no entries. Whatever carries the context carries the scopes, with any context manager.
 */
export class ScopedContext implements Context, Scopes {
  /**
   * @param fresh whether the scopes were forked for this context and no code has run in it yet; the context manager
   *   then need not fork again
   */
  constructor(
    readonly base: Context,
    readonly current: Scope,
    readonly isolation: Scope,
    public fresh = false,
  ) {}

  getValue(key: symbol): unknown {
    return key === SCOPES_KEY ? this : this.base.getValue(key);
  }

  setValue(key: symbol, value: unknown): Context {
    return new ScopedContext(this.base.setValue(key, value), this.current, this.isolation);
  }

  deleteValue(key: symbol): Context {
    return new ScopedContext(this.base.deleteValue(key), this.current, this.isolation);
  }
}

/** The scopes of a context, also of one that somebody else has wrapped around ours. */
export function scopesOf(context: Context): Scopes | undefined {
  return context instanceof ScopedContext ? context : (context.getValue(SCOPES_KEY) as Scopes | undefined);
}

/** A fresh context that carries the given scopes and otherwise what `context` carries. */
export function withScopes(context: Context, current: Scope, isolation: Scope): ScopedContext {
  return new ScopedContext(context instanceof ScopedContext ? context.base : context, current, isolation, true);
}
