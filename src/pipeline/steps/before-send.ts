import { Discard } from '../../model/delivery/outcome.js';
import type { Event } from '../../model/event/event.js';
import { withOwnParts } from '../../model/event/shared-parts.js';
import type { EventHint } from '../../model/hint.js';
import type { Settings } from '../../model/options.js';
import { runHook } from '../run-hook.js';
import { sanitizeForSending } from '../sanitize/sanitize-event.js';
import type { Step } from '../step.js';
import { withCustomSource } from './note-renaming.js';

/** Calls the send hooks, which may change or discard the complete error or transaction event. */
export function createBeforeSend(settings: Settings): Step | undefined {
  const { beforeSend, beforeSendTransaction } = settings;
  if (!beforeSend && !beforeSendTransaction) return undefined;
  const hookFor = ({ type }: Event) =>
    type === 'transaction'
      ? (['beforeSendTransaction', beforeSendTransaction] as const)
      : (['beforeSend', type === undefined ? beforeSend : undefined] as const);
  const step: Step = (event, context) => {
    const [what, hook] = hookFor(event);
    if (!hook) return event;
    const own = withOwnParts(event);
    const call = () => (hook as (event: Event, hint: EventHint) => unknown)(own, context.hint);
    const { transaction } = own;
    return runHook({ what, reason: 'before_send', settings }, own, call, (returned) =>
      withCustomSource(sanitizeForSending(returned, context), transaction),
    );
  };
  const finish: Step['finish'] = () => new Discard('before_send', 'the process ended while the hook had the event');
  return Object.assign(step, { finish });
}
