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
// @ts-expect-error a rate is a number
expectType<ClientOptions>({ sampleRate: '1' });
// @ts-expect-error there is no such option
expectType<ClientOptions>({ dns: 'https://key@example.com/1' });
// @ts-expect-error a rate is a number
expectType<Options>({ sampleRate: '1' });
// @ts-expect-error there is no such option
expectType<Options>({ dns: 'https://key@example.com/1' });
// @ts-expect-error options are an object
init('https://key@example.com/1');
// @ts-expect-error there is no such option
init({ dns: 'https://key@example.com/1' });
// @ts-expect-error it is done when it returns
init().then();
// @ts-expect-error absent is undefined
init(null);

init({ dsn: 'https://key@example.com/1' });
init({ dsn: process.env['DSN'] });
// @ts-expect-error an address is a text
init({ dsn: new URL('https://key@example.com/1') });
// @ts-expect-error absent is undefined
init({ dsn: null });

init({ environment: 'test' });
// @ts-expect-error a name is a text
init({ environment: 1 });
// @ts-expect-error one only
init({ environment: ['test'] });

init({ release: 'shop@1' });
// @ts-expect-error a version is a text
init({ release: 1.4 });
// @ts-expect-error absent is undefined
init({ release: null });

init({ dist: '7' });
// @ts-expect-error a variant is a text
init({ dist: 7 });
// @ts-expect-error absent is undefined
init({ dist: false });

init({ maxSameErrorsPerSecond: 10 });
// @ts-expect-error a number
init({ maxSameErrorsPerSecond: '10' });
// @ts-expect-error a number
init({ maxSameErrorsPerSecond: false });

init({ sampleRate: 0.5 });
// @ts-expect-error a rate is a number
init({ sampleRate: '0.5' });
// @ts-expect-error 1 keeps all
init({ sampleRate: true });

init({ tracesSampleRate: 0 });
// @ts-expect-error a rate is a number
init({ tracesSampleRate: '0.5' });
// @ts-expect-error a function is a `tracesSampler`
init({ tracesSampleRate: () => 0.5 });

init({ tracesSampler: ({ name, parentSampled }) => parentSampled ?? (name === 'a' ? 0 : 0.5) });
init({ tracesSampler: ({ inheritOrSampleWith }) => inheritOrSampleWith(0.5) });
// @ts-expect-error a decision is a rate or a boolean
init({ tracesSampler: () => 'yes' });
// @ts-expect-error made at once
init({ tracesSampler: async () => 0.5 });
// @ts-expect-error a number is a `tracesSampleRate`
init({ tracesSampler: 0.5 });
// @ts-expect-error the context has no such member
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
// @ts-expect-error a span has a name
expectType<Omit<SamplingContext, 'inheritOrSampleWith'>>({ attributes: {}, transactionContext: { name: 'a' } });
// @ts-expect-error the decision may be ours
expectType<boolean>(({} as SamplingContext).parentSampled);

init({ beforeSend: (event, hint) => (hint.originalException instanceof RangeError ? null : event) });
init({ beforeSend: async (event) => ({ ...event, user: undefined }) });
init({ beforeSend: (event: Event) => event });
// @ts-expect-error dropped is null
init({ beforeSend: () => undefined });
// @ts-expect-error dropped is null
init({ beforeSend: () => false });
// @ts-expect-error the error itself is in the hint
init({ beforeSend: (_error: Error) => null });
// @ts-expect-error what comes out is an event
init({ beforeSend: () => ({ level: 'critical' }) });

init({ beforeSendTransaction: (event) => (event.transaction.startsWith('GET') ? event : null) });
init({ beforeSendTransaction: async (event, hint) => hint && event });
// @ts-expect-error dropped is null
init({ beforeSendTransaction: () => undefined });
// @ts-expect-error it gets transactions only
init({ beforeSendTransaction: (event: { type: 'feedback' }) => event });

