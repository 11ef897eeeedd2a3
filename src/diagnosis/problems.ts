import { clientOfPart, isPartOfKind } from '../context/parts.js';
import { newerOf } from '../internal/node/package-version.js';
import { SDK_VERSION } from '../internal/version.js';
import type { Client } from '../model/contracts.js';
import type { OpenTelemetryFinding, OpenTelemetryGlobal } from '../model/open-telemetry-status.js';
import type { OpenTelemetryFacts } from './facts.js';
import { hasParts, type ProviderParts } from './provider-parts.js';

type Message = string | ((facts: OpenTelemetryFacts) => string);

/** One possible finding about a setup, and its remedy. */
export interface Check {
  readonly code: OpenTelemetryFinding['code'];
  readonly feature: OpenTelemetryFinding['feature'];
  /** Codes of problems that cause this one: when one of them applies, this one is not reported. */
  readonly followsFrom?: readonly string[];
  /** True only when it is certain: parts that cannot be read are no problem. */
  readonly applies: (facts: OpenTelemetryFacts) => boolean;
  readonly message: Message;
  /** `options`, `sampler`, `spanProcessors`, `propagator` and `exporter` stand for the application's own. */
  readonly remedy: Message;
}

const OLDEST_API = '1.9.0';
const WRONG_API = ['api-too-old', 'api-version-conflict', 'api-of-another-major'];
const NOTHING_REGISTERED = [...WRONG_API, 'setup-gone', 'otel-sdk-disabled', 'no-tracer-provider'];
const OWN_SDK = 'new NodeSDK({ ...openTelemetry() }).start();';
export const BESIDE_SDK = 'new NodeSDK({ ...openTelemetry({ sampler, spanProcessors }) }).start();';

/** What user code that fails must do. */
const WORKING: Record<string, string> = {
  tracesSampler: 'init({ ...options, tracesSampler: () => 0.2 });',
  ignoreRequests: "httpServerIntegration({ ignoreRequests: ({ url }) => url === '/health' });",
  shouldHandleError: 'setupExpressErrorHandler(app, { shouldHandleError: () => true });',
};

