import { clientOfPart, wasMade } from '../../context/parts.js';
import type { Client } from '../../model/contracts.js';
import type { OpenTelemetryFacts } from '../facts.js';
import { hasParts } from '../provider-parts.js';
import { findExporterVariable } from '../report.js';
import { BESIDE_SDK, type Check, exportsAlone, hasSampler, NOTHING_REGISTERED, nameOf, OWN_SDK } from './check.js';

/** What is wrong with the parts of Faultline in a setup of OpenTelemetry, and with those beside them. */
export const PART_PROBLEMS: readonly Check[] = [
  {
    code: 'sdk-too-old',
    feature: 'transactions',
    applies: ({ provider }) => provider?.isLegacy === true && (hasParts(provider) || hasSampler(provider)),
    message: ({ sdk }) =>
      `The tracer provider is of OTel SDK ${sdk.registered ?? '1.x'}; Faultline is tested with 2.0 and newer.`,
    remedy: 'npm install @opentelemetry/sdk-node@latest',
  },
  {
    code: 'no-span-processor',
    feature: 'transactions',
    followsFrom: ['loaded-twice'],
    applies: (facts) => facts.isTracing && lacksParts(facts),
    message: ({ trace }) =>
      `${nameOf(trace)} has neither a FaultlineSpanProcessor nor a FaultlineSpanExporter, so that no span becomes a transaction.`,
    remedy: BESIDE_SDK,
  },
  {
    code: 'exceptions-unobserved',
    feature: 'errors',
    followsFrom: ['no-span-processor', 'loaded-twice'],
    // Those of log records may be all that is wanted.
    applies: (facts) =>
      facts.settings.captureRecordedExceptions && lacksParts(facts) && !wasMade('FaultlineLogRecordProcessor'),
    message: ({ trace }) =>
      `captureRecordedExceptions is on, but ${nameOf(trace)} has no FaultlineSpanProcessor, so that exceptions on the spans that it records are not captured.`,
    remedy: BESIDE_SDK,
  },
  {
    code: 'exporter-behind-sampler',
    feature: 'transactions',
    applies: ({ provider, isTracing }) =>
      isTracing && hasSampler(provider) && provider!.processors.length === 0 && provider!.exporters.length > 0,
    message:
      'There are a FaultlineSampler and a FaultlineSpanExporter, but no FaultlineSpanProcessor: traces that only Faultline wants are not sampled, and never reach an exporter.',
    remedy: BESIDE_SDK,
  },
  {
    code: 'two-span-processors',
    feature: 'transactions',
    applies: ({ provider }) => provider?.hasTwoProcessors === true,
    message: 'Each span is given to more than one FaultlineSpanProcessor, so that transactions are sent twice.',
    remedy: ({ trace }) =>
      trace.owner === 'faultline' ? 'init({ ...options, openTelemetrySpanProcessors: spanProcessors });' : OWN_SDK,
  },
  {
    code: 'part-of-another-client',
    feature: 'transactions',
    applies: ({ client, provider }) => {
      const { processors = [], exporters = [], sampler } = provider ?? {};
      return [processors, exporters, sampler ? [sampler] : []].some((parts) => areOfOthers(parts, client));
    },
    message: 'Parts of Faultline in the tracer provider were made for another client, and serve that one only.',
    remedy: OWN_SDK,
  },
  {
    code: 'sampler-bypassed',
    feature: 'sampling',
    applies: ({ provider }) => provider?.isSamplerBypassed === true,
    message: ({ provider }) =>
      `The FaultlineSampler is within another sampler (${provider?.samplerName}), which asks it about some spans only; OTel's sampled flag decides about the others.`,
    remedy: BESIDE_SDK,
  },
  {
    code: 'existing-sampler-off',
    feature: 'sampling',
    applies: ({ provider, isTracing }) =>
      provider !== undefined &&
      (provider.exporters.length > 0 || (isTracing && provider.processors.length > 0)) &&
      /^(ParentBased\{root=)?AlwaysOffSampler/.test(provider.samplerName),
    message: ({ provider }) =>
      `The sampler of the tracer provider (${provider?.samplerName}) records none of the traces that begin here, and without a FaultlineSampler it decides alone.`,
    remedy: BESIDE_SDK,
  },
  {
    code: 'no-context-manager',
    feature: 'scopes',
    followsFrom: NOTHING_REGISTERED,
    applies: ({ context }) => context.owner === 'none',
    message:
      'No context manager is registered, so that spans do not find their parents, and startSpan and continueTrace fork no scope.',
    remedy: 'context.setGlobalContextManager(new FaultlineContextManager().enable());',
  },
  {
    code: 'no-propagator',
    feature: 'trace continuation',
    followsFrom: NOTHING_REGISTERED,
    applies: ({ propagation, isTracing }) => isTracing && propagation.owner === 'none',
    message: 'No propagator is registered, so that spans do not continue the traces of requests that come in.',
    remedy: 'propagation.setGlobalPropagator(openTelemetry().textMapPropagator);',
  },
  {
    code: 'foreign-propagator',
    feature: 'trace continuation',
    followsFrom: ['loaded-twice'],
    applies: ({ propagation, provider, isTracing }) =>
      isTracing && propagation.owner === 'application' && propagation.parts.length === 0 && hasSampler(provider),
    message: ({ propagation }) =>
      `${nameOf(propagation)} has no FaultlinePropagator, so that the decision of the FaultlineSampler does not travel with the trace.`,
    remedy: 'propagation.disable(); propagation.setGlobalPropagator(new FaultlinePropagator({ propagator }));',
  },
  {
    code: 'exporters-replaced',
    feature: 'existing exporters',
    applies: (facts) => exportsAlone(facts) && findExporterVariable() !== undefined,
    message: () =>
      `${findExporterVariable()} is set, but only Faultline gets spans: NodeSDK makes no exporter once it is given spanProcessors, as by openTelemetry(). If that is intended, set OTEL_TRACES_EXPORTER=none.`,
    remedy: 'new NodeSDK({ ...openTelemetry({ spanProcessors: [new BatchSpanProcessor(exporter)] }) }).start();',
  },
];

/** Whether the application has set OpenTelemetry up without our parts, as far as can be seen. */
function lacksParts({ trace, provider }: OpenTelemetryFacts): boolean {
  return trace.owner === 'application' && provider !== undefined && !hasParts(provider) && !provider.mayHideParts;
}

function areOfOthers(parts: readonly object[], client: Client): boolean {
  return parts.length > 0 && parts.every((part) => (clientOfPart(part) ?? client) !== client);
}
