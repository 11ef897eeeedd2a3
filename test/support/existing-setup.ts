import { context, propagation, type TextMapPropagator, trace } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  type IdGenerator,
  InMemorySpanExporter,
  ParentBasedSampler,
  type ReadableSpan,
  type Sampler,
  SimpleSpanProcessor,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-base';
import { openTelemetry, type TransactionEvent } from '../../src/index.js';
import type { TransportFactory } from '../../src/model/delivery/transport.js';
import type { DynamicSamplingContext } from '../../src/model/trace.js';

/** A provider of the application's with our parts in it, registered with the OTel API. */
export interface ExistingSetup {
  readonly provider: BasicTracerProvider;
  /** What an exporter of the application gets, by way of a simple and of a batching processor. */
  exported(): Promise<{ simple: ReadableSpan[]; batched: ReadableSpan[] }>;
}

export interface ExistingSetupOptions {
  sampler?: Sampler;
  propagator?: TextMapPropagator;
  idGenerator?: IdGenerator;
}

/** Sets OpenTelemetry up as docs/opentelemetry.md says, with two exporters of the application. */
export function startExistingSetup({ sampler, propagator, idGenerator }: ExistingSetupOptions = {}): ExistingSetup {
  const simple = new InMemorySpanExporter();
  const batched = new InMemorySpanExporter();
  const parts = openTelemetry({
    sampler,
    propagator,
    spanProcessors: [
      new SimpleSpanProcessor(simple),
      new BatchSpanProcessor(batched, { maxQueueSize: 100_000, maxExportBatchSize: 1000 }),
    ],
  });
  const provider = new BasicTracerProvider({ ...parts, idGenerator });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(parts.contextManager.enable());
  propagation.setGlobalPropagator(parts.textMapPropagator);
  return {
    provider,
    async exported() {
      await provider.forceFlush();
      return { simple: simple.getFinishedSpans(), batched: batched.getFinishedSpans() };
    },
  };
}

/** As most applications sample: a fraction of the traces that begin here, and what was decided elsewhere for the others. */
export function parentBased(rate: number): Sampler {
  return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(rate) });
}

export const ALWAYS = new AlwaysOnSampler();
export const NEVER = new AlwaysOffSampler();
export const W3C = new W3CTraceContextPropagator();

/** Ids that look random and are the same in every run. */
export class SeededIds implements IdGenerator {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  readonly generateTraceId = () => this.#word() + this.#word() + this.#word() + this.#word();
  readonly generateSpanId = () => this.#word() + this.#word();

  /** Eight hex characters of the generator "mulberry32". */
  #word(): string {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0).toString(16).padStart(8, '0');
  }
}

/** A destination within the process. */
export class Sink {
  readonly transactions: TransactionEvent[] = [];
  /** The dynamic sampling contexts of these, in the same order. */
  readonly contexts: (DynamicSamplingContext | undefined)[] = [];

  /** The options of a client that sends here, and leaves OpenTelemetry to the application. */
  options<T extends object>(options: T) {
    return {
      dsn: 'http://key@127.0.0.1:1/1',
      skipOpenTelemetrySetup: true,
      transport: this.transport,
      transportOptions: { bufferSize: 100_000 },
      ...options,
    };
  }

  readonly transport: TransportFactory = () => ({
    send: async ([{ trace: dsc }, items]) => {
      for (const [{ type }, payload] of items) {
        if (type !== 'transaction') continue;
        this.transactions.push(payload as TransactionEvent);
        this.contexts.push(dsc);
      }
      return { statusCode: 200 };
    },
    flush: async () => true,
  });
}
