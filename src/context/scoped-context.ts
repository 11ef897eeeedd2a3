import { type Context, createContextKey } from '@opentelemetry/api';
import { SDK_MAJOR } from '../internal/version.js';
import type { Scope } from '../model/scope.js';

/** The API derives keys from names, so copies of this package find each other's scopes. */
const SCOPES_KEY = createContextKey(`faultline.v${SDK_MAJOR} scopes`);

/** The scopes in a context. */
export interface Scopes {
  readonly current: Scope;
  readonly isolation: Scope;
}

/**
 * An OTel context that stores scopes in two fields and delegates everything else to the wrapped context, so that
 * forking a scope copies no entries. Works with any context manager.
 */
export class ScopedContext implements Context, Scopes {
  /** Whether our context manager has entered this context; other context managers do not fork scopes. */
  isEntered = false;

  /**
   * @param isFresh whether the scopes were forked for this context and no code has run in it yet; the context manager
   *   then does not fork again
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

/** The scopes of a context, even if other code has wrapped ours. */
export function scopesOf(context: Context): Scopes | undefined {
  return context instanceof ScopedContext ? context : (context.getValue(SCOPES_KEY) as Scopes | undefined);
}

/** The context itself if it is ours, including contexts of other copies of this package. */
export function asScopedContext(context: Context): ScopedContext | undefined {
  const scopes: unknown = scopesOf(context);
  return scopes === context ? (context as ScopedContext) : undefined;
}

/** A fresh context with these scopes and all other values of `context`. */
export function withScopes(context: Context, current: Scope, isolation: Scope): ScopedContext {
  return new ScopedContext(context instanceof ScopedContext ? context.base : context, current, isolation, true);
}
