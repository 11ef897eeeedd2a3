import type { IncomingMessage } from 'node:http';
import {
  httpServerIntegration as createOwnServerIntegration,
  type FetchOptions,
  fetchIntegration,
  type HttpClientOptions,
  type HttpServerOptions,
  httpClientIntegration,
  type Integration,
  type Options,
} from '../index.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { readProperty } from '../internal/values/read.js';
import { PARTS, STANDS_FOR } from './options.js';
import { INSTEAD, instrumentedBy, missingIntegration, noteMissing } from './stubs/missing.js';
import type { ExpressIntegrationOptions, FeatureFlagsIntegration } from './types.js';

/** Options of the peer's HTTP integration. */
interface HttpOptions extends HttpClientOptions, PeerServerOptions {
  ignoreIncomingRequests?: ((urlPath: string, request: IncomingMessage) => boolean) | undefined;
  disableIncomingRequestSpans?: boolean | undefined;
  dropSpansForIncomingRequestStatusCodes?: HttpServerOptions['ignoreStatusCodes'];
  [option: string]: unknown;
}

interface PeerServerOptions extends HttpServerOptions {
  /** The same as `maxIncomingRequestBodySize`. */
  maxRequestBodySize?: HttpServerOptions['maxIncomingRequestBodySize'];
  [option: string]: unknown;
}

/** What to do instead of an option. */
const INSTEAD_OF_OPTION: Record<string, string> = {
  ignoreOutgoingRequests: 'Use ignoreSpans and tracePropagationTargets',
  ignoreIncomingRequestBody: "Use maxIncomingRequestBodySize: 'none', which is for all requests",
  ignoreRequestBody: "Use maxIncomingRequestBodySize: 'none', which is for all requests",
  ignoreStaticAssets: 'Use ignoreRequests',
};

/** Notes each option that the peer has and Faultline has not. @returns the others, which our integration checks */
function noteOptions(integration: string, options: object): Record<string, unknown> {
  const others = { ...options } as Record<string, unknown>;
  for (const [name, instead] of Object.entries(INSTEAD_OF_OPTION)) {
    if (others[name] !== undefined) noteMissing(`${integration}({ ${name} })`, instead);
    delete others[name];
  }
  return others;
}

/** Stands for our integrations of HTTP servers and clients. */
export function httpIntegration(options: HttpOptions = {}): Integration {
  const {
    breadcrumbs,
    spans,
    ignoreIncomingRequests,
    ignoreRequests,
    disableIncomingRequestSpans,
    dropSpansForIncomingRequestStatusCodes,
    ignoreStatusCodes = dropSpansForIncomingRequestStatusCodes,
    ...server
  } = copyOwn(options) as HttpOptions;
  const parts = [
    httpClientIntegration({ breadcrumbs, spans }),
    createServerIntegration('httpIntegration', {
      ...server,
      spans: disableIncomingRequestSpans ? false : spans,
      ignoreRequests: ignoreIncomingRequests
        ? (request) => ignoreIncomingRequests(request.url ?? '/', request as IncomingMessage)
        : ignoreRequests,
      ignoreStatusCodes,
    }),
  ];
  return Object.assign({ name: 'Http' }, { [PARTS]: parts });
}

/** `httpServerIntegration` of the root, also with the peer's names of its options. */
export function httpServerIntegration(options: PeerServerOptions = {}): Integration {
  return createServerIntegration('httpServerIntegration', options);
}

function createServerIntegration(name: string, options: PeerServerOptions): Integration {
  const {
    spans,
    ignoreRequests,
    ignoreStatusCodes,
    trackIncomingRequestsAsSessions,
    maxRequestBodySize,
    maxIncomingRequestBodySize = maxRequestBodySize,
    ...rest
  } = copyOwn(options) as PeerServerOptions;
  return createOwnServerIntegration({
    ...noteOptions(name, rest),
    spans,
    ignoreRequests,
    ignoreStatusCodes,
    trackIncomingRequestsAsSessions,
    maxIncomingRequestBodySize,
  });
}

export function nativeNodeFetchIntegration(options: FetchOptions & Record<string, unknown> = {}): Integration {
  const { breadcrumbs, spans, ...rest } = copyOwn(options) as FetchOptions;
  return fetchIntegration({ ...noteOptions('nativeNodeFetchIntegration', rest), breadcrumbs, spans });
}

interface EventFilters extends Pick<Options, 'ignoreErrors' | 'ignoreTransactions' | 'allowUrls' | 'denyUrls'> {
  /** No error is ignored by default. */
  disableErrorDefaults?: boolean;
  ignoreInternal?: boolean;
}

