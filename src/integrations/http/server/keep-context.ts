import { EventEmitter } from 'node:events';
import { type Context, context as contextApi } from '@opentelemetry/api';
import { getIsolationScope } from '../../../context/current-scopes.js';
import { runRequestListeners } from '../../../context/request/throwing-request.js';
import { scopesOf } from '../../../context/scoped-context.js';

const { listenerCount } = EventEmitter.prototype;

/**
 * Runs an emitter's listeners in a context. Otherwise the listeners of a request (`data`, `end`) would run in the
 * context of the connection, which is older than the request.
 *
 * Events emitted inside the same isolation scope keep the emitting code's context, and so its active span.
 */
export function keepContext(emitter: EventEmitter, context: Context): void {
  const isolation = scopesOf(context)?.isolation;
  const { emit } = emitter;
  const emitWithin = function (this: EventEmitter, ...args: Parameters<EventEmitter['emit']>): boolean {
    if (listenerCount.call(this, args[0]) === 0 || getIsolationScope() === isolation) return emit.apply(this, args);
    return contextApi.with(context, runRequestListeners<boolean>, undefined, () => emit.apply(this, args));
  };
  Object.defineProperty(emitter, 'emit', { value: emitWithin, configurable: true, writable: true });
}