init({ beforeSendSpan: (span) => ({ ...span, description: undefined }) });
// @ts-expect-error a span cannot be dropped here
init({ beforeSendSpan: () => null });
// @ts-expect-error at once
init({ beforeSendSpan: async (span) => span });

init({ beforeBreadcrumb: (breadcrumb, hint) => (hint['request'] ? null : breadcrumb) });
// @ts-expect-error dropped is null
init({ beforeBreadcrumb: () => undefined });
// @ts-expect-error at once
init({ beforeBreadcrumb: async (breadcrumb) => breadcrumb });
// @ts-expect-error not one of the levels
init({ beforeBreadcrumb: (breadcrumb) => ({ ...breadcrumb, level: 'warn' }) });

init({ integrations: [consoleIntegration(), { name: 'Mine' }] });
init({ integrations: (defaults) => defaults.filter(({ name }) => name !== 'Console') });
// @ts-expect-error not by their names
init({ integrations: ['Console'] });
// @ts-expect-error integrations are a list
init({ integrations: consoleIntegration() });
// @ts-expect-error an integration has a name
init({ integrations: [{ setup: () => undefined }] });
// @ts-expect-error a list comes out again
init({ integrations: (defaults) => void defaults.pop() });

init({ defaultIntegrations: false });
init({ defaultIntegrations: [consoleIntegration()] });
// @ts-expect-error off, or a list
init({ defaultIntegrations: true });
// @ts-expect-error of integrations
init({ defaultIntegrations: ['Console'] });

init({ maxBreadcrumbs: 10 });
// @ts-expect-error how many is a number
init({ maxBreadcrumbs: '10' });
// @ts-expect-error none is 0
init({ maxBreadcrumbs: false });

init({ maxValueLength: 0 });
// @ts-expect-error a length is a number
init({ maxValueLength: '250' });
// @ts-expect-error without a limit is 0
init({ maxValueLength: null });

init({ normalizeDepth: 3 });
// @ts-expect-error a depth is a number
init({ normalizeDepth: '3' });
// @ts-expect-error off is 0
init({ normalizeDepth: false });

init({ normalizeMaxBreadth: 1000 });
// @ts-expect-error a breadth is a number
init({ normalizeMaxBreadth: [1000] });
// @ts-expect-error not in digits
init({ normalizeMaxBreadth: '1000' });

init({ ignoreErrors: ['socket hang up', /^AbortError/] });
// @ts-expect-error matchers are a list
init({ ignoreErrors: /^AbortError/ });
// @ts-expect-error of texts and patterns
init({ ignoreErrors: [RangeError] });

init({ ignoreTransactions: ['/health', /^HEAD/] });
// @ts-expect-error matchers are a list
init({ ignoreTransactions: '/health' });
// @ts-expect-error of texts and patterns
init({ ignoreTransactions: [(name: string) => name === '/health'] });

init({ ignoreSpans: ['SELECT 1', /^PING/, { name: /^GET/, op: 'cache', attributes: { 'db.system': /redis/ } }] });
// @ts-expect-error matchers are a list
init({ ignoreSpans: { op: 'cache' } });
// @ts-expect-error not by this
init({ ignoreSpans: [{ description: 'SELECT 1' }] });
// @ts-expect-error a value is no object
init({ ignoreSpans: [{ attributes: { 'db.system': {} } }] });

init({ allowUrls: ['/app/', /src/] });
// @ts-expect-error matchers are a list
init({ allowUrls: '/app/' });
// @ts-expect-error of texts and patterns
init({ allowUrls: [new URL('file:///app/')] });

init({ denyUrls: ['/vendor/', /node_modules/] });
// @ts-expect-error matchers are a list
init({ denyUrls: /vendor/ });
// @ts-expect-error of texts and patterns
init({ denyUrls: [1] });