/** Sets options: the filters are a step of the pipeline. */
export function eventFiltersIntegration(options: EventFilters = {}): Integration {
  const { disableErrorDefaults, ignoreInternal, ...filters } = copyOwn(options) as EventFilters;
  return Object.assign({ name: 'EventFilters' }, { [STANDS_FOR]: filters });
}

/** Sets the option `spotlight`. */
export function spotlightIntegration(options: { sidecarUrl?: string } = {}): Integration {
  return Object.assign(
    { name: 'Spotlight' },
    { [STANDS_FOR]: { spotlight: readProperty(options, 'sidecarUrl') ?? true } },
  );
}

const REQUESTS = 'Requests have spans without it; for spans of middleware, register';

export const expressIntegration = missingIntegration<ExpressIntegrationOptions>(
  'express',
  `${REQUESTS} @opentelemetry/instrumentation-express`,
);
export const connectIntegration = missingIntegration('connect', `${REQUESTS} @opentelemetry/instrumentation-connect`);
export const koaIntegration = missingIntegration('koa', `${REQUESTS} @opentelemetry/instrumentation-koa`);
export const hapiIntegration = missingIntegration('hapi', `${REQUESTS} @opentelemetry/instrumentation-hapi`);
export const honoIntegration = missingIntegration('hono', 'Requests have spans without it');
export const httpServerSpansIntegration = missingIntegration('httpServerSpans', 'httpServerIntegration makes spans');

export const amqplibIntegration = instrumentedBy('amqplib');
export const dataloaderIntegration = instrumentedBy('dataloader');
export const fsIntegration = instrumentedBy('fs');
export const genericPoolIntegration = instrumentedBy('genericPool', 'generic-pool');
export const graphqlIntegration = instrumentedBy('graphql');
export const kafkaIntegration = instrumentedBy('kafka', 'kafkajs');
export const knexIntegration = instrumentedBy('knex');
export const lruMemoizerIntegration = instrumentedBy('lruMemoizer', 'lru-memoizer');
export const mongoIntegration = instrumentedBy('mongo', 'mongodb');
export const mongooseIntegration = instrumentedBy('mongoose');
export const mysqlIntegration = instrumentedBy('mysql');
export const mysql2Integration = instrumentedBy('mysql2');
export const postgresIntegration = instrumentedBy('postgres', 'pg');
export const prismaIntegration = missingIntegration('prisma', 'Register @prisma/instrumentation for its spans');
export const redisIntegration = instrumentedBy('redis', 'redis or -ioredis');
export const tediousIntegration = instrumentedBy('tedious');
export const openAIIntegration = instrumentedBy('openAI', 'openai');
export const nodeRuntimeMetricsIntegration = instrumentedBy('nodeRuntimeMetrics', 'runtime-node');

export const anthropicAIIntegration = missingIntegration('anthropicAI', INSTEAD.spans);
export const firebaseIntegration = missingIntegration('firebase', INSTEAD.spans);
export const googleGenAIIntegration = missingIntegration('googleGenAI', INSTEAD.spans);
export const langChainIntegration = missingIntegration('langChain', INSTEAD.spans);
export const langGraphIntegration = missingIntegration('langGraph', INSTEAD.spans);
export const postgresJsIntegration = missingIntegration('postgresJs', INSTEAD.spans);
export const supabaseIntegration = missingIntegration('supabase', INSTEAD.spans);
export const vercelAIIntegration = missingIntegration('vercelAI', 'Its own OpenTelemetry spans are sent');

export const consoleLoggingIntegration = missingIntegration('consoleLogging', INSTEAD.logs);
export const pinoIntegration = missingIntegration('pino', INSTEAD.logs);
export const anrIntegration = missingIntegration('anr', 'Watch perf_hooks.monitorEventLoopDelay');
export const spanStreamingIntegration = missingIntegration('spanStreaming', 'Spans are sent in transactions');

export function featureFlagsIntegration(): FeatureFlagsIntegration {
  noteMissing('featureFlagsIntegration', INSTEAD.flags);
  return { name: 'FeatureFlags', addFeatureFlag: () => undefined };
}

export const growthbookIntegration = missingIntegration('growthbook', INSTEAD.flags);
export const launchDarklyIntegration = missingIntegration('launchDarkly', INSTEAD.flags);
export const openFeatureIntegration = missingIntegration('openFeature', INSTEAD.flags);
export const statsigIntegration = missingIntegration('statsig', INSTEAD.flags);
export const unleashIntegration = missingIntegration('unleash', INSTEAD.flags);
