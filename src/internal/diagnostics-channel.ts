import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { guard } from './guard.js';

type Listener = (message: unknown) => void;

/**
 * Listens to one of Node's diagnostics channels. A failing observer is reported; unguarded it would end the process.
 *
 * @returns undoes it
 */
export function observeChannel<T>(name: string, observer: (message: T) => void): () => void {
  const listener = guarded(name, observer);
  subscribe(name, listener);
  return () => unsubscribe(name, listener);
}

/**
 * Listens to a channel behind all other listeners, also those that come later.
 *
 * A channel has no order but that of arrival. Its own `subscribe` is therefore shadowed by one that moves the observer to
 * the end again after each newcomer; publishing costs nothing extra.
 *
 * @returns undoes it
 */
export function observeChannelLast<T>(name: string, observer: (message: T) => void): () => void {
  const observed = channel(name);
  const listener = guarded(name, observer);
  observed.subscribe(listener);

  const subscribeOthers = (newcomer: Listener) => {
    Object.getPrototypeOf(observed).subscribe.call(observed, newcomer);
    // In this order the channel never is without listeners, for which Node would change its prototype.
    observed.unsubscribe(listener);
    Object.getPrototypeOf(observed).subscribe.call(observed, listener);
  };
  Object.defineProperty(observed, 'subscribe', { value: subscribeOthers, configurable: true, writable: true });
  return () => {
    if (observed.subscribe === subscribeOthers) Reflect.deleteProperty(observed, 'subscribe');
    observed.unsubscribe(listener);
  };
}

function guarded<T>(name: string, observer: (message: T) => void): Listener {
  return (message) => guard(`observer of ${name}`, () => observer(message as T), undefined);
}
