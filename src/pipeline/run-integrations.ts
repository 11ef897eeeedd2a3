import { processorsOf } from '../context/merge.js';
import { guard, isThenable, reportFailure } from '../internal/guard.js';
import { readProperty } from '../internal/read.js';
import type { Integration } from '../model/contracts.js';
import type { Event } from '../model/event.js';
import { Discard } from '../model/outcome.js';
import type { Capture, Step, StepResult } from './capture.js';
import { runHook, withDeadline } from './run-hook.js';

/** Whether an integration has a method; what cannot be read, or is no function, is none. */
function has(integration: Integration, method: keyof Integration): boolean {
  return typeof readProperty(integration, method) === 'function';
}

/** Lets the integrations, then the handlers of `preprocessEvent`, look at the event before scopes are merged into it. */
export function createPreprocessing(integrations: readonly Integration[]): Step {
  const preprocessors = integrations.filter((one) => has(one, 'preprocessEvent'));
  return (event, { client, hint }) => {
    for (const one of preprocessors) {
      guard(`preprocessEvent of ${one.name}`, () => one.preprocessEvent?.(event, hint, client), undefined);
    }
    client.emit('preprocessEvent', event, hint);
    return event;
  };
}

type NamedProcessor = readonly [what: string, process: (event: Event, capture: Capture) => unknown];

/** Runs the event processors: those of the integrations, then those of the client, then those of the scopes. */
export function createProcessing(integrations: readonly Integration[]): Step {
  const ofIntegrations: readonly NamedProcessor[] = integrations
    .filter((one) => has(one, 'processEvent'))
    .map((one) => [
      `processEvent of ${one.name}`,
      (event, { hint, client }) => one.processEvent?.(event, hint, client),
    ]);
  return (event, capture) => {
    const ofHost = [...capture.client.eventProcessors, ...processorsOf(capture.states)];
    if (ofHost.length === 0) return process(0, ofIntegrations, event, capture);
    const all = [
      ...ofIntegrations,
      ...ofHost.map((one): NamedProcessor => ['an event processor', (current, { hint }) => one({ ...current }, hint)]),
    ];
    return process(0, all, event, capture);
  };
}

function process(
  first: number,
  processors: readonly NamedProcessor[],
  event: Event,
  capture: Capture,
): StepResult | Promise<StepResult> {
  let current = event;
  for (let i = first; i < processors.length; i++) {
    const [what, call] = processors[i]!;
    const result = runHook(what, 'event_processor', () => call(current, capture));
    if (result instanceof Promise) {
      return result.then((one) => (one instanceof Discard ? one : process(i + 1, processors, one, capture)));
    }
    if (result instanceof Discard) return result;
    current = result;
  }
  return current;
}

/** Lets the integrations add what costs time or I/O, now that the event is to be sent. */
export function createEnrichment(integrations: readonly Integration[]): Step | undefined {
  const enrichers = integrations.filter((one) => has(one, 'enrichEvent'));
  if (enrichers.length === 0) return undefined;
  return (event, capture) => enrich(0, enrichers, event, capture);
}

function enrich(
  first: number,
  enrichers: readonly Integration[],
  event: Event,
  capture: Capture,
): StepResult | Promise<StepResult> {
  for (let i = first; i < enrichers.length; i++) {
    const one = enrichers[i]!;
    const what = `enrichEvent of ${one.name}`;
    const pending = guard(what, () => one.enrichEvent?.(event, capture.hint, capture.client), undefined);
    if (isThenable(pending)) {
      return withDeadline(pending)
        .catch((error) => reportFailure(what, error))
        .then(() => enrich(i + 1, enrichers, event, capture));
    }
  }
  return event;
}
