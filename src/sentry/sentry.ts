// The names of the peer's Node SDK, versions 8 to 11, over ours. What the two have in common comes from the root, what has
// another shape is adapted, and what is missing says so once.

import { INSTEAD, instrumentedBy, missing, missingIntegration, missingWrapper } from './stubs/missing.js';
import type { CronJobIntegrationOptions, ExpressIntegrationOptions } from './types.js';

export { setupConnectErrorHandler } from '../frameworks/connect.js';
export { setupFastifyErrorHandler } from '../frameworks/fastify.js';
export { setupHonoErrorHandler } from '../frameworks/hono.js';
export { setupKoaErrorHandler } from '../frameworks/koa.js';
// The same name and shape as in the root
export {
  addBreadcrumb,
  addEventProcessor,
  type Breadcrumb,
  type BreadcrumbHint,
  type CaptureContext,
  type CaptureContext as ExclusiveEventHintOrCaptureContext,
  captureConsoleIntegration,
  captureEvent,
  captureException,
  captureMessage,
  captureSession,
  childProcessIntegration,
  childProcessIntegration as processThreadBreadcrumbIntegration,
  close,
  consoleIntegration,
  contextLinesIntegration,
  continueTrace,
  createTransport,
  dedupeIntegration,
  type ErrorEvent,
  type Event,
  type EventHint,
  type Exception,
  endSession,
  extraErrorDataIntegration,
  FaultlineContextManager as SentryContextManager,
  fastifyIntegration,
  flush,
  functionToStringIntegration,
  getActiveSpan,
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  getRootSpan,
  getTraceData,
  isEnabled,
  isInitialized,
  lastEventId,
  linkedErrorsIntegration,
  localVariablesIntegration,
  modulesIntegration,
  nodeContextIntegration,
  onUncaughtExceptionIntegration,
  parameterize,
  processSessionIntegration,
  type RequestEventData,
  type RequestEventData as PolymorphicRequest,
  type RequestEventData as Request,
  requestDataIntegration,
  rewriteFramesIntegration,
  Scope,
  type SdkInfo,
  type Session,
  type SeverityLevel,
  type Span,
  type StackFrame,
  type Stacktrace,
  setAttribute,
  setAttributes,
  setContext,
  setExtra,
  setExtras,
  setHttpStatus,
  setTag,
  setTags,
  setUser,
  spanToJSON,
  spanToJSON as spanToStaticSpanJSON,
  startInactiveSpan,
  startNewTrace,
  startSession,
  startSpan,
  startSpanManual,
  suppressTracing,
  systemErrorIntegration,
  type TransactionEvent,
  type User,
  updateSpanName,
  withActiveSpan,
  withIsolationScope,
  withScope,
  zodErrorsIntegration,
} from '../index.js';
export { SDK_VERSION } from '../internal/version.js';
export { cron } from './cron.js';
export {
  type ExpressHandlerOptions,
  expressErrorHandler,
  type MiddlewareError,
  setupExpressErrorHandler,
} from './express.js';
export {
  captureFeedback,
  defaultStackParser,
  getAutoPerformanceIntegrations,
  httpHeadersToSpanAttributes,
  initOpenTelemetry,
  NODE_VERSION,
  preloadOpenTelemetry,
  setNodeAsyncContextStrategy,
  setNodeAsyncContextStrategy as setOpenTelemetryContextAsyncContextStrategy,
  setupHapiErrorHandler,
  winterCGHeadersToDict,
} from './helpers.js';
// The same name as in the root, the shape of the peer
export {
  addIntegration,
  generateInstrumentOnce,
  getDefaultIntegrations,
  getDefaultIntegrations as getDefaultIntegrationsWithoutPerformance,
  init,
  initWithoutDefaultIntegrations,
  setCurrentClient,
  validateOpenTelemetrySetup,
} from './init.js';
export type { Integration } from './integration.js';
export {
  eventFiltersIntegration,
  eventFiltersIntegration as inboundFiltersIntegration,
  featureFlagsIntegration,
  httpIntegration,
  httpServerIntegration,
  nativeNodeFetchIntegration,
  onUnhandledRejectionIntegration,
  spotlightIntegration,
} from './integrations.js';
export { getClient, NodeClient } from './node-client.js';
export { getSentryRelease, makeNodeTransport, type NodeOptions } from './options.js';
export {
  bindScopeToEmitter,
  getSpanStatusFromHttpCode,
  getTraceMetaTags,
  SEMANTIC_ATTRIBUTE_SENTRY_OP,
  SEMANTIC_ATTRIBUTE_SENTRY_ORIGIN,
  SEMANTIC_ATTRIBUTE_SENTRY_SAMPLE_RATE,
  SEMANTIC_ATTRIBUTE_SENTRY_SOURCE,
  setConversationId,
  setMeasurement,
  spanToBaggageHeader,
  spanToTraceHeader,
} from './spans.js';
export {
  buildLaunchDarklyFlagUsedHandler,
  captureCheckIn,
  createConsolaReporter,
  createGetModuleFromFilename,
  createLangChainCallbackHandler,
  diagnosticsChannelInjectionIntegrations,
  disableAnrDetectionForCallback,
  getSpanDescendants,
  isDiagnosticsChannelInjectionEnabled,
  logger,
  metrics,
  OpenFeatureIntegrationHook,
  profiler,
  withMonitor,
} from './stubs/stubs.js';
export { addOpenTelemetryInstrumentation, getCurrentHub, setupNestErrorHandler } from './stubs/version-8.js';
export {
  BullMQTelemetry,
  createFlueInstrumentation,
  eveConversationHook,
  eveInstrumentation,
  getInstrumentedModuleNames,
  getOtlpTracesEndpoint,
  getTunnelPath,
  handleTunnelRequest,
  handleTunnelRequestIfMatched,
  honoMiddleware,
  isTunnelRequest,
  SentryMastraExporter,
  serveTunnelIntegration,
  withStaticSpan,
} from './stubs/version-11.js';
export { trpcMiddleware } from './trpc.js';
export type {
  CronJobIntegrationOptions,
  ExpressIntegrationOptions,
  FeatureFlagsIntegration,
  HandleTunnelRequestOptions,
  Log,
  LogSeverityLevel,
  Metric,
  NodeCronIntegrationOptions,
  NodeRuntimeMetricsOptions,
  NodeScheduleIntegrationOptions,
  ServerTunnelOptions,
  Thread,
  TunnelRequestLike,
} from './types.js';

