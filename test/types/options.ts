import { SimpleSpanProcessor } from '@opentelemetry/sdk-trace-base';
import {
  type Client,
  type ClientOptions,
  consoleIntegration,
  createTransport,
  type Event,
  FaultlineSpanExporter,
  init,
  type Options,
  type SamplingContext,
  type ScrubbingOptions,
  type Settings,
  type SpanMatcher,
  type StringMatcher,
  type TracePropagationTargets,
} from 'faultline';
import { expectType } from './expect-type.js';

expectType<Client>(init());
expectType<Client>(init({}));
expectType<ClientOptions>({} as Options);
// @ts-expect-error `sampleRate` is a number
expectType<ClientOptions>({ sampleRate: '1' });
// @ts-expect-error there is no option `dns`
expectType<ClientOptions>({ dns: 'https://key@example.com/1' });
// @ts-expect-error `sampleRate` is a number
expectType<Options>({ sampleRate: '1' });
// @ts-expect-error there is no option `dns`
expectType<Options>({ dns: 'https://key@example.com/1' });
// @ts-expect-error options are an object
init('https://key@example.com/1');
// @ts-expect-error there is no option `dns`
init({ dns: 'https://key@example.com/1' });
// @ts-expect-error init returns a client, not a promise
init().then();
// @ts-expect-error options are an object, or left out
init(null);

init({ dsn: 'https://key@example.com/1' });
init({ dsn: process.env['DSN'] });
// @ts-expect-error `dsn` is a string, not a URL
init({ dsn: new URL('https://key@example.com/1') });
// @ts-expect-error `dsn` is a string or undefined, not null
init({ dsn: null });

init({ environment: 'test' });
// @ts-expect-error `environment` is a string
init({ environment: 1 });
// @ts-expect-error `environment` is one string
init({ environment: ['test'] });

init({ release: 'shop@1' });
// @ts-expect-error `release` is a string
init({ release: 1.4 });
// @ts-expect-error `release` is a string or undefined, not null
init({ release: null });

init({ dist: '7' });
// @ts-expect-error `dist` is a string
init({ dist: 7 });
// @ts-expect-error `dist` is a string or undefined
init({ dist: false });

init({ maxSameErrorsPerSecond: 10 });
// @ts-expect-error `maxSameErrorsPerSecond` is a number
init({ maxSameErrorsPerSecond: '10' });
// @ts-expect-error `maxSameErrorsPerSecond` is a number
init({ maxSameErrorsPerSecond: false });

init({ sampleRate: 0.5 });
// @ts-expect-error `sampleRate` is a number
init({ sampleRate: '0.5' });
// @ts-expect-error a rate is a number: 1 keeps all
init({ sampleRate: true });

init({ tracesSampleRate: 0 });
// @ts-expect-error `tracesSampleRate` is a number
init({ tracesSampleRate: '0.5' });
// @ts-expect-error a rate is a number: functions go into `tracesSampler`
init({ tracesSampleRate: () => 0.5 });

init({ tracesSampler: ({ name, parentSampled }) => parentSampled ?? (name === 'a' ? 0 : 0.5) });
init({ tracesSampler: ({ inheritOrSampleWith }) => inheritOrSampleWith(0.5) });
// @ts-expect-error the decision is a rate or a boolean
init({ tracesSampler: () => 'yes' });
// @ts-expect-error tracesSampler answers at once
init({ tracesSampler: async () => 0.5 });
// @ts-expect-error tracesSampler is a function: a rate goes into `tracesSampleRate`
init({ tracesSampler: 0.5 });
// @ts-expect-error the context has a name, and no `spanName`
init({ tracesSampler: ({ spanName }) => spanName === 'a' });
expectType<SamplingContext>({
  name: 'a',
  attributes: {},
  transactionContext: { name: 'a' },
  parentSampled: true,
  parentSampleRate: 0.5,
  request: { method: 'GET' },
  location: undefined,
  inheritOrSampleWith: (rate) => rate,
});
// @ts-expect-error the context has the name of the span
expectType<Omit<SamplingContext, 'inheritOrSampleWith'>>({ attributes: {}, transactionContext: { name: 'a' } });
// @ts-expect-error parentSampled is undefined for the first span of a trace
expectType<boolean>(({} as SamplingContext).parentSampled);

init({ beforeSend: (event, hint) => (hint.originalException instanceof RangeError ? null : event) });
init({ beforeSend: async (event) => ({ ...event, user: undefined }) });
init({ beforeSend: (event: Event) => event });
// @ts-expect-error a hook returns the event, or null to discard it
init({ beforeSend: () => undefined });
// @ts-expect-error a hook returns the event, or null to discard it
init({ beforeSend: () => false });
// @ts-expect-error the hook gets an event: the error is in the hint
init({ beforeSend: (_error: Error) => null });
// @ts-expect-error 'critical' is not one of the levels
init({ beforeSend: () => ({ level: 'critical' }) });