init({ tracePropagationTargets: ['https://api.example.com', /^\/internal/] });
// @ts-expect-error matchers are a list
init({ tracePropagationTargets: 'https://api.example.com' });
// @ts-expect-error none is an empty list
init({ tracePropagationTargets: false });

init({ propagateTraceparent: true });
// @ts-expect-error yes or no
init({ propagateTraceparent: 'w3c' });
// @ts-expect-error yes or no
init({ propagateTraceparent: 1 });

init({ transport: (options) => createTransport(options, async () => ({ statusCode: 200 })) });
init({ transport: () => ({ send: async () => ({}), flush: async () => true }) });
// @ts-expect-error a factory, not what it makes
init({ transport: { send: async () => ({}), flush: async () => true } });
// @ts-expect-error a transport can be flushed
init({ transport: () => ({ send: async () => ({}) }) });
// @ts-expect-error an answer is awaited
init({ transport: () => ({ send: () => ({}), flush: async () => true }) });

init({ transportOptions: { bufferSize: 10, headers: { 'x-team': 'shop' }, timeoutMillis: undefined } });
// @ts-expect-error how many is a number
init({ transportOptions: { bufferSize: '10' } });
// @ts-expect-error values of headers are texts
init({ transportOptions: { headers: { 'x-retries': 3 } } });
// @ts-expect-error where to is told by `dsn` or `tunnel`
init({ transportOptions: { url: 'https://example.com/' } });

init({ tunnel: 'https://example.com/tunnel' });
// @ts-expect-error a URL is a text
init({ tunnel: true });
// @ts-expect-error a URL is a text
init({ tunnel: new URL('https://example.com/tunnel') });

init({ spotlight: true });
init({ spotlight: 'http://127.0.0.1:8969/stream' });
// @ts-expect-error yes, no or a URL
init({ spotlight: 8969 });
// @ts-expect-error as a text
init({ spotlight: new URL('http://127.0.0.1:8969/stream') });

init({ debug: true });
// @ts-expect-error yes or no
init({ debug: 'verbose' });
// @ts-expect-error yes or no
init({ debug: 1 });

init({ quiet: true });
// @ts-expect-error yes or no
init({ quiet: 'always' });
// @ts-expect-error yes or no
init({ quiet: 0 });

init({ enabled: process.env['NODE_ENV'] === 'production' });
// @ts-expect-error yes or no
init({ enabled: process.env['ENABLED'] });
// @ts-expect-error yes or no
init({ enabled: 0 });

init({ sendDefaultPii: true });
// @ts-expect-error yes or no
init({ sendDefaultPii: 'yes' });
// @ts-expect-error not in parts
init({ sendDefaultPii: { cookies: true } });

init({ serverName: 'a' });
// @ts-expect-error a name is a text
init({ serverName: true });
// @ts-expect-error a name is a text
init({ serverName: () => 'a' });

init({ shutdownTimeout: 2000 });
// @ts-expect-error milliseconds, as a number
init({ shutdownTimeout: '2s' });
// @ts-expect-error not at all is 0
init({ shutdownTimeout: false });

init({ attachStacktrace: true });
// @ts-expect-error yes or no
init({ attachStacktrace: 'always' });
// @ts-expect-error yes or no
init({ attachStacktrace: 1 });

init({ stackTraceLimit: 100 });
// @ts-expect-error a number
init({ stackTraceLimit: '100' });
// @ts-expect-error 0 leaves the limit alone
init({ stackTraceLimit: false });

init({ sendClientReports: false });
// @ts-expect-error yes or no
init({ sendClientReports: 'no' });
// @ts-expect-error absent is undefined
init({ sendClientReports: null });

init({ clientReportIntervalMillis: 10_000, sessionIntervalMillis: 10_000 });
// @ts-expect-error milliseconds
init({ clientReportIntervalMillis: '10s' });
// @ts-expect-error milliseconds
init({ sessionIntervalMillis: '10s' });
// @ts-expect-error sendClientReports turns reports off
init({ clientReportIntervalMillis: false });
// @ts-expect-error a number
init({ sessionIntervalMillis: null });