// Without effect, and each says so once: what is done without it, or under another name

const HTTP = 'HTTP requests have spans without it';
const REQUESTS = 'Requests have spans without it';
const MIDDLEWARE = `${REQUESTS}; for spans of middleware, register @opentelemetry/instrumentation`;

export const expressIntegration = missingIntegration<ExpressIntegrationOptions>('express', `${MIDDLEWARE}-express`);
export const connectIntegration = missingIntegration('connect', `${MIDDLEWARE}-connect`);
export const koaIntegration = missingIntegration('koa', `${MIDDLEWARE}-koa`);
export const hapiIntegration = missingIntegration('hapi', `${MIDDLEWARE}-hapi`);
export const honoIntegration = missingIntegration('hono', REQUESTS);
export const nestIntegration = missingIntegration(
  'nest',
  `${REQUESTS}; for spans of handlers, register @opentelemetry/instrumentation-nestjs-core`,
);
export const nitroIntegration = missingIntegration('nitro', REQUESTS);
export const awsLambdaWebIntegration = missingIntegration('awsLambdaWeb', 'Use wrapHandler of faultline/lambda');
export const httpServerSpansIntegration = missingIntegration('httpServerSpans', 'httpServerIntegration makes spans');
export const openTelemetryIntegration = missingIntegration('openTelemetry', 'All spans are OpenTelemetry spans');
export const spanStreamingIntegration = missingIntegration('spanStreaming', 'Spans are sent in transactions');
export const workerThreadsIntegration = missingIntegration('workerThreads', 'childProcessIntegration watches threads');
export const vercelAIIntegration = missingIntegration('vercelAI', 'Its own OpenTelemetry spans are sent');
export const moduleMetadataIntegration = missingIntegration('moduleMetadata', 'Set tags with setTag');
export const sessionTimingIntegration = missingIntegration('sessionTiming', 'Breadcrumbs have timestamps');
export const debugIntegration = missingIntegration('debug', 'Set debug: true');
export const anrIntegration = missingIntegration('anr', 'Watch perf_hooks.monitorEventLoopDelay');
export const withStreamedSpan = missingWrapper('withStreamedSpan', 'Spans are sent in transactions');
export const applyDiagnosticsChannelInjectionIntegrations = missing(
  'applyDiagnosticsChannelInjectionIntegrations',
  HTTP,
);
export const experimentalUseDiagnosticsChannelInjection = missing('experimentalUseDiagnosticsChannelInjection', HTTP);

