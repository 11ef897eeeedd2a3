import { EventEmitter } from 'node:events';
import { type Context, context as contextApi } from '@opentelemetry/api';
import { getIsolationScope } from '../../context/current-scopes.js';
import { scopesOf } from '../../context/scoped-context.js';

const { listenerCount } = EventEmitter.prototype;

/**
 * Lets the listeners of an emitter run in the given context. Node calls those of a request, `data` and `end` among them,
 * out of its connection, which was there before the request.
 *
 * What is emitted within the same isolation scope stays where it is, with the span that is active there.
 */
export function keepContext(emitter: EventEmitter, context: Context): void {
  const isolation = scopesOf(context)?.isolation;
  const { emit } = emitter;
  const emitWithin = function (this: EventEmitter, ...args: Parameters<EventEmitter['emit']>): boolean {
    if (listenerCount.call(this, args[0]) === 0 || getIsolationScope() === isolation) return emit.apply(this, args);
    return contextApi.with(context, () => emit.apply(this, args));
  };
  Object.defineProperty(emitter, 'emit', { value: emitWithin, configurable: true, writable: true });
}
