import {
  type FetchOptions,
  fetchIntegration,
  type HttpClientOptions,
  type HttpServerOptions,
  httpClientIntegration,
  httpServerIntegration,
  type Integration,
  type Options,
} from '../index.js';
import { INSTEAD, instrumentedBy, missingIntegration, noteMissing } from './missing.js';
import { PARTS, STANDS_FOR } from './options.js';
import type { FeatureFlagsIntegration } from './types.js';

/** Options of the peer's HTTP integration. */
export interface HttpOptions extends HttpClientOptions, HttpServerOptions {
  ignoreIncomingRequests?: ((path: string, request: never) => boolean) | undefined;
  [option: string]: unknown;
}

/** Stands for our integrations of HTTP servers and clients. */
export function httpIntegration(options: HttpOptions = {}): Integration {
  const { breadcrumbs, spans, ignoreIncomingRequests, ...server } = options;
  if (options['ignoreOutgoingRequests']) {
    noteMissing('httpIntegration({ ignoreOutgoingRequests })', 'Use ignoreSpans and tracePropagationTargets');
  }
  const ignoreRequests = (ignoreIncomingRequests ?? server.ignoreRequests) as HttpServerOptions['ignoreRequests'];
  const { maxIncomingRequestBodySize, trackIncomingRequestsAsSessions, ignoreStatusCodes } = server;
  const parts = [
    httpClientIntegration({ breadcrumbs, spans }),
    httpServerIntegration({
      spans,
      ignoreRequests,
      maxIncomingRequestBodySize,
      trackIncomingRequestsAsSessions,
      ignoreStatusCodes,
    }),
  ];
  return Object.assign({ name: 'Http' }, { [PARTS]: parts });
}

export function nativeNodeFetchIntegration({ breadcrumbs, spans }: FetchOptions & Record<string, unknown> = {}) {
  return fetchIntegration({ breadcrumbs, spans });
}

interface EventFilters extends Pick<Options, 'ignoreErrors' | 'ignoreTransactions' | 'allowUrls' | 'denyUrls'> {
  /** No error is ignored by default. */
  disableErrorDefaults?: boolean;
  ignoreInternal?: boolean;
}

/** Sets options: the filters are a step of the pipeline. */
export function eventFiltersIntegration(options: EventFilters = {}): Integration {
  const { disableErrorDefaults, ignoreInternal, ...filters } = options;
  return Object.assign({ name: 'EventFilters' }, { [STANDS_FOR]: filters });
}

/** Sets the option `spotlight`. */
export function spotlightIntegration({ sidecarUrl }: { sidecarUrl?: string } = {}): Integration {
  return Object.assign({ name: 'Spotlight' }, { [STANDS_FOR]: { spotlight: sidecarUrl ?? true } });
}

const REQUESTS = 'Requests have spans without it; for spans of middleware, register';

export const expressIntegration = missingIntegration(
  'expressIntegration',
  `${REQUESTS} @opentelemetry/instrumentation-express`,
);
export const connectIntegration = missingIntegration(
  'connectIntegration',
  `${REQUESTS} @opentelemetry/instrumentation-connect`,
);
export const koaIntegration = missingIntegration('koaIntegration', `${REQUESTS} @opentelemetry/instrumentation-koa`);
export const hapiIntegration = missingIntegration('hapiIntegration', `${REQUESTS} @opentelemetry/instrumentation-hapi`);
export const honoIntegration = missingIntegration('honoIntegration', 'Requests have spans without it');
export const httpServerSpansIntegration = missingIntegration(
  'httpServerSpansIntegration',
  'httpServerIntegration makes spans',
);

