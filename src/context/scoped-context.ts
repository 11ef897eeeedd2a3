import { type Context, createContextKey } from '@opentelemetry/api';
import { SDK_MAJOR } from '../internal/version.js';
import type { Scope } from '../model/scope.js';

/** The API makes equal keys of equal names, so that copies of this package find the scopes of each other. */
const SCOPES_KEY = createContextKey(`faultline.v${SDK_MAJOR} scopes`);

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
  /** Whether our context manager has entered this context: no other one sees to the scopes. */
  isEntered = false;

  /**
   * @param isFresh whether the scopes were forked for this context and no code has run in it yet; the context manager
   *   then need not fork again
   */
  constructor(
    readonly base: Context,
    readonly current: Scope,
    readonly isolation: Scope,
    public isFresh = false,
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

/** The context itself where it is ours, be it of another copy of this package. */
export function asScopedContext(context: Context): ScopedContext | undefined {
  const scopes: unknown = scopesOf(context);
  return scopes === context ? (context as ScopedContext) : undefined;
}

/** A fresh context that carries the given scopes and otherwise what `context` carries. */
export function withScopes(context: Context, current: Scope, isolation: Scope): ScopedContext {
  return new ScopedContext(context instanceof ScopedContext ? context.base : context, current, isolation, true);
}
