import { type Context, ROOT_CONTEXT, type Span, type SpanContext, type SpanOptions, trace } from '@opentelemetry/api';
import { type ExportResult, ExportResultCode } from '@opentelemetry/core';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  type ReadableSpan,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { onTestFinished } from 'vitest';
import { DefaultClient } from '../../src/client.js';
import { readOpenTelemetryStatus } from '../../src/diagnosis/status.js';
import { Emitter } from '../../src/internal/emitter.js';
import type { ClientHooks } from '../../src/model/contracts.js';
import { Ledger } from '../../src/model/delivery/ledger.js';
import type { TransactionEvent } from '../../src/model/event/event.js';
import type { InnerClient } from '../../src/model/inner-client.js';
import type { Options } from '../../src/model/options.js';
import { resolveOptions } from '../../src/options.js';
import { FaultlineSpanExporter } from '../../src/tracing/exporter.js';

/** A real client and what left it, in the order in which it left. */
export interface Rig {
  readonly client: InnerClient;
  readonly sent: TransactionEvent[];
}

/** A client whose outbox keeps what it is given and confirms it at once. */
export function createRig(options: Options = {}): Rig {
  const ledger = new Ledger();
  const sent: TransactionEvent[] = [];
  const client = new DefaultClient({
    settings: resolveOptions(options, {}),
    dsn: undefined,
    ledger,
    hooks: new Emitter<ClientHooks>(),
    outbox: {
      send: (items) => {
        for (const { quantities } of items) ledger.deliver(quantities);
      },
      isFull: () => false,
      flush: async () => true,
      storeUnsent: (finish) => finish?.(),
      flushRest: () => Promise.resolve(),
      hasStored: () => false,
      close: () => undefined,
    },
    integrations: [],
    readOpenTelemetryStatus,
  });
  client.on('beforeSendEvent', (event) => sent.push(event as TransactionEvent));
  onTestFinished(async () => void (await client.close()));
  return { client, sent };
}

export interface ExportRig extends Rig {
  readonly exporter: FaultlineSpanExporter;
  /** Exports one batch; its result. */
  send(...spans: ReadableSpan[]): ExportResult;
}

export function createExportRig(options: Options = {}): ExportRig {
  const rig = createRig(options);
  const exporter = new FaultlineSpanExporter({ client: rig.client });
  const send = (...spans: ReadableSpan[]) => {
    const results: ExportResult[] = [];
    exporter.export(spans, (result) => results.push(result));
    if (results.length !== 1) throw new Error(`the callback was called ${results.length} times`);
    return results[0]!;
  };
  return { ...rig, exporter, send };
}

export const SUCCESS = { code: ExportResultCode.SUCCESS };

/** The name of a transaction and, sorted, those of its spans. */
export function namesIn({ transaction, spans = [] }: TransactionEvent): [string, string[]] {
  return [transaction, spans.map(({ description }) => description!).sort()];
}

/** Every span id that was sent, once for each time. */
export function spanIdsIn(sent: readonly TransactionEvent[]): string[] {
  return sent.flatMap(({ contexts, spans = [] }) => [contexts!.trace!.span_id!, ...spans.map((span) => span.span_id)]);
}

/** A provider that records every span, for the given processors. */
export function createTracer(...spanProcessors: SpanProcessor[]) {
  return new BasicTracerProvider({ sampler: new AlwaysOnSampler(), spanProcessors }).getTracer('test');
}

const tracer = createTracer();

/** A span that runs; `parent` may be of elsewhere. */
export function start(name: string, parent?: Span | SpanContext, options?: SpanOptions): Span & ReadableSpan {
  return tracer.startSpan(name, options, below(parent)) as Span & ReadableSpan;
}

/** A span that has ended. */
export function span(name: string, parent?: Span | SpanContext, options?: SpanOptions): Span & ReadableSpan {
  const started = start(name, parent, options);
  started.end();
  return started;
}

export function below(parent?: Span | SpanContext): Context {
  if (parent === undefined) return ROOT_CONTEXT;
  return 'spanContext' in parent ? trace.setSpan(ROOT_CONTEXT, parent) : trace.setSpanContext(ROOT_CONTEXT, parent);
}

/** The context of a span as another service sees it. */
export function remote(spanContext: SpanContext): SpanContext {
  return { ...spanContext, isRemote: true };
}
