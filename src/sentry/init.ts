import { trace } from '@opentelemetry/api';
import { reportOpenTelemetryProblems } from '../diagnosis/report.js';
import { type Client, continueTrace, getClient, getCurrentScope, getGlobalScope, init as initOwn } from '../index.js';
import { getDefaultIntegrations as getOwnDefaults } from '../integrations/default.js';
import { guard } from '../internal/guard.js';
import { parseFlag } from '../internal/options/parse-flag.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { readList, readProperty } from '../internal/values/read.js';
import { ATTRIBUTE } from '../model/event/span-json.js';
import { completeSetup, type Integration, noteLateOptions, toParts } from './integration.js';
import type { NodeClient } from './node-client.js';
import { type NodeOptions, toOwnOptions } from './options.js';
import { logMissing } from './stubs/missing.js';

const DEFAULT_MAX_BREADCRUMBS = 100;

/** `init` with the options and the `SENTRY_*` variables of the peer. */
export function init(options: NodeOptions = {}): NodeClient {
  const peer = copyOwn(options) as NodeOptions;
  const { own, integrations } = toOwnOptions(peer, process.env);
  const client = initOwn(own);
  completeSetup(integrations, client);
  logMissing();
  const { initialScope, openTelemetryInstrumentations } = peer;
  if (initialScope) getGlobalScope().update(initialScope);
  for (const one of readList(openTelemetryInstrumentations)) enableInstrumentation(one);
  client.on('spanStart', (span) => {
    const attributes = readProperty(span, 'attributes') as Record<string, unknown> | undefined;
    for (const member of ['op', 'origin', 'source'] as const) {
      const value = attributes?.[`sentry.${member}`];
      if (typeof value === 'string') span.setAttribute(ATTRIBUTE[member], value);
    }
  });
  continueTraceOfEnvironment();
  return Object.assign(client, { init: () => undefined });
}

export function initWithoutDefaultIntegrations(options: NodeOptions = {}): NodeClient {
  return init({ ...copyOwn(options), defaultIntegrations: false });
}

export function getDefaultIntegrations(options: Pick<NodeOptions, 'maxBreadcrumbs'> = {}): Integration[] {
  const maxBreadcrumbs = readProperty(options, 'maxBreadcrumbs') as number | undefined;
  return getOwnDefaults({ maxBreadcrumbs: maxBreadcrumbs ?? DEFAULT_MAX_BREADCRUMBS });
}

export function addIntegration(integration: Integration): void {
  const client = getClient();
  if (!client) return;
  noteLateOptions(integration, 'in addIntegration');
  const parts = toParts([integration]);
  for (const part of parts) client.addIntegration(part);
  completeSetup(parts, client);
}

/** Logs what is wrong with the OpenTelemetry setup. */
export function validateOpenTelemetrySetup(): void {
  const client = getClient();
  if (client) reportOpenTelemetryProblems(client);
}

export function setCurrentClient(client: Client): void {
  getCurrentScope().setClient(client);
}

/** Runs `creator` at the first call, and enables the instrumentation that it returns. */
export function generateInstrumentOnce<Options>(
  name: string,
  creator: (options?: Options) => unknown,
): ((options?: Options) => unknown) & { id: string } {
  let created: unknown;
  const instrument = (options?: Options): unknown => {
    created ??= enableInstrumentation(creator(options));
    return created;
  };
  return Object.assign(instrument, { id: name });
}

export function enableInstrumentation(instrumentation: unknown): unknown {
  guard('an instrumentation', () => {
    const { setTracerProvider, enable } = instrumentation as Record<string, unknown>;
    if (typeof setTracerProvider === 'function') setTracerProvider.call(instrumentation, trace.getTracerProvider());
    if (typeof enable === 'function') enable.call(instrumentation);
  });
  return instrumentation;
}

/** A process that another one has started goes on with its trace. */
function continueTraceOfEnvironment(): void {
  const { SENTRY_TRACE, SENTRY_BAGGAGE, SENTRY_USE_ENVIRONMENT } = process.env;
  if (!SENTRY_TRACE || parseFlag(SENTRY_USE_ENVIRONMENT) === false) return;
  const outside = getCurrentScope();
  continueTrace({ sentryTrace: SENTRY_TRACE, baggage: SENTRY_BAGGAGE }, () => {
    outside.setPropagationContext(getCurrentScope().getPropagationContext());
  });
}