init({ beforeSendTransaction: (event) => (event.transaction.startsWith('GET') ? event : null) });
init({ beforeSendTransaction: async (event, hint) => hint && event });
// @ts-expect-error a hook returns the event, or null to discard it
init({ beforeSendTransaction: () => undefined });
// @ts-expect-error the hook gets transactions, no feedback
init({ beforeSendTransaction: (event: { type: 'feedback' }) => event });

init({ beforeSendSpan: (span) => ({ ...span, description: undefined }) });
// @ts-expect-error beforeSendSpan returns a span: it cannot discard one
init({ beforeSendSpan: () => null });
// @ts-expect-error beforeSendSpan returns a span, not a promise
init({ beforeSendSpan: async (span) => span });

init({ beforeBreadcrumb: (breadcrumb, hint) => (hint['request'] ? null : breadcrumb) });
// @ts-expect-error a hook returns the breadcrumb, or null to discard it
init({ beforeBreadcrumb: () => undefined });
// @ts-expect-error beforeBreadcrumb returns a breadcrumb, not a promise
init({ beforeBreadcrumb: async (breadcrumb) => breadcrumb });
// @ts-expect-error 'warn' is not one of the levels
init({ beforeBreadcrumb: (breadcrumb) => ({ ...breadcrumb, level: 'warn' }) });

init({ integrations: [consoleIntegration(), { name: 'Mine' }] });
init({ integrations: (defaults) => defaults.filter(({ name }) => name !== 'Console') });
// @ts-expect-error integrations are objects, not names
init({ integrations: ['Console'] });
// @ts-expect-error integrations are a list
init({ integrations: consoleIntegration() });
// @ts-expect-error an integration has a name
init({ integrations: [{ setup: () => undefined }] });
// @ts-expect-error the function returns a list
init({ integrations: (defaults) => void defaults.pop() });

init({ defaultIntegrations: false });
init({ defaultIntegrations: [consoleIntegration()] });
// @ts-expect-error `defaultIntegrations` is false or a list
init({ defaultIntegrations: true });
// @ts-expect-error integrations are objects, not names
init({ defaultIntegrations: ['Console'] });

init({ maxBreadcrumbs: 10 });
// @ts-expect-error `maxBreadcrumbs` is a number
init({ maxBreadcrumbs: '10' });
// @ts-expect-error `maxBreadcrumbs` is a number: 0 keeps none
init({ maxBreadcrumbs: false });

init({ maxValueLength: 0 });
// @ts-expect-error `maxValueLength` is a number
init({ maxValueLength: '250' });
// @ts-expect-error `maxValueLength` is a number: 0 is without a limit
init({ maxValueLength: null });

init({ normalizeDepth: 3 });
// @ts-expect-error `normalizeDepth` is a number
init({ normalizeDepth: '3' });
// @ts-expect-error `normalizeDepth` is a number: 0 turns it off
init({ normalizeDepth: false });

init({ normalizeMaxBreadth: 1000 });
// @ts-expect-error `normalizeMaxBreadth` is a number
init({ normalizeMaxBreadth: [1000] });
// @ts-expect-error `normalizeMaxBreadth` is a number
init({ normalizeMaxBreadth: '1000' });

init({ ignoreErrors: ['socket hang up', /^AbortError/] });
// @ts-expect-error matchers are a list
init({ ignoreErrors: /^AbortError/ });
// @ts-expect-error a matcher is a string or a pattern
init({ ignoreErrors: [RangeError] });

init({ ignoreTransactions: ['/health', /^HEAD/] });
// @ts-expect-error matchers are a list
init({ ignoreTransactions: '/health' });
// @ts-expect-error a matcher is a string or a pattern
init({ ignoreTransactions: [(name: string) => name === '/health'] });

init({ ignoreSpans: ['SELECT 1', /^PING/, { name: /^GET/, op: 'cache', attributes: { 'db.system': /redis/ } }] });
// @ts-expect-error matchers are a list
init({ ignoreSpans: { op: 'cache' } });
// @ts-expect-error a matcher of spans has no `description`
init({ ignoreSpans: [{ description: 'SELECT 1' }] });
// @ts-expect-error an attribute value is no object
init({ ignoreSpans: [{ attributes: { 'db.system': {} } }] });

init({ allowUrls: ['/app/', /src/] });
// @ts-expect-error matchers are a list
init({ allowUrls: '/app/' });
// @ts-expect-error a matcher is a string or a pattern
init({ allowUrls: [new URL('file:///app/')] });

