import { isMainThread } from 'node:worker_threads';
import { guard, guardOwn, isPending, isThenable, reportFailure, reportOwnFailure } from '../../internal/guard.js';
import { readList, readProperty, readString } from '../../internal/values/read.js';
import type { Integration } from '../../model/contracts.js';
import { Discard } from '../../model/delivery/outcome.js';
import type { Event } from '../../model/event/event.js';
import { withOwnParts } from '../../model/event/shared-parts.js';
import type { EventProcessor } from '../../model/hint.js';
import type { Settings } from '../../model/options.js';
import { hasSendHooks } from '../../model/send-hooks.js';
import { isTrusted } from '../../model/trusted-integrations.js';
import { type EventHook, inChain, runHook, withDeadline } from '../run-hook.js';
import { sanitizeEvent, sanitizeForSending, sanitizeReturned } from '../sanitize/sanitize-event.js';
import type { Step, StepContext, StepResult } from '../step.js';
import { processorsOf } from './merge-scopes.js';
import { detachFromApplication } from './normalize-event.js';

/** An integration that implements the method in question. */
interface Implementer {
  readonly integration: Integration;
  /** Whether the options contain it. It may be user code then, so the event is sanitized afterwards. */
  readonly isForeign: boolean;
}

function guardOf(isForeign: boolean): typeof guard {
  return isForeign ? guard : guardOwn;
}

function implementersOf(
  method: keyof Integration,
  integrations: readonly Integration[],
  settings: Settings,
): Implementer[] {
  const { integrations: userIntegrations, defaultIntegrations } = settings;
  const areAllForeign = typeof userIntegrations === 'function' || Array.isArray(defaultIntegrations);
  return integrations
    .filter((one) => typeof readProperty(one, method) === 'function')
    .map((integration) => ({
      integration,
      isForeign: (areAllForeign || readList(userIntegrations).includes(integration)) && !isTrusted(integration),
    }));
}

/** Lets integrations, then handlers of `preprocessEvent`, change the event before scopes are merged into it. */
export function createPreprocessing(integrations: readonly Integration[], settings: Settings): Step {
  const implementers = implementersOf('preprocessEvent', integrations, settings);
  return (event, { client, hint }) => {
    let current = event;
    for (const { integration, isForeign } of implementers) {
      if (isForeign) current = withOwnParts(current);
      const call = () => integration.preprocessEvent?.(current, hint, client);
      guardOf(isForeign)(`preprocessEvent of ${readString(integration, 'name')}`, call, undefined);
      if (isForeign) current = sanitizeEvent(current);
    }
    if (!client.listens('preprocessEvent')) return current;
    current = withOwnParts(current);
    client.emit('preprocessEvent', current, hint);
    return sanitizeEvent(current);
  };
}

/**
 * Runs the event processors: one step for each integration that has one, then one step for those of the client and of the
 * scopes.
 */
export function createProcessing(integrations: readonly Integration[], settings: Settings): Step[] {
  const ofIntegrations = implementersOf('processEvent', integrations, settings).map((one) =>
    createProcessingStep(one, settings),
  );
  const hook: EventHook = { what: 'an event processor', reason: 'event_processor', settings };
  const ofUser: Step = (event, context) => {
    const processors = [...context.client.eventProcessors, ...processorsOf(context.states)];
    if (processors.length === 0) return event;
    const sanitize = (returned: Event) => sanitizeReturned(returned, context);
    const run = (processor: EventProcessor, current: Event) => {
      const own = withOwnParts(current);
      return detachIfPending(
        runHook(hook, own, () => processor(own, context.hint), sanitize),
        own,
      );
    };
    return runProcessorsFrom(0, processors, event, run);
  };
  return [...ofIntegrations, ofUser];
}

function createProcessingStep({ integration, isForeign }: Implementer, settings: Settings): Step {
  const what = `processEvent of ${readString(integration, 'name')}`;
  const hook: EventHook = { what, reason: 'event_processor', settings, isTrusted: !isForeign };
  return (event, context) => {
    if (isForeign) Object.assign(event, withOwnParts(event));
    const call = () => integration.processEvent?.(event, context.hint, context.client);
    const sanitize = isForeign ? (returned: Event) => sanitizeReturned(returned, context) : trust;
    return detachIfPending(runHook(hook, event, call, sanitize), event);
  };
}

function trust(event: Event): Event {
  return event;
}

function detachIfPending<Result>(result: Result, event: Event): Result {
  if (isPending(result)) detachFromApplication(event);
  return result;
}

function runProcessorsFrom(
  first: number,
  processors: readonly EventProcessor[],
  event: Event,
  run: (processor: EventProcessor, event: Event) => StepResult | Promise<StepResult>,
): StepResult | Promise<StepResult> {
  let current = event;
  for (let i = first; i < processors.length; i++) {
    const result = run(processors[i]!, current);
    if (isPending(result)) {
      return result.then((one) => (one instanceof Discard ? one : runProcessorsFrom(i + 1, processors, one, run)));
    }
    if (result instanceof Discard) return result;
    current = result;
  }
  return current;
}

/**
 * Runs `enrichEvent` of the integrations: slow work or I/O, done only for events that passed the filters. One step for
 * each integration.
 */
export function createEnrichment(integrations: readonly Integration[], settings: Settings): Step[] {
  // With send hooks, normalization has already copied the event.
  const isShared = !hasSendHooks(settings);
  return implementersOf('enrichEvent', integrations, settings).map((one) => createEnrichmentStep(one, isShared));
}

function createEnrichmentStep({ integration, isForeign }: Implementer, isShared: boolean): Step {
  const what = `enrichEvent of ${readString(integration, 'name')}`;
  const enrichEvent = readProperty(integration, 'enrichEvent');
  const run = guardOf(isForeign);
  const report = isForeign ? reportFailure : reportOwnFailure;
  const hasSync = typeof readProperty(integration, 'enrichEventSync') === 'function';
  const sanitize = (event: Event, context: StepContext) => (isForeign ? sanitizeForSending(event, context) : event);
  // As after the deadline: the event leaves without what is missing.
  const finish = (event: Event, context: StepContext): Event => {
    if (isForeign) Object.assign(event, withOwnParts(event));
    run(what, () => integration.enrichEventSync?.(event, context.hint, context.client), undefined);
    return sanitize(event, context);
  };
  const step: Step = (event, context) => {
    // A worker thread may be terminated at any moment: its errors are stored before anything else can run.
    if (hasSync && (context.isEnding || !isMainThread)) return finish(event, context);
    if (isForeign) Object.assign(event, withOwnParts(event));
    const call = () => integration.enrichEvent?.(event, context.hint, context.client);
    const pending = run(what, isForeign ? () => inChain(call) : call, undefined);
    if (!isThenable(pending)) return sanitize(event, context);
    if (isShared) detachFromApplication(event);
    // The default integrations limit their waits by themselves, unless the application has replaced their method.
    const isLimited = !isForeign && integration.enrichEvent === enrichEvent;
    const bounded = isLimited ? Promise.resolve(pending) : withDeadline(pending);
    return bounded.catch((error) => report(what, error)).then(() => sanitize(event, context));
  };
  return Object.assign(step, { finish });
}
