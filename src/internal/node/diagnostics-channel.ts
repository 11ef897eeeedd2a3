import { type Channel, channel } from 'node:diagnostics_channel';
import { guardOwn } from '../guard.js';
import { replaceMethod } from '../patching/replace-method.js';

/**
 * Keeps channels from being collected: when Node finalizes a channel without subscribers, it forgets one of the same name
 * that a publisher has made since, and later subscribers get nothing from that publisher.
 *
 * @see https://github.com/nodejs/node/pull/59910
 */
const channels = new Map<string, Channel>();

function channelNamed(name: string): Channel {
  const present = channels.get(name);
  if (present) return present;
  const created = channel(name);
  channels.set(name, created);
  return created;
}

/**
 * Subscribes to one of Node's diagnostics channels. An observer that throws is logged; unguarded it would end the
 * process.
 *
 * @returns a function that unsubscribes
 */
export function observeChannel<T>(name: string, observer: (message: T) => void): () => void {
  const listener = (message: unknown) => guardOwn(`observer of ${name}`, () => observer(message as T));
  const observed = channelNamed(name);
  observed.subscribe(listener);
  return () => observed.unsubscribe(listener);
}

/**
 * Calls the observer in place of the subscribers of a channel. The observer calls `publish`, which calls these, and so
 * can act before and after all of them, also those that subscribe later.
 *
 * @returns a function that stops observing
 */
export function observeChannelAround<T>(name: string, observer: (message: T, publish: () => void) => void): () => void {
  const observed = channelNamed(name);
  // Publishers ask whether there are subscribers, and stay silent without one.
  const subscriber = () => undefined;
  observed.subscribe(subscriber);
  const own = Object.hasOwn(observed, 'publish') ? observed.publish : undefined;
  // The inherited method is read on each call: a channel becomes one of another class when somebody subscribes.
  const forward = (message: unknown) => (own ?? Object.getPrototypeOf(observed).publish).call(observed, message);
  let isStopped = false;

  const publishAround = (message: unknown) => {
    let isPublished = false;
    const publish = () => {
      if (!isPublished) forward(message);
      isPublished = true;
    };
    if (!isStopped) guardOwn(`observer of ${name}`, () => observer(message as T, publish));
    publish();
  };
  const restore = replaceMethod(observed, 'publish', publishAround);
  return () => {
    isStopped = true;
    observed.unsubscribe(subscriber);
    restore();
  };
}
