import { hostname } from 'node:os';
import type { CaptureContext, Options } from '../index.js';
import { localVariablesIntegration, onUncaughtExceptionIntegration } from '../index.js';
import { guardOwn } from '../internal/guard.js';
import { WITHOUT_EFFECT } from '../internal/options/without-effect.js';
import { isArray, readList, readProperty } from '../internal/values/read.js';
import type { TransportOptions } from '../model/delivery/transport.js';
import { createHttpTransport } from '../transport/create-outbox.js';
import type { ClosableTransport } from '../transport/create-transport.js';
import { defaultStackParser } from './helpers.js';
import { type Integration, noteLateOptions, STANDS_FOR, toParts } from './integration.js';
import { onUnhandledRejectionIntegration } from './integrations.js';
import { noteMissing } from './stubs/missing.js';
import type { Log, Metric } from './types.js';

/** Options of the peer that ours do not have. */
interface PeerOptions {
  integrations?: Integration[] | ((defaults: Integration[]) => Integration[]) | undefined;
  /** Data of every event. */
  initialScope?: CaptureContext | undefined;
  /** Adds `localVariablesIntegration`. @default false */
  includeLocalVariables?: boolean | undefined;
  /** Sets `serverName` to the name of the machine. @default false */
  includeServerName?: boolean | undefined;
  onFatalError?: ((error: unknown) => void) | undefined;
  /** The same as `clientReportIntervalMillis`. */
  clientReportFlushInterval?: number | undefined;
  openTelemetryInstrumentations?: object[] | undefined;
  /** Without effect: Faultline sends no logs. */
  beforeSendLog?: ((log: Log) => Log | null) | undefined;
  /** Without effect: Faultline sends no metrics. */
  beforeSendMetric?: ((metric: Metric) => Metric | null) | undefined;
  [option: string]: unknown;
}

/** What `init` takes: our options, and those of the peer. */
export type NodeOptions = Omit<Options, 'integrations'> & PeerOptions;

/** Options that this entry acts upon, that ask for what Faultline does anyway, or that concern how the peer is built. */
const OF_PEER = (
  'initialScope openTelemetryInstrumentations includeLocalVariables includeServerName onFatalError ' +
  'clientReportFlushInterval traceLifecycle enableTracing autoSessionTracking ' +
  'enhanceFetchErrorMessages openTelemetryBasicTracerProvider streamGenAiSpans _flushInterval ' +
  'registerEsmLoaderHooks disableInstrumentationWarnings parentSpanIsAlwaysRootSpan ' +
  'maxSpanWaitDuration enableOpenTelemetrySetup enableRuntimeChannelInjection ' +
  'runtime sdkMetadata _metadata _experiments _internal'
).split(' ');

/** The variables of the peer, by the option that each stands for. */
const VARIABLES: Partial<Record<keyof Options, string>> = {
  dsn: 'SENTRY_DSN',
  environment: 'SENTRY_ENVIRONMENT',
  release: 'SENTRY_RELEASE',
  tracesSampleRate: 'SENTRY_TRACES_SAMPLE_RATE',
  serverName: 'SENTRY_NAME',
  debug: 'SENTRY_DEBUG',
  spotlight: 'SENTRY_SPOTLIGHT',
};

const WITHOUT_SESSIONS =
  'Leave out ProcessSession with a function for integrations, and add httpServerIntegration({ trackIncomingRequestsAsSessions: false })';

/** What `init` uses anyway. */
export const makeNodeTransport: (options: TransportOptions) => ClosableTransport = createHttpTransport;

/** Where hosts and pipelines write the commit that runs. */
const RELEASE_VARIABLES = (
  'SENTRY_RELEASE GITHUB_SHA CI_COMMIT_SHA VERCEL_GIT_COMMIT_SHA CF_PAGES_COMMIT_SHA ' +
  'HEROKU_SLUG_COMMIT HEROKU_BUILD_COMMIT RENDER_GIT_COMMIT CODEBUILD_RESOLVED_SOURCE_VERSION ' +
  'SOURCE_VERSION'
).split(' ');