/** All problems; causes stand before their consequences. */
export const PROBLEMS: readonly Check[] = [
  {
    code: 'no-dsn',
    feature: 'delivery',
    applies: ({ settings }) => settings.dsn === undefined && !settings.spotlight && !settings.transport,
    message: 'There is no dsn, so nothing is sent.',
    remedy: "init({ ...options, dsn: 'https://publickey@errors.example.com/1' });",
  },
  {
    code: 'invalid-dsn',
    feature: 'delivery',
    applies: ({ settings, client }) => settings.dsn !== undefined && client.dsn === undefined && !settings.spotlight,
    message: ({ observed }) => `The dsn is invalid, so nothing is sent: ${observed.dsnProblem}.`,
    remedy: "init({ ...options, dsn: 'https://publickey@errors.example.com/1' });",
  },
  {
    code: 'options-rejected',
    feature: 'everything',
    applies: ({ observed }) => observed.optionProblems.length > 0,
    message: ({ observed }) => `Options or variables are wrong: ${observed.optionProblems.join('. ')}.`,
    remedy: 'init({ ...options }); // with names and values of docs/options.md',
  },
  {
    code: 'names-without-effect',
    feature: 'everything',
    applies: ({ withoutEffect }) => withoutEffect.size > 0,
    message: ({ withoutEffect }) =>
      `Used of faultline/sentry, and without effect: ${Array.from(withoutEffect, ([name, instead]) => `${name} (${instead})`).join(', ')}.`,
    remedy: 'init(options); // without these names: docs/migrate.md says what to use instead',
  },
  {
    code: 'loaded-twice',
    feature: 'everything',
    applies: ({ copies }) => new Set(copies.map(majorOf)).size > 1,
    message: ({ copies }) =>
      `Faultline is in this process ${copies.length} times (${copies.join(', ')}); copies of different major versions share neither scopes nor clients.`,
    remedy: ({ copies }) => `npm install faultline@${copies.reduce(newerOf)} && npm dedupe`,
  },
  {
    code: 'copy-without-init',
    feature: 'everything',
    applies: ({ capturingCopies }) => capturingCopies.length > 0,
    message: ({ capturingCopies }) =>
      `${capturingCopies.map(({ version, captures }) => `Faultline ${version} captures without init (captures: ${captures})`).join(', ')}; copies of different major versions share no client, so these events are lost.`,
    remedy: `npm install faultline@${SDK_VERSION} && npm dedupe`,
  },
  {
    code: 'captured-before-init',
    feature: 'everything',
    applies: ({ observed }) => observed.capturesBeforeInit > 0,
    message: ({ observed }) =>
      `Captures before init: ${observed.capturesBeforeInit}; they are lost. Call init first, or start with --import faultline/register.`,
    remedy: 'init(options);',
  },
  {
    code: 'api-too-old',
    feature: 'everything',
    applies: ({ api }) => api.own !== undefined && newerOf(api.own, OLDEST_API) !== api.own,
    message: ({ api }) => `Faultline needs @opentelemetry/api ${OLDEST_API} or newer, and finds ${api.own}.`,
    remedy: `npm install @opentelemetry/api@^${OLDEST_API}`,
  },
  {
    code: 'api-version-conflict',
    feature: 'everything',
    applies: hasVersionConflict,
    message: ({ api }) =>
      `@opentelemetry/api is in this process as ${versionsOf(api).join(' and ')}; ` +
      `${api.registered} was first, and the API refuses what another version registers or asks for.`,
    remedy: ({ api }) => `npm install @opentelemetry/api@${versionsOf(api).reduce(newerOf)} && npm dedupe`,
  },
  {
    code: 'api-of-another-major',
    feature: 'everything',
    applies: ({ trace, api }) => trace.owner === 'none' && api.otherMajors.length > 0,
    message: ({ api }) =>
      `A tracer provider is registered with @opentelemetry/api ${api.otherMajors.join(', ')}.x; Faultline uses 1.x.`,
    remedy: `npm install @opentelemetry/api@^${OLDEST_API} && npm dedupe`,
  },
  {
    code: 'setup-gone',
    feature: 'everything',
    followsFrom: WRONG_API,
    applies: ({ trace, isOwnSetup }) => isOwnSetup && trace.owner === 'none',
    message: 'The tracer provider of init is not registered: it was refused, or trace.disable() has taken it away.',
    remedy: 'trace.disable(); init(options);',
  },
  {
    code: 'setup-not-skipped',
    feature: 'transactions',
    applies: ({ trace, isOwnSetup }) => isOwnSetup && trace.owner === 'application',
    message: ({ trace }) =>
      `OpenTelemetry was set up before init, with ${nameOf(trace)}; init has registered nothing beside it.`,
    remedy: 'init({ ...options, skipOpenTelemetrySetup: true });',
  },
  {
    code: 'provider-refused',
    feature: 'existing exporters',
    applies: ({ trace, observed }) => trace.owner === 'faultline' && observed.refusedProvider !== undefined,
    message: ({ observed }) =>
      `${observed.refusedProvider} was not registered, because init had registered a tracer provider before: no span reaches your exporters.`,
    remedy: `init({ ...options, skipOpenTelemetrySetup: true }); ${BESIDE_SDK}`,
  },
  {
    code: 'otel-sdk-disabled',
    feature: 'transactions',
    applies: ({ trace, env, isOwnSetup }) =>
      !isOwnSetup && trace.owner === 'none' && env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true',
    message: 'OTEL_SDK_DISABLED is true, with which NodeSDK registers nothing.',
    remedy: 'delete process.env.OTEL_SDK_DISABLED;',
  },
  {
    code: 'no-tracer-provider',
    feature: 'transactions',
    followsFrom: [...WRONG_API, 'otel-sdk-disabled'],
    applies: ({ trace, isOwnSetup, isTracing }) => !isOwnSetup && isTracing && trace.owner === 'none',
    message: 'skipOpenTelemetrySetup is set, and no tracer provider is registered, so that no span records.',
    remedy: OWN_SDK,
  },
  {
    code: 'hook-fails',
    feature: 'delivery',
    applies: ({ observed }) => observed.failedHooks.size > 0,
    message: ({ observed }) =>
      `Data is discarded or not filtered, because user code fails: ${[...observed.failedHooks.values()].join('; ')}.`,
    remedy: ({ observed }) => {
      const [name = ''] = observed.failedHooks.keys();
      if (name.startsWith('before')) return `init({ ...options, ${name}: (data) => data });`;
      return WORKING[name] ?? 'addEventProcessor((event) => event);';
    },
  },
  {
    code: 'no-loader-hook',
    feature: 'instrumentation',
    applies: ({ isTracing, unpatched }) => isTracing && unpatched.withoutHook.length > 0,
    message: ({ unpatched }) =>
      `ES modules are imported without OpenTelemetry's loader hook, so that its instrumentations cannot patch ${unpatched.withoutHook.join(', ')}. Register the hook in a file that node --import loads.`,
    remedy:
      "import { register } from 'node:module'; register('@opentelemetry/instrumentation/hook.mjs', import.meta.url);",
  },
  {
    code: 'instrumented-too-late',
    feature: 'instrumentation',
    applies: ({ isTracing, unpatched }) => isTracing && unpatched.tooEarly.length > 0,
    message: ({ unpatched }) =>
      `Loaded before the OpenTelemetry instrumentation that is to patch it: ${unpatched.tooEarly.join(', ')}. Set OpenTelemetry up in a file of its own that is loaded first.`,
    remedy: 'node --require ./instrumentation.cjs main.js',
  },
  {
    code: 'no-server-spans',
    feature: 'transactions',
    followsFrom: [
      ...NOTHING_REGISTERED,
      'no-span-processor',
      'loaded-twice',
      'existing-sampler-off',
      'setup-not-skipped',
    ],
    applies: ({ isTracing, observed, provider }) =>
      isTracing && observed.serverRequests > 0 && !observed.hasRoots && hasSampler(provider),
    message: ({ observed }) =>
      `HTTP requests were received (${observed.serverRequests}), and nothing has made a span: there is no OpenTelemetry instrumentation of HTTP that works, and Faultline's is off.`,
    remedy: 'init({ ...options, integrations: [httpServerIntegration({ spans: true })] });',
  },
  {
    code: 'failures-without-errors',
    feature: 'errors',
    applies: ({ observed }) => observed.uncapturedFailures.size > 0,
    message: ({ observed }) =>
      `Requests were answered with a status of 5xx, and no error was captured: ${listFailures(observed.uncapturedFailures)}. If an error was the reason, the setup function of the framework was not called, or comes behind an error handler of yours, or init comes after fastify(); see docs/frameworks.md. If such an answer is intended, add its status to ignoreStatusCodes of httpServerIntegration.`,
    remedy: 'setupExpressErrorHandler(app); // behind all routes, in front of your own error handlers',
  },
  {
    code: 'sdk-too-old',
    feature: 'transactions',
    applies: ({ provider }) => provider?.isLegacy === true && (hasParts(provider) || hasSampler(provider)),
    message: ({ sdk }) =>
      `The tracer provider is of OTel SDK ${sdk.registered ?? '1.x'}; Faultline needs 2.0 or newer.`,
    remedy: 'npm install @opentelemetry/sdk-node@latest',
  },
  {
    code: 'no-span-processor',
    feature: 'transactions',
    followsFrom: ['loaded-twice'],
    applies: ({ trace, provider, isTracing }) =>
      isTracing &&
      trace.owner === 'application' &&
      provider !== undefined &&
      !hasParts(provider) &&
      !provider.mayHideParts,
    message: ({ trace }) =>
      `${nameOf(trace)} has neither a FaultlineSpanProcessor nor a FaultlineSpanExporter, so that no span becomes a transaction.`,
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
      `${nameOf(propagation)} is without a FaultlinePropagator, so that the decision of the FaultlineSampler does not travel with the trace.`,
    remedy: 'propagation.disable(); propagation.setGlobalPropagator(new FaultlinePropagator({ propagator }));',
  },
  {
    code: 'exporters-replaced',
    feature: 'existing exporters',
    applies: ({ trace, provider, env }) =>
      trace.owner === 'application' && hasParts(provider) && !provider!.hasExistingProcessors && namesExporter(env),
    message:
      'OTEL_TRACES_EXPORTER or OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is set, but only Faultline takes spans: NodeSDK makes no exporter once it is given spanProcessors or a traceExporter.',
    remedy: 'new NodeSDK({ ...openTelemetry({ spanProcessors: [new BatchSpanProcessor(exporter)] }) }).start();',
  },
];