init({ denyUrls: ['/vendor/', /node_modules/] });
// @ts-expect-error matchers are a list
init({ denyUrls: /vendor/ });
// @ts-expect-error a matcher is a string or a pattern
init({ denyUrls: [1] });

init({ tracePropagationTargets: ['https://api.example.com', /^\/internal/] });
// @ts-expect-error targets are a list
init({ tracePropagationTargets: 'https://api.example.com' });
// @ts-expect-error targets are a list: an empty one turns propagation off
init({ tracePropagationTargets: false });

init({ propagateTraceparent: true });
// @ts-expect-error `propagateTraceparent` is a boolean
init({ propagateTraceparent: 'w3c' });
// @ts-expect-error `propagateTraceparent` is a boolean
init({ propagateTraceparent: 1 });

init({ transport: (options) => createTransport(options, async () => ({ statusCode: 200 })) });
init({ transport: () => ({ send: async () => ({}), flush: async () => true }) });
// @ts-expect-error `transport` is a function that makes a transport
init({ transport: { send: async () => ({}), flush: async () => true } });
// @ts-expect-error a transport has a method `flush`
init({ transport: () => ({ send: async () => ({}) }) });
// @ts-expect-error `send` returns a promise
init({ transport: () => ({ send: () => ({}), flush: async () => true }) });

init({ transportOptions: { bufferSize: 10, headers: { 'x-team': 'shop' }, timeoutMillis: undefined } });
// @ts-expect-error `bufferSize` is a number
init({ transportOptions: { bufferSize: '10' } });
// @ts-expect-error values of headers are strings
init({ transportOptions: { headers: { 'x-retries': 3 } } });
// @ts-expect-error `dsn` and `tunnel` say where to send
init({ transportOptions: { url: 'https://example.com/' } });

init({ tunnel: 'https://example.com/tunnel' });
// @ts-expect-error a URL is a string
init({ tunnel: true });
// @ts-expect-error a URL is a string
init({ tunnel: new URL('https://example.com/tunnel') });

init({ spotlight: true });
init({ spotlight: 'http://127.0.0.1:8969/stream' });
// @ts-expect-error `spotlight` is a boolean or a string
init({ spotlight: 8969 });
// @ts-expect-error `spotlight` is a boolean or a string, not a URL
init({ spotlight: new URL('http://127.0.0.1:8969/stream') });

init({ debug: true });
// @ts-expect-error `debug` is a boolean
init({ debug: 'verbose' });
// @ts-expect-error `debug` is a boolean
init({ debug: 1 });

init({ quiet: true });
// @ts-expect-error `quiet` is a boolean
init({ quiet: 'always' });
// @ts-expect-error `quiet` is a boolean
init({ quiet: 0 });

init({ enabled: process.env['NODE_ENV'] === 'production' });
// @ts-expect-error `enabled` is a boolean
init({ enabled: process.env['ENABLED'] });
// @ts-expect-error `enabled` is a boolean
init({ enabled: 0 });

init({ sendDefaultPii: true });
// @ts-expect-error `sendDefaultPii` is a boolean
init({ sendDefaultPii: 'yes' });
// @ts-expect-error `sendDefaultPii` is a boolean
init({ sendDefaultPii: { cookies: true } });

init({ serverName: 'a' });
// @ts-expect-error `serverName` is a string
init({ serverName: true });
// @ts-expect-error `serverName` is a string
init({ serverName: () => 'a' });

init({ shutdownTimeout: 2000 });
// @ts-expect-error the timeout is a number of milliseconds
init({ shutdownTimeout: '2s' });
// @ts-expect-error the timeout is a number: 0 does not wait
init({ shutdownTimeout: false });

init({ attachStacktrace: true });
// @ts-expect-error `attachStacktrace` is a boolean
init({ attachStacktrace: 'always' });
// @ts-expect-error `attachStacktrace` is a boolean
init({ attachStacktrace: 1 });

init({ stackTraceLimit: 100 });
// @ts-expect-error `stackTraceLimit` is a number
init({ stackTraceLimit: '100' });
// @ts-expect-error `stackTraceLimit` is a number: 0 leaves the limit alone
init({ stackTraceLimit: false });

init({ sendClientReports: false });
// @ts-expect-error `sendClientReports` is a boolean
init({ sendClientReports: 'no' });
// @ts-expect-error `sendClientReports` is a boolean or undefined, not null
init({ sendClientReports: null });