/** The release that the environment names. */
export function getSentryRelease(fallback?: string): string | undefined {
  return readRelease(process.env) ?? fallback;
}

function readRelease(env: NodeJS.ProcessEnv): string | undefined {
  return RELEASE_VARIABLES.map((name) => env[name]).find(Boolean);
}

/**
 * Our options for those of the peer.
 *
 * @param env the variables that options may come from
 * @returns `integrations` has those that are used, once a client was made with the options
 */
export function toOwnOptions(
  peer: NodeOptions,
  env: NodeJS.ProcessEnv,
): { own: Options; integrations: readonly Integration[] } {
  const own: Record<string, unknown> = { ...peer };
  // They ask for what Faultline does anyway.
  if (peer['stackParser'] === defaultStackParser) delete own['stackParser'];
  if (peer['transport'] === makeNodeTransport) delete own['transport'];
  if (peer['traceLifecycle'] === 'stream') noteMissing("traceLifecycle: 'stream'", 'Spans are sent in transactions');
  for (const [name, instead] of Object.entries(WITHOUT_EFFECT)) {
    if (own[name] !== undefined && own[name] !== false) noteMissing(`the option ${name}`, instead);
    delete own[name];
  }
  for (const name of OF_PEER) delete own[name];
  for (const [option, variable] of Object.entries(VARIABLES)) {
    // Our own variables win: `faultline dev` sets them.
    if (!env[variable.replace('SENTRY', 'FAULTLINE')]) own[option] ??= env[variable] || undefined;
  }
  if (!env['FAULTLINE_RELEASE']) own['release'] ??= readRelease(env);
  if (peer.includeServerName === true) own['serverName'] ??= guardOwn('os.hostname', hostname);
  own['clientReportIntervalMillis'] ??= peer.clientReportFlushInterval;
  // What leaves `startSpan` may be caught, as by a loop that tries again, and is no error to the peer.
  if (!env['FAULTLINE_CAPTURE_SPAN_ERRORS']) own['captureSpanErrors'] ??= false;
  // Of version 8.
  if (peer['enableTracing'] === true && !peer.tracesSampler) own['tracesSampleRate'] ??= 1;
  if (peer['autoSessionTracking'] === false) noteMissing('autoSessionTracking: false', WITHOUT_SESSIONS);
  const wanted = peer.integrations ?? [];
  const listed = [...readList(peer['defaultIntegrations']), ...readList(wanted)];
  for (const one of listed) mergeOptions(own, readProperty(one, STANDS_FOR));
  const further = [
    // As the peer: the process goes on.
    ...(peer.defaultIntegrations === undefined ? [onUnhandledRejectionIntegration()] : []),
    ...(peer.includeLocalVariables === true ? [localVariablesIntegration()] : []),
    ...(peer.onFatalError ? [onUncaughtExceptionIntegration({ onFatalError: peer.onFatalError })] : []),
  ];
  const integrations: Integration[] = [];
  // Anything else is left to the check of our options.
  if (typeof wanted === 'function' || isArray(wanted)) {
    own['integrations'] = (defaults: Integration[]) => {
      const all = [...defaults, ...further];
      const chosen = typeof wanted === 'function' ? wanted(all) : [...all, ...wanted];
      if (!isArray(chosen)) return all;
      for (const one of chosen) if (!listed.includes(one)) noteLateOptions(one, 'in a function for integrations');
      integrations.push(...chosen);
      return toParts(chosen);
    };
  }
  return { own: own as Options, integrations };
}

/** Lists are joined; what the application has set wins. */
function mergeOptions(own: Record<string, unknown>, options: unknown): void {
  for (const [name, value] of Object.entries(options ?? {})) {
    const present = own[name];
    own[name] = Array.isArray(present) && Array.isArray(value) ? [...present, ...value] : (present ?? value);
  }
}