export const amqplibIntegration = instrumentedBy('amqplibIntegration', '@opentelemetry/instrumentation-amqplib');
export const dataloaderIntegration = instrumentedBy(
  'dataloaderIntegration',
  '@opentelemetry/instrumentation-dataloader',
);
export const fsIntegration = instrumentedBy('fsIntegration', '@opentelemetry/instrumentation-fs');
export const genericPoolIntegration = instrumentedBy(
  'genericPoolIntegration',
  '@opentelemetry/instrumentation-generic-pool',
);
export const graphqlIntegration = instrumentedBy('graphqlIntegration', '@opentelemetry/instrumentation-graphql');
export const kafkaIntegration = instrumentedBy('kafkaIntegration', '@opentelemetry/instrumentation-kafkajs');
export const knexIntegration = instrumentedBy('knexIntegration', '@opentelemetry/instrumentation-knex');
export const lruMemoizerIntegration = instrumentedBy(
  'lruMemoizerIntegration',
  '@opentelemetry/instrumentation-lru-memoizer',
);
export const mongoIntegration = instrumentedBy('mongoIntegration', '@opentelemetry/instrumentation-mongodb');
export const mongooseIntegration = instrumentedBy('mongooseIntegration', '@opentelemetry/instrumentation-mongoose');
export const mysqlIntegration = instrumentedBy('mysqlIntegration', '@opentelemetry/instrumentation-mysql');
export const mysql2Integration = instrumentedBy('mysql2Integration', '@opentelemetry/instrumentation-mysql2');
export const postgresIntegration = instrumentedBy('postgresIntegration', '@opentelemetry/instrumentation-pg');
export const prismaIntegration = instrumentedBy('prismaIntegration', '@prisma/instrumentation');
export const redisIntegration = instrumentedBy('redisIntegration', '@opentelemetry/instrumentation-redis or -ioredis');
export const tediousIntegration = instrumentedBy('tediousIntegration', '@opentelemetry/instrumentation-tedious');
export const openAIIntegration = instrumentedBy('openAIIntegration', '@opentelemetry/instrumentation-openai');
export const nodeRuntimeMetricsIntegration = instrumentedBy(
  'nodeRuntimeMetricsIntegration',
  '@opentelemetry/instrumentation-runtime-node',
);

export const anthropicAIIntegration = missingIntegration('anthropicAIIntegration', INSTEAD.spans);
export const firebaseIntegration = missingIntegration('firebaseIntegration', INSTEAD.spans);
export const googleGenAIIntegration = missingIntegration('googleGenAIIntegration', INSTEAD.spans);
export const langChainIntegration = missingIntegration('langChainIntegration', INSTEAD.spans);
export const langGraphIntegration = missingIntegration('langGraphIntegration', INSTEAD.spans);
export const postgresJsIntegration = missingIntegration('postgresJsIntegration', INSTEAD.spans);
export const supabaseIntegration = missingIntegration('supabaseIntegration', INSTEAD.spans);
export const vercelAIIntegration = missingIntegration('vercelAIIntegration', 'Its own OpenTelemetry spans are sent');

export const consoleLoggingIntegration = missingIntegration('consoleLoggingIntegration', INSTEAD.logs);
export const pinoIntegration = missingIntegration('pinoIntegration', INSTEAD.logs);
export const anrIntegration = missingIntegration('anrIntegration', 'Watch perf_hooks.monitorEventLoopDelay');
export const spanStreamingIntegration = missingIntegration(
  'spanStreamingIntegration',
  'Spans are sent in transactions',
);

export function featureFlagsIntegration(): FeatureFlagsIntegration {
  noteMissing('featureFlagsIntegration', INSTEAD.flags);
  return { name: 'FeatureFlags', addFeatureFlag: () => undefined };
}

export const growthbookIntegration = missingIntegration('growthbookIntegration', INSTEAD.flags);
export const launchDarklyIntegration = missingIntegration('launchDarklyIntegration', INSTEAD.flags);
export const openFeatureIntegration = missingIntegration('openFeatureIntegration', INSTEAD.flags);
export const statsigIntegration = missingIntegration('statsigIntegration', INSTEAD.flags);
export const unleashIntegration = missingIntegration('unleashIntegration', INSTEAD.flags);
