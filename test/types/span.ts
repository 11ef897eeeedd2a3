import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Attributes, Span as OtelSpan } from '@opentelemetry/api';
import {
  continueTrace,
  type DynamicSamplingContext,
  getActiveSpan,
  getDynamicSamplingContextFromSpan,
  getRootSpan,
  getTraceData,
  type IncomingHeaders,
  Scope,
  type Span,
  type SpanAttributes,
  type SpanAttributeValue,
  type SpanContextData,
  type SpanJSON,
  type SpanLinkJSON,
  type SpanOrigin,
  type SpanStatus,
  type SpanTimeInput,
  type StartSpanOptions,
  setHttpStatus,
  spanToJSON,
  startInactiveSpan,
  startNewTrace,
  startSpan,
  startSpanManual,
  suppressTracing,
  type TraceData,
  type TraceDataOptions,
  updateSpanName,
  withActiveSpan,
} from 'faultline';
import { expectType } from './expect-type.js';

declare const span: Span;
declare const otelSpan: OtelSpan;

expectType<SpanAttributeValue[]>(['a', 1, true, ['a', null], [1, undefined], [false]]);
// @ts-expect-error the elements of a list have one type
expectType<SpanAttributeValue>(['a', 1]);
// @ts-expect-error an attribute value is no object
expectType<SpanAttributeValue>({ a: 1 });
// @ts-expect-error an attribute value is not null
expectType<SpanAttributeValue>(null);

expectType<SpanAttributes>({ 'http.method': 'GET', 'http.status_code': 200, mine: [true], absent: undefined });
expectType<SpanAttributes>({ 'svc.op': 'db', 'svc.origin': 'auto.db', 'svc.source': 'route', 'svc.sample_rate': 0.5 });
// @ts-expect-error 'guess' is not one of the sources
expectType<SpanAttributes>({ 'svc.source': 'guess' });
// @ts-expect-error a rate is a number
expectType<SpanAttributes>({ 'svc.sample_rate': '0.5' });
// @ts-expect-error an operation is a string
expectType<SpanAttributes>({ 'svc.op': 1 });
// @ts-expect-error an origin is a string
expectType<SpanAttributes>({ 'svc.origin': true });
// @ts-expect-error an attribute value is no date
expectType<SpanAttributes>({ started: new Date() });

expectType<SpanOrigin[]>(['manual', 'auto', 'auto.http.otel.http', 'manual.shop']);
// @ts-expect-error an origin begins with 'manual' or 'auto'
expectType<SpanOrigin>('http');
// @ts-expect-error the parts of an origin are separated by dots
expectType<SpanOrigin>('auto-http');

expectType<SpanTimeInput[]>([new Date(), 1_700_000_000.5, 1_700_000_000_500, [1_700_000_000, 500_000_000]]);
// @ts-expect-error a time is no string
expectType<SpanTimeInput>('2026-01-05');
// @ts-expect-error a time of two parts has seconds and nanoseconds
expectType<SpanTimeInput>([1_700_000_000]);
// @ts-expect-error a time of two parts has seconds and nanoseconds
expectType<SpanTimeInput>([1, 2, 3]);

expectType<SpanJSON>({ data: {}, span_id: '1', trace_id: '0', start_timestamp: 1 });
expectType<SpanJSON>({
  data: { 'svc.op': 'db' },
  description: 'SELECT 1',
  op: 'db',
  parent_span_id: '2',
  span_id: '1',
  start_timestamp: 1,
  status: 'ok',
  timestamp: 2,
  trace_id: '0',
  origin: 'manual',
  profile_id: 'p',
  exclusive_time: 3,
  measurements: { rows: { value: 1, unit: 'none' } },
  is_segment: false,
  segment_id: '1',
  links: [{ trace_id: '0', span_id: '1', sampled: true, attributes: { a: 1 } }],
});
// @ts-expect-error `data` is required
expectType<SpanJSON>({ span_id: '1', trace_id: '0', start_timestamp: 1 });
// @ts-expect-error `span_id` is required
expectType<SpanJSON>({ data: {}, trace_id: '0', start_timestamp: 1 });
// @ts-expect-error `trace_id` is required
expectType<SpanJSON>({ data: {}, span_id: '1', start_timestamp: 1 });
// @ts-expect-error `start_timestamp` is required
expectType<SpanJSON>({ data: {}, span_id: '1', trace_id: '0' });
// @ts-expect-error the status is a string here
expectType<SpanJSON>({ data: {}, span_id: '1', trace_id: '0', start_timestamp: 1, status: 1 });
// @ts-expect-error members have the wire's names: `span_id`
expectType<SpanJSON>({ data: {}, spanId: '1', trace_id: '0', start_timestamp: 1 });

