import {
  type ContextManager,
  context as contextApi,
  type ProxyTracerProvider,
  propagation,
  type TextMapPropagator,
  type TracerProvider,
  trace,
} from '@opentelemetry/api';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import { BasicTracerProvider, type Sampler, type SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { FaultlineContextManager } from '../context/context-manager.js';
import { isPartOfKind, registerPart } from '../context/parts.js';
import { copyOwn } from '../internal/guard.js';
import { createPackageRequire } from '../internal/package-require.js';
import { readList } from '../internal/read.js';
import type { Settings } from '../model/options.js';
import { readApiGlobals, registeredTracerProvider } from './api-globals.js';
import { GuardedSpanProcessor } from './guarded-span-processor.js';
import { createHostPropagator, createHostSampler } from './host-defaults.js';
import { idGenerator } from './id-generator.js';
import { FaultlinePropagator } from './propagator.js';
import { FaultlineSampler } from './sampler.js';
import { FaultlineSpanProcessor } from './span-processor.js';

/** What the host brings of its own; wrapped, never replaced. What it does not bring is what OTel's SDK defaults to. */
export interface HostParts {
  /** @default by `OTEL_TRACES_SAMPLER`, else a parent-based one that keeps everything */
  sampler?: Sampler | undefined;
  /** @default by `OTEL_PROPAGATORS`, else W3C trace context and baggage */
  propagator?: TextMapPropagator | undefined;
  /** Used as it is. With one that is not ours, `context.with` alone forks no scope. @default ours */
  contextManager?: ContextManager | undefined;
  /**
   * Run after our own. `NodeSDK` makes no processor for its `traceExporter`, and none by `OTEL_TRACES_EXPORTER`, once it
   * is given `spanProcessors`: what exports for the host belongs here. @default none
   */
  spanProcessors?: readonly SpanProcessor[] | undefined;
}

/**
 * The parts that OTel lets us supply, under the names that `NodeSDK` takes. Providers take the first two; the others are
 * registered with the OTel API.
 */
export interface OpenTelemetryParts {
  /** Asks that of the host first. */
  sampler: Sampler;
  /** Our own, then those of the host. */
  spanProcessors: SpanProcessor[];
  contextManager: ContextManager;
  textMapPropagator: TextMapPropagator;
}

/**
 * The OTel parts as one bundle, to spread into a setup of the host's own: `new NodeSDK({ ...openTelemetry(), … })`. They
 * serve whichever client is current, so that it does not matter whether `init` runs before or after.
 */
export function openTelemetry(host?: HostParts): OpenTelemetryParts {
  const { sampler, propagator, contextManager, spanProcessors } = copyOwn(host) as HostParts;
  return {
    sampler: new FaultlineSampler({ sampler: sampler ?? createHostSampler() }),
    spanProcessors: [new FaultlineSpanProcessor(), ...(readList(spanProcessors) as SpanProcessor[])],
    contextManager: contextManager ?? new FaultlineContextManager(),
    textMapPropagator: new FaultlinePropagator({ propagator: propagator ?? createHostPropagator() }),
  };
}

/** Registers the parts with the OTel API. A setup that is not ours stays as it is. */
export function registerOpenTelemetry({ release, openTelemetrySpanProcessors }: Settings): void {
  const present = registeredTracerProvider();
  if (isPartOfKind(present, 'FaultlineTracerProvider')) trace.disable();
  else if (present) return;
  const provider = new FaultlineTracerProvider({
    idGenerator,
    sampler: new FaultlineSampler(),
    spanProcessors: [new FaultlineSpanProcessor(), ...openTelemetrySpanProcessors.map(guarded)],
    resource: defaultResource()
      .merge(resourceFromAttributes(release ? { 'service.version': release } : {}))
      .merge(detectResources({ detectors: [envDetector] })),
  });
  serveRequiredTracers(provider);
  trace.setGlobalTracerProvider(provider);
  // What is there serves on: replacing a context manager would lose what is running.
  const { context, propagation: propagator } = readApiGlobals();
  if (!context) contextApi.setGlobalContextManager(new FaultlineContextManager().enable());
  if (!propagator) propagation.setGlobalPropagator(new FaultlinePropagator({ baggage: true }));
}

function guarded(processor: SpanProcessor): SpanProcessor {
  return new GuardedSpanProcessor(processor);
}

/** Tells a provider that `init` registered from one of the user's. */
class FaultlineTracerProvider extends BasicTracerProvider {
  constructor(config: ConstructorParameters<typeof BasicTracerProvider>[0]) {
    super(config);
    registerPart(this, 'FaultlineTracerProvider');
  }
}

/**
 * From 1.10 on, the API that is required is another instance than the one that is imported. Both find what is
 * registered from then on; a tracer that the application got before asks only the instance that it came from.
 */
function serveRequiredTracers(provider: TracerProvider): void {
  try {
    const required = createPackageRequire()('@opentelemetry/api') as { trace: typeof trace };
    if (required.trace === trace) return;
    const early = required.trace.getTracerProvider() as Partial<ProxyTracerProvider>;
    early.setDelegate?.(provider);
  } catch {
    // There is none to be required, as in a bundle.
  }
}
