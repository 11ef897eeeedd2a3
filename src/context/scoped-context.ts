import { type Context, createContextKey, INVALID_SPAN_CONTEXT, type Span, trace } from '@opentelemetry/api';
import { SDK_MAJOR } from '../internal/version.js';
import type { Scope } from '../model/scope/scope.js';

/** The API derives keys from names, so copies of this package find each other's scopes. */
const SCOPES_KEY = createContextKey(`faultline.v${SDK_MAJOR} scopes`);

export interface Scopes {
  readonly current: Scope;
  readonly isolation: Scope;
}

/** The key of the active span, which the API does not export. */
const SPAN_KEY = findSpanKey();

/**
 * An OTel context that stores the scopes and the active span in fields and delegates everything else to the wrapped
 * context: forking a scope or activating a span copies no entries. Works with any context manager.
 */
export class ScopedContext implements Context, Scopes {
  /**
   * @param base without scopes; its span is ignored
   * @param span what the API stores as the active span
   * @param state `fresh`: the scopes were made or chosen for this context, and the context manager need not fork them when
   *   code first runs in it; `entered`: our context manager has done that, as others do not; `derived` from one of these
   */
  constructor(
    readonly base: Context,
    readonly span: unknown,
    readonly current: Scope,
    readonly isolation: Scope,
    public state: 'fresh' | 'entered' | 'derived',
  ) {}

  getValue(key: symbol): unknown {
    if (key === SPAN_KEY) return this.span;
    return key === SCOPES_KEY ? this : valueIn(this.base, key);
  }

  setValue(key: symbol, value: unknown): Context {
    return key === SPAN_KEY ? this.#with(this.base, value) : this.#with(this.base.setValue(key, value), this.span);
  }

  deleteValue(key: symbol): Context {
    return key === SPAN_KEY ? this.#with(this.base, undefined) : this.#with(this.base.deleteValue(key), this.span);
  }

  #with(base: Context, span: unknown): ScopedContext {
    return new ScopedContext(base, span, this.current, this.isolation, 'derived');
  }
}

/** The application may have made the context, or replaced `Map.prototype.get`, with which OTel's own contexts read. */
function valueIn(context: Context, key: symbol): unknown {
  try {
    return context.getValue(key);
  } catch {
    return undefined;
  }
}

export function spanIn(context: Context): Span | undefined {
  return valueIn(context, SPAN_KEY) as Span | undefined;
}

/** The scopes of a context, even if other code has wrapped ours. */
export function scopesOf(context: Context): Scopes | undefined {
  return context instanceof ScopedContext ? context : (valueIn(context, SCOPES_KEY) as Scopes | undefined);
}

/** The context itself if it is ours, including contexts of other copies of this package. */
export function asScopedContext(context: Context): ScopedContext | undefined {
  const scopes: unknown = scopesOf(context);
  return scopes === context ? (context as ScopedContext) : undefined;
}

/** A new context with these scopes and all other values of `context`; `span` replaces its active span. */
export function withScopes(
  context: Context,
  current: Scope,
  isolation: Scope,
  span: unknown = spanIn(context),
): ScopedContext {
  return new ScopedContext(
    context instanceof ScopedContext ? context.base : context,
    span,
    current,
    isolation,
    'fresh',
  );
}

/** Asks the API to set a span in a context that notes the key. */
function findSpanKey(): symbol {
  let found: symbol | undefined;
  const notesKey: Context = {
    getValue: () => undefined,
    setValue: (key) => {
      found = key;
      return notesKey;
    },
    deleteValue: () => notesKey,
  };
  trace.setSpan(notesKey, trace.wrapSpanContext(INVALID_SPAN_CONTEXT));
  return found!;
}