expectType<SpanLinkJSON>({ trace_id: '0', span_id: '1' });
// @ts-expect-error a link has both ids
expectType<SpanLinkJSON>({ trace_id: '0' });
// @ts-expect-error `sampled` is a boolean
expectType<SpanLinkJSON>({ trace_id: '0', span_id: '1', sampled: 1 });

expectType<DynamicSamplingContext>({
  trace_id: '0',
  public_key: 'k',
  sample_rate: '0.5',
  sample_rand: '0.1',
  sampled: 'true',
  release: 'shop@1',
  environment: 'test',
  transaction: 'GET /',
  org_id: '1',
  more: 'x',
});
// @ts-expect-error members of the sampling context are strings
expectType<DynamicSamplingContext>({ sample_rate: 0.5 });
// @ts-expect-error members of the sampling context are strings
expectType<DynamicSamplingContext>({ sampled: true });

expectType<SpanContextData>({ traceId: '0', spanId: '1', traceFlags: 1 });
// @ts-expect-error ids are strings
expectType<SpanContextData>({ traceId: 0, spanId: '1', traceFlags: 1 });
// @ts-expect-error a context has flags
expectType<SpanContextData>({ traceId: '0', spanId: '1' });

expectType<SpanStatus[]>([{ code: 0 }, { code: 1 }, { code: 2, message: 'not_found' }]);
// @ts-expect-error there are three codes
expectType<SpanStatus>({ code: 3 });
// @ts-expect-error a status has a code
expectType<SpanStatus>({ message: 'not_found' });

// Spans of OTel and ours are the same.
expectType<Span>(otelSpan);
expectType<OtelSpan>(span);
// @ts-expect-error a span has more methods
expectType<Span>({ spanContext: () => ({ traceId: '0', spanId: '1', traceFlags: 1 }) });

expectType<SpanContextData>(span.spanContext());
expectType<string>(span.spanContext().traceId);
expectType<number>(span.spanContext().traceFlags);
// @ts-expect-error flags are a number
expectType<string>(span.spanContext().traceFlags);
// @ts-expect-error spanContext takes no arguments
span.spanContext(1);

expectType<void>(span.end());
span.end(new Date());
span.end([1, 2]);
// @ts-expect-error a time is no string
span.end('now');
// @ts-expect-error end returns nothing
span.end().isRecording();

expectType<Span>(span.setAttribute('a', 'b').setAttribute('c', [1]).setAttribute('d', undefined));
// @ts-expect-error an attribute value is no object
span.setAttribute('a', {});
// @ts-expect-error an attribute value is not null
span.setAttribute('a', null);
// @ts-expect-error setAttribute takes key and value
span.setAttribute({ a: 1 });

expectType<Span>(span.setAttributes({ a: 1, 'svc.op': 'db', b: undefined }));
// @ts-expect-error attributes are an object
span.setAttributes([['a', 1]]);
// @ts-expect-error a rate is a number
span.setAttributes({ 'svc.sample_rate': 'half' });

