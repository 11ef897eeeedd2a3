import { newerOf } from '../../internal/node/package-version.js';
import { hasParts } from '../provider-parts.js';
import { BESIDE_SDK, type Check, exportsAlone, hasSampler, nameOf } from './check.js';

const KNOWN_PROPAGATORS = new Set(['tracecontext', 'baggage', 'none']);
const KEEPS_ALL = /^(ParentBased\{root=)?(AlwaysOnSampler|AlwaysRecordSampler\{|TraceIdRatioBased\{1\})/;

/** The only note for a disabled client; no other check runs. */
export const DISABLED: Check = {
  code: 'client-disabled',
  feature: 'everything',
  applies: ({ settings }) => !settings.enabled,
  message: 'The option enabled is false: nothing is captured.',
  remedy: 'init({ ...options, enabled: true });',
};

/** Settings that may be intended, and that explain why something is not sent. */
export const NOTES: readonly Check[] = [
  {
    code: 'copies-share',
    feature: 'everything',
    followsFrom: ['loaded-twice'],
    applies: ({ copies }) => copies.length > 1,
    message: ({ copies }) =>
      `Faultline is in this process ${copies.length} times (${copies.join(', ')}); the copies share their scopes and the client of the latest init.`,
    remedy: ({ copies }) => `npm install faultline@${copies.reduce(newerOf)} && npm dedupe`,
  },
  {
    code: 'tracing-off',
    feature: 'transactions',
    followsFrom: ['rate-is-zero'],
    applies: ({ isTracing, provider }) => !isTracing && !provider?.exporters.length,
    message: 'Neither tracesSampleRate nor tracesSampler is set, so that no transactions are made.',
    remedy: 'init({ ...options, tracesSampleRate: 0.2 }); // or FAULTLINE_TRACES_SAMPLE_RATE=0.2',
  },
  {
    code: 'rate-is-zero',
    feature: 'transactions',
    applies: ({ settings }) => settings.tracesSampleRate === 0 && !settings.tracesSampler,
    message: 'tracesSampleRate is 0, so that no trace that begins here is kept.',
    remedy: 'init({ ...options, tracesSampleRate: 0.2 });',
  },
  {
    code: 'existing-sampler-first',
    feature: 'sampling',
    followsFrom: ['existing-sampler-off', 'sampler-bypassed', 'setup-not-skipped'],
    applies: ({ trace, provider }) =>
      trace.owner === 'application' &&
      hasParts(provider) &&
      !hasSampler(provider) &&
      !KEEPS_ALL.test(provider!.samplerName),
    message: ({ provider }) =>
      `Transactions are made only of what the sampler of the tracer provider records (${provider?.samplerName || 'unknown'}); tracesSampleRate and tracesSampler choose among these.`,
    remedy: BESIDE_SDK,
  },
  {
    code: 'existing-context-manager',
    feature: 'scopes',
    applies: ({ context }) => context.owner === 'application',
    message: ({ context }) =>
      `With ${nameOf(context)}, context.with does not fork the scope; withScope, withIsolationScope and startSpan do.`,
    remedy: 'context.disable(); context.setGlobalContextManager(new FaultlineContextManager().enable());',
  },
  {
    code: 'existing-propagator',
    feature: 'trace continuation',
    followsFrom: ['foreign-propagator'],
    applies: ({ propagation, isTracing }) =>
      isTracing && propagation.owner === 'application' && propagation.parts.length === 0,
    message: ({ propagation }) =>
      `With ${nameOf(propagation)}, sentry-trace and baggage travel with node:http and fetch only, and spans do not continue traces that come with these two headers alone.`,
    remedy: 'propagation.disable(); propagation.setGlobalPropagator(new FaultlinePropagator({ propagator }));',
  },
  {
    code: 'exporter-idle',
    feature: 'transactions',
    applies: ({ isTracing, provider }) =>
      isTracing && provider !== undefined && provider.processors.length > 0 && provider.exporters.length > 0,
    message: 'The FaultlineSpanProcessor sends what it sees; the FaultlineSpanExporter beside it has nothing to do.',
    remedy: BESIDE_SDK,
  },
  {
    code: 'only-faultline-exports',
    feature: 'existing exporters',
    followsFrom: ['exporters-replaced'],
    applies: exportsAlone,
    message:
      'Only Faultline gets spans. NodeSDK makes no exporter, not for traceExporter, nor for a variable, nor its default one, once it is given spanProcessors.',
    remedy: 'new NodeSDK({ ...openTelemetry({ spanProcessors: [new BatchSpanProcessor(exporter)] }) }).start();',
  },
  {
    code: 'otel-sampler-unused',
    feature: 'sampling',
    applies: ({ trace }) => trace.owner === 'faultline' && Boolean(process.env['OTEL_TRACES_SAMPLER']?.trim()),
    message: () =>
      `OTEL_TRACES_SAMPLER is ${process.env['OTEL_TRACES_SAMPLER']}; where init sets OpenTelemetry up, its own options decide.`,
    remedy: 'init({ ...options, skipOpenTelemetrySetup: true }); new NodeSDK({ ...openTelemetry() }).start();',
  },
  {
    code: 'otel-propagators-unused',
    feature: 'trace continuation',
    applies: ({ propagation, isOwnSetup }) => {
      const names = (process.env['OTEL_PROPAGATORS'] ?? '').split(',').flatMap((name) => name.trim() || []);
      return propagation.owner === 'faultline' && names.some((name) => isOwnSetup || !KNOWN_PROPAGATORS.has(name));
    },
    message: () =>
      `OTEL_PROPAGATORS is ${process.env['OTEL_PROPAGATORS']}; init ignores it, and openTelemetry() knows only tracecontext and baggage.`,
    remedy:
      'init({ ...options, skipOpenTelemetrySetup: true }); new NodeSDK({ ...openTelemetry({ propagator }) }).start();',
  },
  {
    code: 'context-lost',
    feature: 'transactions',
    applies: ({ observed }) => observed.lostRoots.size > 0,
    message: ({ observed }) =>
      `Spans began during a request without its context, so that they are not in its transaction: ${listSites(observed.lostRoots)}. A queue, a pool or an emitter there calls back in another context.`,
    remedy: 'callback = context.bind(context.active(), callback);',
  },
];

/** The call sites with most spans first. */
function listSites(lostRoots: ReadonlyMap<string, number>): string {
  const sites = [...lostRoots].sort(([, a], [, b]) => b - a);
  return sites.map(([site, count]) => `${count} at ${site}`).join(', ');
}
