import { channel, subscribe, unsubscribe } from 'node:diagnostics_channel';
import { guard } from './guard.js';

type Listener = (message: unknown) => void;

/**
 * Subscribes to one of Node's diagnostics channels. An observer that throws is logged; unguarded it would end the
 * process.
 *
 * @returns a function that unsubscribes
 */
export function observeChannel<T>(name: string, observer: (message: T) => void): () => void {
  const listener = guarded(name, observer);
  subscribe(name, listener);
  return () => unsubscribe(name, listener);
}

/**
 * Subscribes to a channel so that the observer runs after all other subscribers, also those that subscribe later.
 *
 * A channel calls its subscribers in the order in which they subscribed. We therefore shadow the channel's `subscribe`
 * with one that moves the observer to the end again after each new subscriber. Publishing costs nothing extra.
 *
 * @returns a function that unsubscribes
 */
export function observeChannelLast<T>(name: string, observer: (message: T) => void): () => void {
  const observed = channel(name);
  const listener = guarded(name, observer);
  observed.subscribe(listener);

  const subscribeOthers = (newcomer: Listener) => {
    Object.getPrototypeOf(observed).subscribe.call(observed, newcomer);
    // In this order the channel always has a subscriber; without one, Node would change its prototype.
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
