import type { ContextManager, TextMapPropagator } from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import type { LogRecordProcessor } from '@opentelemetry/sdk-logs';
import { NodeSDK } from '@opentelemetry/sdk-node';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  type Sampler,
  SimpleSpanProcessor,
  type SpanExporter,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import {
  type ExistingParts,
  FaultlineContextManager,
  FaultlineLogRecordProcessor,
  FaultlinePropagator,
  FaultlineSampler,
  FaultlineSpanExporter,
  FaultlineSpanProcessor,
  getClient,
  init,
  type LogRecord,
  type OpenTelemetryParts,
  openTelemetry,
} from 'faultline';
import { expectType } from './expect-type.js';

const client = init();
const exporting = new SimpleSpanProcessor(new InMemorySpanExporter());

expectType<OpenTelemetryParts>(openTelemetry());
new NodeSDK({ ...openTelemetry({ sampler: new AlwaysOnSampler() }), serviceName: 'shop' });
new BasicTracerProvider({ ...openTelemetry({ spanProcessors: [exporting] }) });
// @ts-expect-error an exporter goes into a processor
openTelemetry({ spanProcessors: [new InMemorySpanExporter()] });
// @ts-expect-error a sampler is an object
openTelemetry({ sampler: 0.5 });
// @ts-expect-error the name that `NodeSDK` takes is `textMapPropagator`, this function's is `propagator`
openTelemetry({ textMapPropagator: new W3CTraceContextPropagator() });

expectType<ExistingParts>({ propagator: new W3CTraceContextPropagator(), sampler: undefined });
// @ts-expect-error processors are a list
expectType<ExistingParts>({ spanProcessors: exporting });
// @ts-expect-error a context manager is an object, not a class
expectType<ExistingParts>({ contextManager: FaultlineContextManager });

expectType<[Sampler, SpanProcessor[], ContextManager, TextMapPropagator]>([
  openTelemetry().sampler,
  openTelemetry().spanProcessors,
  openTelemetry().contextManager,
  openTelemetry().textMapPropagator,
]);
// @ts-expect-error all four parts are required
expectType<OpenTelemetryParts>({ spanProcessors: [] });
// @ts-expect-error a processor is an object, not a class
expectType<Partial<OpenTelemetryParts>>({ spanProcessors: [FaultlineSpanProcessor] });

expectType<Sampler>(new FaultlineSampler());
new FaultlineSampler(getClient(), { sampler: new AlwaysOnSampler() });
new FaultlineSampler({ client: getClient(), sampler: new AlwaysOnSampler() });
// @ts-expect-error the first argument is a client, not options
new FaultlineSampler({ tracesSampleRate: 1 });
// @ts-expect-error the sampler belongs in the options
new FaultlineSampler(client, new AlwaysOnSampler());

expectType<SpanProcessor>(new FaultlineSpanProcessor({ client }));
new FaultlineSpanProcessor({ client: undefined });
// @ts-expect-error the client belongs in the options
new FaultlineSpanProcessor(client);
// @ts-expect-error FaultlineSpanProcessor brings its own exporter
new FaultlineSpanProcessor(new FaultlineSpanExporter());

expectType<SpanExporter>(new FaultlineSpanExporter({ client: getClient() }));
new BatchSpanProcessor(new FaultlineSpanExporter());
// @ts-expect-error the client belongs in the options
new FaultlineSpanExporter(client);
// @ts-expect-error init sets the destination, with its DSN
new FaultlineSpanExporter({ url: 'https://example.com/' });

expectType<ContextManager>(new FaultlineContextManager().enable());
// @ts-expect-error FaultlineContextManager takes no arguments
new FaultlineContextManager({ client });
// @ts-expect-error FaultlineContextManager is a class: call it with `new`
FaultlineContextManager();

expectType<TextMapPropagator>(new FaultlinePropagator({ propagator: new W3CTraceContextPropagator() }));
new FaultlinePropagator({ baggage: true });
// @ts-expect-error the propagator belongs in the options
new FaultlinePropagator(new W3CTraceContextPropagator());
// @ts-expect-error `baggage` is a boolean
new FaultlinePropagator({ baggage: 'w3c' });

expectType<LogRecordProcessor>(new FaultlineLogRecordProcessor());
new FaultlineLogRecordProcessor({ client });
// @ts-expect-error the client belongs in the options
new FaultlineLogRecordProcessor(client);
// @ts-expect-error FaultlineLogRecordProcessor takes no exporter
new FaultlineLogRecordProcessor(new FaultlineSpanExporter());

expectType<LogRecord>({ attributes: { 'exception.type': 'Error' }, body: undefined, hrTime: [1, 2] });
// @ts-expect-error a log record has attributes
expectType<LogRecord>({ body: 'checkout failed' });
// @ts-expect-error `severityNumber` is one of OpenTelemetry's numbers
expectType<Partial<LogRecord>>({ severityNumber: 'ERROR' });
