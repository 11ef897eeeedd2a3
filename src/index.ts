// Set up
export { init } from './init.js';
export { Client } from './client.js';
export type { Dsn } from './model/delivery/dsn.js';
export type {
  Options,
  Options as ClientOptions,
  Settings,
  ScrubbingOptions,
  StringMatcher,
  TracePropagationTargets,
  SamplingContext,
  SpanMatcher,
} from './model/options.js';

// Capture errors, messages and events
export {
  captureException,
  captureMessage,
  captureEvent,
  captureFeedback,
  addBreadcrumb,
  addEventProcessor,
  lastEventId,
  flush,
  close,
  isEnabled,
  isInitialized,
} from './capture.js';
export type { FeedbackParams } from './model/event/feedback.js';
export { uuid4 } from './internal/ids.js';

// Add context: scopes
export { Scope } from './model/scope/scope.js';
export {
  getCurrentScope,
  getIsolationScope,
  getGlobalScope,
  getClient,
  withScope,
  withIsolationScope,
} from './context/current-scopes.js';
export {
  setUser,
  setTag,
  setTags,
  setExtra,
  setExtras,
  setContext,
  setContexts,
  setAttribute,
  setAttributes,
} from './capture.js';
export type { ScopeContext } from './model/scope/scope-context.js';
export type { ScopeData } from './model/scope/scope-state.js';

// Trace
export {
  startSpan,
  startSpanManual,
  startInactiveSpan,
  getActiveSpan,
  getRootSpan,
  withActiveSpan,
  suppressTracing,
  updateSpanName,
  getDynamicSamplingContextFromSpan,
  type StartSpanOptions,
} from './tracing/start-span.js';
export type { Span, SpanContextData, SpanStatus, SpanStatusCode, TraceFlags } from './model/span.js';
export { setHttpStatus } from './tracing/describe/status.js';
export { spanToJSON } from './tracing/json/span-to-json.js';
export { continueTrace, startNewTrace } from './tracing/propagation/continue-trace.js';
export type { IncomingHeaders } from './tracing/propagation/incoming-trace.js';
export { getTraceData, type TraceData, type TraceDataOptions } from './context/trace/outgoing.js';

// Follow release health: sessions
export { startSession, endSession, captureSession } from './context/sessions.js';
export type { Session, SessionAggregates, SessionAttributes, SessionContext, SessionStatus } from './model/session.js';
export type { RequestSession, RequestStatus } from './model/request-session.js';

// Join an existing OpenTelemetry setup
export { openTelemetry, type ExistingParts, type OpenTelemetryParts } from './tracing/open-telemetry.js';
export { FaultlineSampler } from './tracing/sampler.js';
export { FaultlineSpanProcessor } from './tracing/span-processor.js';
export { FaultlineSpanExporter } from './tracing/exporter.js';
export { FaultlineLogRecordProcessor, type LogRecord } from './tracing/log-record-processor.js';
export { FaultlineContextManager } from './context/context-manager.js';
export { FaultlinePropagator } from './tracing/propagator.js';
export type {
  AffectedFeature,
  OpenTelemetryFinding,
  OpenTelemetryGlobal,
  OpenTelemetryOwner,
  OpenTelemetryStatus,
  OpenTelemetryVersions,
} from './model/open-telemetry-status.js';

// Write a transport
export { createTransport, type ClosableTransport, type MakeRequest } from './transport/create-transport.js';
export type { Transport, TransportFactory, TransportOptions, TransportResponse } from './model/delivery/transport.js';
export type {
  Envelope,
  EnvelopeHeaders,
  EnvelopeItem,
  EnvelopeItemHeaders,
} from './model/delivery/envelope.js';
export type { EnvelopeItemType } from './model/delivery/item-types.js';

// Write and configure integrations
export type { Integration, ClientHooks, SamplingData, SamplingVerdict } from './model/contracts.js';
export {
  captureConsoleIntegration,
  type ConsoleMethod,
  type CaptureConsoleOptions,
} from './integrations/console/capture-console.js';
export { childProcessIntegration, type ChildProcessOptions } from './integrations/process/child-process.js';
export { consoleIntegration, type ConsoleOptions } from './integrations/console/console.js';
export { contextLinesIntegration, type ContextLinesOptions } from './integrations/context-lines/context-lines.js';
export { conversationIdIntegration } from './integrations/conversation-id.js';
export { dedupeIntegration } from './integrations/dedupe.js';
export { extraErrorDataIntegration, type ExtraErrorDataOptions } from './integrations/extra-error-data.js';
export { fastifyIntegration } from './integrations/fastify.js';
export { fetchIntegration, type FetchOptions } from './integrations/http/client/fetch.js';
export { functionToStringIntegration } from './integrations/function-to-string.js';
export { httpClientIntegration, type HttpClientOptions } from './integrations/http/client/http-client.js';
export { httpServerIntegration, type HttpServerOptions } from './integrations/http/server/http-server.js';
export { linkedErrorsIntegration, type LinkedErrorsOptions } from './integrations/linked-errors.js';
export {
  localVariablesIntegration,
  type LocalVariablesOptions,
} from './integrations/local-variables/local-variables.js';
export { modulesIntegration, type ModulesOptions } from './integrations/modules.js';
export { nodeContextIntegration, type NodeContextOptions } from './integrations/node-context.js';
export { processExitIntegration } from './integrations/process/process-exit.js';
export { processSessionIntegration } from './integrations/process/process-session.js';
export { processSignalsIntegration } from './integrations/process/process-signals.js';
export { requestDataIntegration, type RequestDataOptions } from './integrations/http/server/request-data.js';
export { rewriteFramesIntegration, type RewriteFramesOptions } from './integrations/rewrite-frames.js';
export { systemErrorIntegration, type SystemErrorOptions } from './integrations/system-error.js';
export {
  onUncaughtExceptionIntegration,
  type UncaughtExceptionOptions,
} from './integrations/process/uncaught-exception.js';
export {
  onUnhandledRejectionIntegration,
  type UnhandledRejectionOptions,
} from './integrations/process/unhandled-rejection.js';
export { zodErrorsIntegration, type ZodErrorsOptions } from './integrations/zod-errors.js';

// Types of events and what they contain
export type { Attachment } from './model/event/attachment.js';
export type { Breadcrumb, BreadcrumbHint } from './model/event/breadcrumb.js';
export type {
  Context,
  Contexts,
  ErrorEvent,
  Event,
  EventType,
  Extras,
  Primitive,
  RequestEventData,
  SdkInfo,
  SdkProcessingMetadata,
  TraceContext,
  TransactionEvent,
  User,
} from './model/event/event.js';
export type { Exception, Mechanism, StackFrame, Stacktrace } from './model/event/exception.js';
export type { CaptureContext, EventHint, EventProcessor } from './model/hint.js';
export type { CategoryBalance, DiscardedEvents, LedgerView as Ledger } from './model/delivery/ledger.js';
export type { DataCategory, DiscardReason } from './model/delivery/outcome.js';
export type { SeverityLevel } from './model/event/severity.js';
export type {
  Measurements,
  RawAttributes,
  SpanAttributes,
  SpanAttributeValue,
  SpanJSON,
  SpanLinkJSON,
  SpanOrigin,
  SpanTimeInput,
  TransactionSource,
} from './model/event/span-json.js';
export type { DynamicSamplingContext, PropagationContext } from './model/trace.js';
export { parameterize } from './model/event/parameterize.js';
