import type { Event } from '../model/event.js';
import type { Settings } from '../model/options.js';
import type { Step } from './capture.js';
import { runHook } from './run-hook.js';

/** The host's last word on error and transaction events. */
export function createBeforeSend({ beforeSend, beforeSendTransaction }: Settings): Step | undefined {
  if (!beforeSend && !beforeSendTransaction) return undefined;
  const hooks = new Map<unknown, readonly [what: string, hook: ((...args: never[]) => unknown) | undefined]>([
    [undefined, ['beforeSend', beforeSend]],
    ['transaction', ['beforeSendTransaction', beforeSendTransaction]],
  ]);
  return (event, { hint }) => {
    const [what, hook] = hooks.get(event.type) ?? [];
    if (!what || !hook) return event;
    return runHook(what, 'before_send', () => (hook as (event: Event, hint: unknown) => unknown)(event, hint));
  };
}
