import type { Context } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { guardOwn } from '../internal/guard.js';
import { scopesIn } from './current-scopes.js';
import { registerPart } from './parts.js';
import { isolationIn } from './request/request-isolation.js';
import { withForkedScope } from './scope-span.js';
import { asScopedContext, type ScopedContext } from './scoped-context.js';

/** Keeps the active OTel context in AsyncLocalStorage, and forks the current scope whenever a context is entered. */
export class FaultlineContextManager extends AsyncLocalStorageContextManager {
  constructor() {
    super();
    registerPart(this, 'FaultlineContextManager');
  }

  override with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    context: Context,
    fn: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return super.with(enter(context), fn, thisArg, ...args);
  }

  /** A target that cannot be bound is returned as it is. */
  override bind<T>(context: Context, target: T): T {
    return guardOwn('bind', () => super.bind(context, target), target);
  }

  /** Called by the API from 1.10 on, where it is experimental. */
  override attach(context: Context): ReturnType<AsyncLocalStorageContextManager['attach']> {
    return super.attach(enter(context));
  }
}

/** The context to run in, with its own fork of the scopes. */
function enter(context: Context): Context {
  const own = asScopedContext(context);
  const entered = own?.state === 'fresh' ? own : forkScopes(context);
  entered.state = 'entered';
  return entered;
}

/** A context without scopes gets the caller's. */
function forkScopes(context: Context): ScopedContext {
  const { current, isolation } = scopesIn(context);
  return withForkedScope(context, current.clone(), isolationIn(context, isolation));
}
