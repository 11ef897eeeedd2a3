import { guardOwn } from '../guard.js';
import { findSharedState, LISTENERS_SLOT } from '../shared-state.js';

type Listener = Parameters<NodeJS.EventEmitter['on']>[1];

/** The listeners of all copies of this package: test runners and development servers load it again and again. */
let shared: ReturnType<typeof createListeners> | undefined;

function ownListeners(): NonNullable<typeof shared> {
  shared ??= findSharedState(LISTENERS_SLOT, createListeners);
  return shared;
}

function createListeners() {
  const own = new Set<unknown>();
  /** Lists in which Node's mark `warned` was set, so that Node does not warn of them. */
  const marked = new WeakSet<object>();
  /** Called before a listener is added. Node warns once of each list, and remembers that in the list. */
  const note = (event: string | symbol, listener: unknown): void => {
    guardOwn('counting listeners', () => {
      const { _events: events } = process as { _events?: Record<string | symbol, unknown> };
      const list = events?.[event] as (unknown[] & { warned?: boolean }) | undefined;
      if (!Array.isArray(list)) return;
      const applications = [...list, listener].filter((one) => !own.has(one)).length;
      if (applications > process.getMaxListeners()) {
        if (marked.delete(list)) list.warned = false;
      } else if (!list.warned) {
        list.warned = true;
        marked.add(list);
      }
    });
  };
  return { own, note };
}

/**
 * Listens for an event of the process. Node warns of a leak from 11 listeners on; those of the SDK do not count, so that the
 * application may have as many as without it.
 *
 * @param isFirst whether the listener is called before those that are there
 * @returns a function that removes the listener
 */
export function listenToProcess(event: string, listener: Listener, isFirst = false): () => void {
  const target: NodeJS.EventEmitter = process;
  const { own, note } = ownListeners();
  if (own.size === 0) target.on('newListener', note);
  own.add(listener);
  if (isFirst) target.prependListener(event, listener);
  else target.on(event, listener);
  return () => {
    target.off(event, listener);
    own.delete(listener);
    if (own.size === 0) target.off('newListener', note);
  };
}

export function isOwnListener(listener: unknown): boolean {
  return ownListeners().own.has(listener);
}