init({ captureRecordedExceptions: true });
// @ts-expect-error on or off
init({ captureRecordedExceptions: 'logs' });
// @ts-expect-error on or off
init({ captureRecordedExceptions: { spans: true } });

init({ captureSpanErrors: false });
// @ts-expect-error yes or no
init({ captureSpanErrors: 0 });
// @ts-expect-error not by error
init({ captureSpanErrors: [RangeError] });

init({ skipOpenTelemetrySetup: true });
// @ts-expect-error yes or no
init({ skipOpenTelemetrySetup: 'yes' });
// @ts-expect-error not in parts
init({ skipOpenTelemetrySetup: ['propagator'] });

init({ openTelemetrySpanProcessors: [new SimpleSpanProcessor(new FaultlineSpanExporter())] });
// @ts-expect-error an exporter goes into a processor
init({ openTelemetrySpanProcessors: [new FaultlineSpanExporter()] });
// @ts-expect-error processors are a list
init({ openTelemetrySpanProcessors: new SimpleSpanProcessor(new FaultlineSpanExporter()) });

init({ strictTraceContinuation: true });
// @ts-expect-error yes or no
init({ strictTraceContinuation: 'org' });
// @ts-expect-error yes or no
init({ strictTraceContinuation: 1 });

init({ trustIncomingSampling: 'always' });
init({ trustIncomingSampling: 'own', maxForcedTracesPerSecond: 10 });
init({ trustIncomingSampling: 'never' });
// @ts-expect-error one of three
init({ trustIncomingSampling: true });
// @ts-expect-error one of three
init({ trustIncomingSampling: 'sometimes' });
init({ maxForcedTracesPerSecond: 10 });
// @ts-expect-error a number
init({ maxForcedTracesPerSecond: '10' });
// @ts-expect-error a number
init({ maxForcedTracesPerSecond: true });

init({ orgId: 1 });
init({ orgId: '1' });
// @ts-expect-error a text or a number
init({ orgId: true });
// @ts-expect-error absent is undefined
init({ orgId: null });

init({ scrubbing: { fields: ['a', /a/], headers: undefined, patterns: [], allow: [/a/] } });
// @ts-expect-error lists
init({ scrubbing: { fields: 'a' } });
// @ts-expect-error there is no such list
init({ scrubbing: { names: ['a'] } });
expectType<ScrubbingOptions>({});
// @ts-expect-error lists
expectType<ScrubbingOptions>({ fields: 'a' });
// @ts-expect-error there is no such list
expectType<ScrubbingOptions>({ names: ['a'] });

declare const settings: Settings;
expectType<number>(settings.sampleRate);
expectType<string | undefined>(settings.release);
// @ts-expect-error settings are not changed
settings.sampleRate = 1;
// @ts-expect-error what has no default may be absent
expectType<string>(settings.release);
// @ts-expect-error what has one is always there
expectType<Settings['sampleRate']>(undefined);
// @ts-expect-error all that have one
expectType<Settings>({ sampleRate: 1 });

expectType<StringMatcher[]>(['a', /a/]);
// @ts-expect-error a function is no matcher
expectType<StringMatcher>((text: string) => text === 'a');
// @ts-expect-error neither is a number
expectType<StringMatcher>(1);

expectType<SpanMatcher[]>(['a', /a/, {}, { name: 'a', op: undefined }]);
// @ts-expect-error an operation is matched as a name is
expectType<SpanMatcher>({ op: ['db'] });
// @ts-expect-error a status is no criterion
expectType<SpanMatcher>({ status: 'ok' });

expectType<TracePropagationTargets>(['a', /a/]);
// @ts-expect-error targets are a list
expectType<TracePropagationTargets>('a');
// @ts-expect-error of texts and patterns
expectType<TracePropagationTargets>([null]);
