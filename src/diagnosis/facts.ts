import { trace } from '@opentelemetry/api';
import { SDK_INFO } from '@opentelemetry/core';
import { capturesOfOtherMajors, versionsInUse } from '../context/copies.js';
import { isPartOfKind } from '../context/parts.js';
import { type PartKind, processWide } from '../context/process-wide.js';
import { isTracingEnabled } from '../context/trace/trace.js';
import { SENTRY_TRACE } from '../context/trace/trace-headers.js';
import { readLoadedVersions } from '../internal/node/package-version.js';
import { isArray, isObject, readProperty } from '../internal/values/read.js';
import type { Client } from '../model/contracts.js';
import type { OpenTelemetryGlobal } from '../model/open-telemetry-status.js';
import { otherMajors, partNameOf, readApiGlobals, registeredTracerProvider } from '../tracing/setup/api-globals.js';
import { partsWithin } from './parts-within.js';
import { hasParts, type ProviderParts, readProviderParts } from './provider-parts.js';
import { wantsTransactions } from './report.js';
import { readUnpatchedModules } from './unpatched-modules.js';

const API_PACKAGE = '@opentelemetry/api';
const SDK_VERSION_KEY = 'telemetry.sdk.version';

/** What the checks decide on. */
export type OpenTelemetryFacts = ReturnType<typeof readFacts>;

/** Collects the facts. Of user code only `toString` and `fields` are called; never throws. */
export function readFacts(client: Client) {
  const { settings } = client;
  const globals = readApiGlobals();
  const registered = registeredTracerProvider(globals.trace);
  const provider = registered && readProviderParts(registered);
  const { observed, withoutEffect } = processWide();
  return {
    client,
    settings,
    /** Whether transactions are wanted: also with a rate that asks for none, if our parts are in the setup. */
    isTracing: wantsTransactions(settings) || (isTracingEnabled(client) && hasParts(provider)),
    /** Whether `init` sets OpenTelemetry up. */
    isOwnSetup: !settings.skipOpenTelemetrySetup,
    api: {
      ...readLoadedVersions(API_PACKAGE),
      registered: globals.version,
      /** Whether our copy of the API finds the registered provider. */
      seesRegistered: globals.trace === undefined || trace.getTracerProvider() === globals.trace,
      otherMajors: otherMajors(),
    },
    sdk: { own: SDK_INFO[SDK_VERSION_KEY], registered: registered && sdkVersionOf(registered) },
    /** Versions of all copies of Faultline. */
    copies: versionsInUse(),
    /** Copies of other major versions that capture without a client. */
    capturingCopies: capturesOfOtherMajors(),
    observed,
    /** Names of the peer's SDK that were used and have no effect, and what to do instead. */
    withoutEffect,
    unpatched: readUnpatchedModules(),
    trace: describeGlobal(registered, 'FaultlineTracerProvider', registered ? partsOf(provider) : []),
    context: describeGlobal(
      globals.context,
      'FaultlineContextManager',
      isPartOfKind(globals.context, 'FaultlineContextManager') ? ['FaultlineContextManager'] : [],
    ),
    propagation: describeGlobal(globals.propagation, 'FaultlinePropagator', partsOfPropagator(globals.propagation)),
    /** `undefined` if there is no tracer provider, or if its parts cannot be read. */
    provider,
  };
}

function describeGlobal(value: unknown, ours: PartKind, parts: OpenTelemetryGlobal['parts']): OpenTelemetryGlobal {
  if (value === undefined) return { owner: 'none', parts };
  return { owner: isPartOfKind(value, ours) ? 'faultline' : 'application', className: partNameOf(value), parts };
}

function partsOf(provider: ProviderParts | undefined): OpenTelemetryGlobal['parts'] {
  if (!provider || provider.mayHideParts) return 'unknown';
  const { sampler, processors, exporters } = provider;
  return [
    ...(isPartOfKind(sampler, 'FaultlineSampler') ? ['FaultlineSampler'] : []),
    ...processors.map(() => 'FaultlineSpanProcessor'),
    ...exporters.map(() => 'FaultlineSpanExporter'),
  ];
}

function partsOfPropagator(propagator: unknown): OpenTelemetryGlobal['parts'] {
  if (!isObject(propagator)) return [];
  if (partsWithin(propagator).some((part) => isPartOfKind(part, 'FaultlinePropagator'))) return ['FaultlinePropagator'];
  return readsSentryTrace(propagator) ? 'unknown' : [];
}

/** A propagator that reads `sentry-trace` may hold ours in a private field. */
function readsSentryTrace(propagator: object): boolean {
  try {
    return (propagator as { fields(): string[] }).fields().includes(SENTRY_TRACE);
  } catch {
    return false;
  }
}

/** Read from private fields of the provider's resource: its `attributes` getter logs an error while detectors still run. */
function sdkVersionOf(provider: object): string | undefined {
  const resource = readProperty(provider, '_resource') ?? readProperty(provider, 'resource');
  const listed = readProperty(resource, '_rawAttributes');
  const entry = isArray(listed) ? listed.find((one) => readProperty(one, 0) === SDK_VERSION_KEY) : undefined;
  const version = entry ? readProperty(entry, 1) : readProperty(readProperty(resource, '_attributes'), SDK_VERSION_KEY);
  return typeof version === 'string' ? version : undefined;
}