expectType<Span>(span.setStatus({ code: 1 }).setStatus({ code: 2, message: 'not_found' }));
// @ts-expect-error a status is an object with a code
span.setStatus('ok');
// @ts-expect-error there are three codes
span.setStatus({ code: 7 });
// @ts-expect-error a status has a code
span.setStatus({ message: 'not_found' });

expectType<Span>(span.updateName('a'));
// @ts-expect-error a name is a string
span.updateName(1);
// @ts-expect-error the name is missing
span.updateName();

expectType<boolean>(span.isRecording());
// @ts-expect-error isRecording returns a boolean
expectType<string>(span.isRecording());
// @ts-expect-error isRecording takes no arguments
span.isRecording(true);

expectType<StartSpanOptions>({ name: 'a' });
expectType<StartSpanOptions>({
  name: 'a',
  op: 'db.query',
  attributes: { 'db.system': 'postgresql' },
  kind: 2,
  startTime: [1, 2],
  scope: new Scope(),
  parentSpan: null,
  onlyIfParent: true,
  forceTransaction: false,
});
expectType<StartSpanOptions>({ name: 'a', op: undefined, parentSpan: undefined, scope: undefined });
expectType<StartSpanOptions>({ name: 'a', attributes: {} as Attributes });
// @ts-expect-error a span has a name
expectType<StartSpanOptions>({ op: 'db.query' });
// @ts-expect-error an operation is a string
expectType<StartSpanOptions>({ name: 'a', op: 1 });
// @ts-expect-error a time is no string
expectType<StartSpanOptions>({ name: 'a', startTime: 'now' });
// @ts-expect-error a parent is a span, not its id
expectType<StartSpanOptions>({ name: 'a', parentSpan: '0123456789abcdef' });
// @ts-expect-error a scope is an instance of Scope
expectType<StartSpanOptions>({ name: 'a', scope: { tags: {} } });
// @ts-expect-error `onlyIfParent` is a boolean
expectType<StartSpanOptions>({ name: 'a', onlyIfParent: 'yes' });
// @ts-expect-error an attribute value is no object
expectType<StartSpanOptions>({ name: 'a', attributes: { a: {} } });
// @ts-expect-error a span has no option `description`
expectType<StartSpanOptions>({ name: 'a', description: 'b' });

expectType<number>(startSpan({ name: 'a' }, (inner) => inner.spanContext().traceFlags));
expectType<Promise<string>>(startSpan({ name: 'a' }, async () => 'b'));
// @ts-expect-error startSpan returns what the callback returns, not a span
expectType<Span>(startSpan({ name: 'a' }, () => 1));
// @ts-expect-error a span has a name
startSpan({}, () => undefined);
// @ts-expect-error the callback is missing
startSpan({ name: 'a' });
// @ts-expect-error the first argument is an object with a name
startSpan('a', () => undefined);
// @ts-expect-error the callback gets a span only: the span ends by itself
startSpan({ name: 'a' }, (_, finish: () => void) => finish());

expectType<number>(startSpanManual({ name: 'a' }, (_, finish) => setTimeout(finish, 1) && 1));
// @ts-expect-error startSpanManual returns the callback's promise
expectType<string>(startSpanManual({ name: 'a' }, async () => 'b'));
// @ts-expect-error `finish` takes no arguments
startSpanManual({ name: 'a' }, (_, finish) => finish(new Date()));
// @ts-expect-error the callback is missing
startSpanManual({ name: 'a' });

expectType<Span>(startInactiveSpan({ name: 'a', startTime: new Date() }));
// @ts-expect-error startInactiveSpan takes no callback
startInactiveSpan({ name: 'a' }, () => undefined);
// @ts-expect-error a span has a name
startInactiveSpan({ op: 'db' });

expectType<Span | undefined>(getActiveSpan());
// @ts-expect-error getActiveSpan returns undefined outside of spans
getActiveSpan().end();
// @ts-expect-error getActiveSpan takes no arguments
getActiveSpan('a');

