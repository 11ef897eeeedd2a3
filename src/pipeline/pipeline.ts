import { createLogger } from '../internal/diag.js';
import { isPending } from '../internal/guard.js';
import type { Integration } from '../model/contracts.js';
import { Discard } from '../model/delivery/outcome.js';
import type { Event } from '../model/event/event.js';
import type { Settings } from '../model/options.js';
import { sanitizeForSending } from './sanitize/sanitize-event.js';
import type { Finish, Step, StepContext, StepResult } from './step.js';
import { createApplyScopes } from './steps/apply-scopes.js';
import { createApplyScrubbing } from './steps/apply-scrubbing-option.js';
import { createBeforeSend } from './steps/before-send.js';
import { createFillIn } from './steps/fill-in.js';
import { createFilterEvents } from './steps/filter-events.js';
import { createFilterSpans } from './steps/filter-spans.js';
import { createNormalizeEvent } from './steps/normalize-event.js';
import { noteRenaming } from './steps/note-renaming.js';
import { createEnrichment, createPreprocessing, createProcessing } from './steps/run-integrations.js';

const log = createLogger('pipeline');

/** The outcome of an event that user code still has when the process ends. */
export const inUserCodeAtEnd = (): Discard =>
  new Discard('event_processor', 'the process ended while user code had the event');

/** Runs an event through all steps. The result is ready for its envelope, or discarded. Never throws or rejects. */
export type Pipeline = (event: Event, context: StepContext) => StepResult | Promise<StepResult>;

/** Builds the pipeline from capture to send. Steps that the settings make no-ops are omitted at construction. */
export function createPipeline(settings: Settings, integrations: readonly Integration[]): Pipeline {
  const { scrubTexts, scrubEvent } = createApplyScrubbing(settings);
  const steps: readonly (Step | undefined)[] = [
    createPreprocessing(integrations, settings),
    createFillIn(settings, integrations),
    createApplyScopes(settings),
    ...createProcessing(integrations, settings),
    createFilterEvents(settings),
    scrubTexts,
    createNormalizeEvent(settings),
    ...createEnrichment(integrations, settings),
    settings.normalizeDepth === 0 ? sanitizeForSending : undefined,
    noteRenaming,
    scrubEvent,
    createFilterSpans(settings),
    createBeforeSend(settings),
  ];
  const active = steps.filter((step) => step !== undefined);
  return (event, context) => runFrom(0, active, event, context);
}

function runFrom(
  first: number,
  steps: readonly Step[],
  event: Event,
  context: StepContext,
): StepResult | Promise<StepResult> {
  let current = event;
  try {
    for (let i = first; i < steps.length; i++) {
      const result = steps[i]!(current, context);
      if (isPending(result)) {
        context.onWait(current, finishFrom(i, steps, current, context));
        return resumeFrom(i + 1, steps, result, context);
      }
      if (result instanceof Discard) return result;
      current = result;
    }
    return current;
  } catch (error) {
    return failure(error);
  }
}

/** Returns a function that runs the remaining steps as if the waiting one had settled. */
function finishFrom(waiting: number, steps: readonly Step[], event: Event, context: StepContext): Finish {
  return () => {
    try {
      const { finish } = steps[waiting]!;
      const result = finish ? finish(event, context) : inUserCodeAtEnd();
      return result instanceof Discard ? result : runFrom(waiting + 1, steps, result, { ...context, isEnding: true });
    } catch (error) {
      return failure(error);
    }
  };
}

async function resumeFrom(
  next: number,
  steps: readonly Step[],
  pending: Promise<StepResult>,
  context: StepContext,
): Promise<StepResult> {
  try {
    const result = await pending;
    if (result instanceof Discard) return result;
    // User code in these steps may end the process, and must not get the event again.
    context.onWait(result, inUserCodeAtEnd);
    const ended = runFrom(next, steps, result, context);
    if (!isPending(ended)) context.onWait(result, () => ended);
    return await ended;
  } catch (error) {
    return failure(error);
  }
}

export function failure(error: unknown): Discard {
  log.error('processing an event failed; the event is discarded', error);
  return new Discard('internal_sdk_error', 'processing failed');
}
