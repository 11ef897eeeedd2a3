import { Discard } from '../../model/delivery/outcome.js';
import { withOwnParts } from '../../model/event/shared-parts.js';
import type { EventProcessor } from '../../model/hint.js';
import type { Settings } from '../../model/options.js';
import { runHook } from '../run-hook.js';
import { sanitizeForSending } from '../sanitize/sanitize-event.js';
import type { Step } from '../step.js';
import { withCustomSource } from './note-renaming.js';

/** Calls the send hooks, which may change or discard the complete error or transaction event. */
export function createBeforeSend(settings: Settings): Step | undefined {
  if (!settings.beforeSend && !settings.beforeSendTransaction) return undefined;
  const step: Step = (event, context) => {
    if (event.type !== undefined && event.type !== 'transaction') return event;
    const what = event.type === 'transaction' ? 'beforeSendTransaction' : 'beforeSend';
    const hook = settings[what] as EventProcessor | undefined;
    if (!hook) return event;
    const own = withOwnParts(event);
    const call = () => hook(own, context.hint);
    const { transaction } = own;
    return runHook({ what, reason: 'before_send', settings }, own, call, (returned) =>
      withCustomSource(sanitizeForSending(returned, context), transaction),
    );
  };
  const finish: Step['finish'] = () => new Discard('before_send', 'the process ended while the hook had the event');
  return Object.assign(step, { finish });
}