expectType<void>(updateSpanName(span, 'a'));
// @ts-expect-error the name is a string
updateSpanName(span, undefined);
// @ts-expect-error the span is missing
updateSpanName('a');
// @ts-expect-error getActiveSpan returns undefined outside of spans
updateSpanName(getActiveSpan(), 'a');

expectType<DynamicSamplingContext>(getDynamicSamplingContextFromSpan(span));
expectType<string | undefined>(getDynamicSamplingContextFromSpan(otelSpan).sample_rate);
// @ts-expect-error each member may be undefined
expectType<string>(getDynamicSamplingContextFromSpan(span).trace_id);
// @ts-expect-error the span is missing
getDynamicSamplingContextFromSpan();

expectType<Span>(getRootSpan(span));
// @ts-expect-error the span is missing
getRootSpan();
// @ts-expect-error the argument is a span, not its id
getRootSpan('0123456789abcdef');

expectType<SpanJSON>(spanToJSON(span));
expectType<number | undefined>(spanToJSON(otelSpan).timestamp);
// @ts-expect-error `timestamp` is undefined while the span runs
expectType<number>(spanToJSON(span).timestamp);
// @ts-expect-error the argument is a span, not its JSON
spanToJSON({ span_id: '1' });

expectType<void>(setHttpStatus(span, 404));
// @ts-expect-error the status is a number
setHttpStatus(span, '404');
// @ts-expect-error the span is missing
setHttpStatus(404);

expectType<number>(withActiveSpan(span, (scope) => scope.setTag('a', 1) && 1));
withActiveSpan(null, () => undefined);
// @ts-expect-error withActiveSpan(null, …) has no active span; undefined is refused
withActiveSpan(undefined, () => undefined);
// @ts-expect-error the callback gets a scope
withActiveSpan(span, (inner: Span) => inner.end());

expectType<string>(suppressTracing(() => 'a'));
// @ts-expect-error the argument is a function
suppressTracing(true);
// @ts-expect-error the callback gets no arguments
suppressTracing((inner: Span) => inner.end());

expectType<IncomingHeaders>({ sentryTrace: 'a', baggage: ['b', 'c'], traceparent: null });
// @ts-expect-error a header is a string
expectType<IncomingHeaders>({ sentryTrace: 1 });
expectType<IncomingHeaders>({ 'sentry-trace': 'a' });
expectType<IncomingHeaders>(getTraceData());
// @ts-expect-error the header's name is in lower case
expectType<IncomingHeaders>({ 'Sentry-Trace': 'a' });

expectType<number>(continueTrace({ sentryTrace: 'a', baggage: undefined }, () => 1));
expectType<number>(continueTrace(new IncomingMessage(new Socket()).headers, () => 1));
// @ts-expect-error the callback is missing
continueTrace({ sentryTrace: 'a' });
// @ts-expect-error the headers are missing
continueTrace(() => 1);
// @ts-expect-error a header is a string or a list of strings
continueTrace({ baggage: new Map() }, () => 1);

expectType<number>(startNewTrace(() => 1));
// @ts-expect-error the callback is missing
startNewTrace();
// @ts-expect-error startNewTrace returns what the callback returns
expectType<string>(startNewTrace(() => 1));

expectType<TraceData>(getTraceData());
expectType<string | undefined>(getTraceData()['sentry-trace']);
expectType<TraceDataOptions>({ span: undefined, scope: new Scope() });
// @ts-expect-error a trace id is no span
expectType<TraceDataOptions>({ span: 'trace' });
// @ts-expect-error a span is no scope
expectType<TraceDataOptions>({ scope: span });
expectType<TraceData>(getTraceData({ span, scope: new Scope() }));
// @ts-expect-error each header may be undefined
expectType<string>(getTraceData().baggage);
// @ts-expect-error the header is called `sentry-trace`
getTraceData().sentryTrace;
// @ts-expect-error a header is a string
expectType<TraceData>({ traceparent: 1 });
// @ts-expect-error the header is called `sentry-trace`
expectType<TraceData>({ sentryTrace: 'a' });