function listFailures(failures: ReadonlyMap<string, number>): string {
  return [...failures].map(([name, status]) => `${name} (${status})`).join(', ');
}

function majorOf(version: string): string | undefined {
  return version.split('.')[0];
}

export function hasSampler(provider: ProviderParts | undefined): boolean {
  return isPartOfKind(provider?.sampler, 'FaultlineSampler');
}

export function nameOf({ className }: OpenTelemetryGlobal): string {
  return className ?? 'an object without a class';
}

/** The first copy of the API wins: newer copies do not see its globals, and copies of other versions cannot register. */
function hasVersionConflict({ api, trace, isOwnSetup, isTracing }: OpenTelemetryFacts): boolean {
  if (!api.seesRegistered) return true;
  if (api.registered === undefined || trace.owner !== 'none') return false;
  if (isOwnSetup) return api.own !== undefined && api.own !== api.registered;
  return isTracing && api.others.some((version) => version !== api.registered);
}

function versionsOf({ registered = 'unknown', own = 'unknown', others }: OpenTelemetryFacts['api']): string[] {
  return [...new Set([registered, own, ...others])];
}

function areOfOthers(parts: readonly object[], client: Client): boolean {
  return parts.length > 0 && parts.every((part) => (clientOfPart(part) ?? client) !== client);
}

function namesExporter(env: NodeJS.ProcessEnv): boolean {
  const names = env['OTEL_TRACES_EXPORTER']?.trim();
  return names ? names !== 'none' : Boolean(env['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT']);
}