// Spans that instrumentations of OpenTelemetry make

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
export const awsIntegration = instrumentedBy('aws', 'aws-sdk');

// Spans that nothing makes

export const anthropicAIIntegration = missingIntegration('anthropicAI', INSTEAD.spans);
export const firebaseIntegration = missingIntegration('firebase', INSTEAD.spans);
export const googleGenAIIntegration = missingIntegration('googleGenAI', INSTEAD.spans);
export const langChainIntegration = missingIntegration('langChain', INSTEAD.spans);
export const langGraphIntegration = missingIntegration('langGraph', INSTEAD.spans);
export const postgresJsIntegration = missingIntegration('postgresJs', INSTEAD.spans);
export const supabaseIntegration = missingIntegration('supabase', INSTEAD.spans);
export const instrumentAnthropicAiClient = missingWrapper('instrumentAnthropicAiClient', INSTEAD.spans);
export const instrumentGoogleGenAIClient = missingWrapper('instrumentGoogleGenAIClient', INSTEAD.spans);
export const instrumentLangChainEmbeddings = missingWrapper('instrumentLangChainEmbeddings', INSTEAD.spans);
export const instrumentLangGraph = missingWrapper('instrumentLangGraph', INSTEAD.spans);
export const instrumentOpenAiClient = missingWrapper('instrumentOpenAiClient', INSTEAD.spans);
export const instrumentStateGraph = missingWrapper('instrumentStateGraph', INSTEAD.spans);
export const instrumentStateGraphCompile = missingWrapper('instrumentStateGraphCompile', INSTEAD.spans);
export const instrumentSupabaseClient = missingWrapper('instrumentSupabaseClient', INSTEAD.spans);
export const wrapMcpServerWithSentry = missingWrapper('wrapMcpServerWithSentry', INSTEAD.spans);
export const groqIntegration = missingIntegration('groq', INSTEAD.spans);
export const mastraIntegration = missingIntegration('mastra', INSTEAD.spans);
export const mcpServerIntegration = missingIntegration('mcpServer', INSTEAD.spans);
export const mistralAIIntegration = missingIntegration('mistralAI', INSTEAD.spans);
export const neonIntegration = missingIntegration('neon', INSTEAD.spans);
export const piDurableIntegration = missingIntegration('piDurable', INSTEAD.spans);
export const togetherAIIntegration = missingIntegration('togetherAI', INSTEAD.spans);
export const typesafeIntegration = missingIntegration('typesafe', INSTEAD.spans);
export const instrumentCreateReactAgent = missingWrapper('instrumentCreateReactAgent', INSTEAD.spans);
export const instrumentMistralAiClient = missingWrapper('instrumentMistralAiClient', INSTEAD.spans);
export const instrumentPostgresJsSql = missingWrapper('instrumentPostgresJsSql', INSTEAD.spans);
export const instrumentTypeSafeClient = missingWrapper('instrumentTypeSafeClient', INSTEAD.spans);
export const eveIntegration = missingIntegration('eve', INSTEAD.spans);

// Logs, flags and schedules

export const consoleLoggingIntegration = missingIntegration('consoleLogging', INSTEAD.logs);
export const pinoIntegration = missingIntegration('pino', INSTEAD.logs);
export const growthbookIntegration = missingIntegration('growthbook', INSTEAD.flags);
export const launchDarklyIntegration = missingIntegration('launchDarkly', INSTEAD.flags);
export const openFeatureIntegration = missingIntegration('openFeature', INSTEAD.flags);
export const statsigIntegration = missingIntegration('statsig', INSTEAD.flags);
export const unleashIntegration = missingIntegration('unleash', INSTEAD.flags);
export const createSentryWinstonTransport = missingWrapper('createSentryWinstonTransport', INSTEAD.logs);
export const cronJobIntegration = missingIntegration<CronJobIntegrationOptions>('cronJob', INSTEAD.checkIns);
export const nodeCronIntegration = missingIntegration<CronJobIntegrationOptions>('nodeCron', INSTEAD.checkIns);
export const nodeScheduleIntegration = missingIntegration<CronJobIntegrationOptions>('nodeSchedule', INSTEAD.checkIns);