init({ clientReportIntervalMillis: 10_000, sessionIntervalMillis: 10_000 });
// @ts-expect-error the interval is a number of milliseconds
init({ clientReportIntervalMillis: '10s' });
// @ts-expect-error the interval is a number of milliseconds
init({ sessionIntervalMillis: '10s' });
// @ts-expect-error the interval is a number: `sendClientReports` turns reports off
init({ clientReportIntervalMillis: false });
// @ts-expect-error the interval is a number, not null
init({ sessionIntervalMillis: null });

init({ captureRecordedExceptions: true });
// @ts-expect-error `captureRecordedExceptions` is a boolean
init({ captureRecordedExceptions: 'logs' });
// @ts-expect-error `captureRecordedExceptions` is a boolean
init({ captureRecordedExceptions: { spans: true } });

init({ captureSpanErrors: false });
// @ts-expect-error `captureSpanErrors` is a boolean
init({ captureSpanErrors: 0 });
// @ts-expect-error `captureSpanErrors` is a boolean
init({ captureSpanErrors: [RangeError] });

init({ skipOpenTelemetrySetup: true });
// @ts-expect-error `skipOpenTelemetrySetup` is a boolean
init({ skipOpenTelemetrySetup: 'yes' });
// @ts-expect-error `skipOpenTelemetrySetup` is a boolean
init({ skipOpenTelemetrySetup: ['propagator'] });

init({ openTelemetrySpanProcessors: [new SimpleSpanProcessor(new FaultlineSpanExporter())] });
// @ts-expect-error an exporter goes into a processor
init({ openTelemetrySpanProcessors: [new FaultlineSpanExporter()] });
// @ts-expect-error processors are a list
init({ openTelemetrySpanProcessors: new SimpleSpanProcessor(new FaultlineSpanExporter()) });

init({ strictTraceContinuation: true });
// @ts-expect-error `strictTraceContinuation` is a boolean
init({ strictTraceContinuation: 'org' });
// @ts-expect-error `strictTraceContinuation` is a boolean
init({ strictTraceContinuation: 1 });

init({ trustIncomingSampling: 'always' });
init({ trustIncomingSampling: 'own', maxForcedTracesPerSecond: 10 });
init({ trustIncomingSampling: 'never' });
// @ts-expect-error `trustIncomingSampling` is one of three words
init({ trustIncomingSampling: true });
// @ts-expect-error 'sometimes' is not one of the words
init({ trustIncomingSampling: 'sometimes' });
init({ maxForcedTracesPerSecond: 10 });
// @ts-expect-error `maxForcedTracesPerSecond` is a number
init({ maxForcedTracesPerSecond: '10' });
// @ts-expect-error `maxForcedTracesPerSecond` is a number
init({ maxForcedTracesPerSecond: true });

init({ orgId: 1 });
init({ orgId: '1' });
// @ts-expect-error `orgId` is a string or a number
init({ orgId: true });
// @ts-expect-error `orgId` is a string, a number or undefined, not null
init({ orgId: null });

init({ scrubbing: { fields: ['a', /a/], headers: undefined, patterns: [], allow: [/a/] } });
// @ts-expect-error `fields` is a list
init({ scrubbing: { fields: 'a' } });
// @ts-expect-error scrubbing has no list `names`
init({ scrubbing: { names: ['a'] } });
expectType<ScrubbingOptions>({});
// @ts-expect-error `fields` is a list
expectType<ScrubbingOptions>({ fields: 'a' });
// @ts-expect-error scrubbing has no list `names`
expectType<ScrubbingOptions>({ names: ['a'] });

declare const settings: Settings;
expectType<number>(settings.sampleRate);
expectType<string | undefined>(settings.release);
// @ts-expect-error settings are read-only
settings.sampleRate = 1;
// @ts-expect-error `release` has no default, and may be undefined
expectType<string>(settings.release);
// @ts-expect-error `sampleRate` has a default, and is never undefined
expectType<Settings['sampleRate']>(undefined);
// @ts-expect-error all settings that have a default are required
expectType<Settings>({ sampleRate: 1 });

expectType<StringMatcher[]>(['a', /a/]);
// @ts-expect-error a matcher is a string or a pattern
expectType<StringMatcher>((text: string) => text === 'a');
// @ts-expect-error a matcher is a string or a pattern
expectType<StringMatcher>(1);

expectType<SpanMatcher[]>(['a', /a/, {}, { name: 'a', op: undefined }]);
// @ts-expect-error an operation is matched by a string or a pattern
expectType<SpanMatcher>({ op: ['db'] });
// @ts-expect-error a matcher of spans has no `status`
expectType<SpanMatcher>({ status: 'ok' });

expectType<TracePropagationTargets>(['a', /a/]);
// @ts-expect-error targets are a list
expectType<TracePropagationTargets>('a');
// @ts-expect-error a target is a string or a pattern
expectType<TracePropagationTargets>([null]);
