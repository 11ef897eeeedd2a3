import {
  type ContextManager,
  context as contextApi,
  diag,
  propagation,
  type TextMapPropagator,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  type Sampler,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { FaultlineContextManager } from '../context/context-manager.js';
import { reportMistakesNow } from '../context/observed/report-mistakes.js';
import { isPartOfKind, registerPart } from '../context/parts.js';
import { processWide } from '../context/process-wide.js';
import { noteMistake } from '../internal/options/mistakes.js';
import { noteUnknown } from '../internal/options/read-options.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { isSpanProcessor } from '../internal/values/is-span-processor.js';
import { isArray, readList, readProperty } from '../internal/values/read.js';
import type { Settings } from '../model/options.js';
import { FaultlinePropagator } from './propagator.js';
import { FaultlineSampler } from './sampler.js';
import { readApiGlobals, registeredTracerProvider } from './setup/api-globals.js';
import { GuardedSpanProcessor } from './setup/guarded-span-processor.js';
import { idGenerator } from './setup/id-generator.js';
import { serveImportedTracers } from './setup/imported-api.js';
import { inheritUnrecorded } from './setup/inherit-unrecorded.js';
import { createDefaultPropagator, createDefaultSampler } from './setup/open-telemetry-defaults.js';
import { FaultlineSpanProcessor } from './span-processor.js';

/** The application's own parts, which ours wrap. A part that is left out is the default of OTel's SDK. */
export interface ExistingParts {
  /** @default by `OTEL_TRACES_SAMPLER`, else a parent-based one that keeps everything */
  sampler?: Sampler | undefined;
  /** @default by `OTEL_PROPAGATORS`, else W3C trace context and baggage */
  propagator?: TextMapPropagator | undefined;
  /** Used unchanged. With a context manager that is not ours, `context.with` does not fork the scope. @default ours */
  contextManager?: ContextManager | undefined;
  /**
   * Run after our own. Once `NodeSDK` gets `spanProcessors`, it ignores its own `traceExporter` and `OTEL_TRACES_EXPORTER`,
   * so pass the processors of the application's exporters here. @default none
   */
  spanProcessors?: readonly SpanProcessor[] | undefined;
  /** Gets spans in batches, as from `NodeSDK`; the same as a `BatchSpanProcessor` with it in `spanProcessors`. @default none */
  traceExporter?: SpanExporter | undefined;
}

/**
 * The parts of an OTel setup, under the names that `NodeSDK` takes. A tracer provider takes the first two; the others
 * are registered with the OTel API.
 */
export interface OpenTelemetryParts {
  /** Asks the application's sampler first. */
  sampler: Sampler;
  /** Ours first, then the application's. */
  spanProcessors: SpanProcessor[];
  contextManager: ContextManager;
  textMapPropagator: TextMapPropagator;
}

const PARTS = [
  'sampler',
  'propagator',
  'contextManager',
  'spanProcessors',
  'traceExporter',
] as const satisfies (keyof ExistingParts)[];

/**
 * Returns the OTel parts to spread into the application's own setup: `new NodeSDK({ ...openTelemetry(), … })`. They use
 * whichever client is current, so `init` may run before or after.
 */
export function openTelemetry(existing?: ExistingParts): OpenTelemetryParts {
  const own = copyOwn(existing);
  const { sampler, propagator, contextManager, spanProcessors, traceExporter } = own as ExistingParts;
  const given = readList(spanProcessors);
  const processors = given.filter(isSpanProcessor);
  noteUnknown('openTelemetry', '', own, PARTS);
  if (spanProcessors !== undefined && (!isArray(spanProcessors) || processors.length < given.length)) {
    const problem = 'spanProcessors: must be an array of span processors, such as new BatchSpanProcessor(exporter)';
    noteMistake({ owner: 'openTelemetry', problem: `${problem}; anything else gets no span` });
  }
  const exported = createBatches(traceExporter);
  const textMapPropagator = new FaultlinePropagator({ propagator: propagator ?? createDefaultPropagator() });
  reportMistakesNow();
  return {
    sampler: new FaultlineSampler({ sampler: sampler ?? createDefaultSampler() }),
    spanProcessors: [new FaultlineSpanProcessor(), ...processors, ...exported],
    contextManager: contextManager ?? new FaultlineContextManager(),
    textMapPropagator,
  };
}

function createBatches(exporter: SpanExporter | undefined): SpanProcessor[] {
  if (exporter === undefined) return [];
  if (typeof readProperty(exporter, 'export') === 'function') return [new BatchSpanProcessor(exporter)];
  const problem = 'traceExporter: must be a span exporter, such as new OTLPTraceExporter(); it gets no span';
  noteMistake({ owner: 'openTelemetry', problem });
  return [];
}

/** Registers the parts with the OTel API. Does nothing when the application has registered a provider. */
export function registerOpenTelemetry({ release, openTelemetrySpanProcessors }: Settings): void {
  const present = registeredTracerProvider();
  if (isPartOfKind(present, 'FaultlineTracerProvider')) trace.disable();
  else if (present) return;
  const provider = new FaultlineTracerProvider({
    idGenerator,
    sampler: new FaultlineSampler(),
    spanProcessors: [
      new FaultlineSpanProcessor(),
      ...openTelemetrySpanProcessors.map((one) => new GuardedSpanProcessor(one)),
    ],
    resource: defaultResource()
      // OTel's own fallback contains the path of the executable.
      .merge(resourceFromAttributes({ 'service.name': 'node', ...(release && { 'service.version': release }) }))
      .merge(detectResources({ detectors: [envDetector] })),
  });
  serveImportedTracers(provider);
  trace.setGlobalTracerProvider(provider);
  // Present globals stay: replacing a context manager would lose the running contexts.
  const { context, propagation: propagator } = readApiGlobals();
  if (!context) contextApi.setGlobalContextManager(new FaultlineContextManager().enable());
  if (!propagator) propagation.setGlobalPropagator(new FaultlinePropagator({ baggage: true }));
}

/** Takes back what `registerOpenTelemetry` and `debug` registered; what the application registered stays. For tests. */
export function unregisterOpenTelemetry(): void {
  const { context, propagation: propagator } = readApiGlobals();
  if (isPartOfKind(registeredTracerProvider(), 'FaultlineTracerProvider')) trace.disable();
  if (isPartOfKind(context, 'FaultlineContextManager')) contextApi.disable();
  if (isPartOfKind(propagator, 'FaultlinePropagator')) propagation.disable();
  if (processWide().writesDiag) diag.disable();
  processWide().writesDiag = false;
}

/** The provider that `init` registers; `registerPart` tells it from one of the application's. */
class FaultlineTracerProvider extends BasicTracerProvider {
  constructor(config: ConstructorParameters<typeof BasicTracerProvider>[0]) {
    super(config);
    registerPart(this, 'FaultlineTracerProvider');
  }

  /** A provider returns the same tracer for the same name and version. */
  override getTracer(...args: Parameters<BasicTracerProvider['getTracer']>): Tracer {
    const tracer = super.getTracer(...args);
    if (!Object.hasOwn(tracer, 'startSpan')) inheritUnrecorded(tracer);
    return tracer;
  }
}
