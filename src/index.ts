// Setting up

// Capturing
export {
  addBreadcrumb,
  addEventProcessor,
  captureEvent,
  captureException,
  captureFeedback,
  captureMessage,
  close,
  flush,
  isInitialized,
  lastEventId,
  setContext,
  setContexts,
  setExtra,
  setExtras,
  setTag,
  setTags,
  setUser,
} from './capture.js';
export { Client } from './client.js';
export { FaultlineContextManager } from './context/context-manager.js';
export type { TraceData } from './context/outgoing.js';
export { getTraceData } from './context/outgoing.js';
export { captureSession, endSession, startSession } from './context/sessions.js';
export {
  getClient,
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  withIsolationScope,
  withScope,
} from './context/storage.js';
export { init } from './init.js';
export { uuid4 } from './internal/ids.js';
// What is sent
export type { Attachment } from './model/attachment.js';
export type { Breadcrumb, BreadcrumbHint } from './model/breadcrumb.js';
// Integrations
export type {
  ClientHooks,
  Integration,
  SamplingData,
  SamplingVerdict,
  Transport,
  TransportFactory,
  TransportOptions,
  TransportResponse,
} from './model/contracts.js';
export type { Envelope, EnvelopeHeaders, EnvelopeItem, EnvelopeItemHeaders } from './model/envelope.js';
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
} from './model/event.js';
export type { Exception, Mechanism, StackFrame, Stacktrace } from './model/exception.js';
export type { FeedbackParams } from './model/feedback.js';
export type { CaptureContext, EventHint, EventProcessor } from './model/hint.js';
export type { CategoryBalance, DiscardedEvents } from './model/ledger.js';
export type {
  Options,
  Options as ClientOptions,
  SamplingContext,
  Settings,
  StringMatcher,
  TracePropagationTargets,
} from './model/options.js';
export type { DataCategory, DiscardReason } from './model/outcome.js';
export type { RequestSession, RequestStatus } from './model/request-session.js';
export type { ScopeContext, ScopeData } from './model/scope.js';
// Scopes
export { Scope } from './model/scope.js';
export type { Session, SessionAggregates, SessionContext, SessionStatus } from './model/session.js';
export type { SeverityLevel } from './model/severity.js';
export type {
  Measurements,
  SpanAttributes,
  SpanAttributeValue,
  SpanJSON,
  SpanLinkJSON,
  SpanOrigin,
  SpanTimeInput,
  TransactionSource,
} from './model/span-json.js';
export type { DynamicSamplingContext, PropagationContext } from './model/trace.js';
export { continueTrace, startNewTrace } from './tracing/continue-trace.js';
export type { HostParts, OpenTelemetryParts } from './tracing/open-telemetry.js';
// OpenTelemetry parts
export { openTelemetry } from './tracing/open-telemetry.js';
export { FaultlinePropagator } from './tracing/propagator.js';
export { FaultlineSampler } from './tracing/sampler.js';
export { FaultlineSpanProcessor } from './tracing/span-processor.js';
export { spanToJSON } from './tracing/span-to-json.js';
export type { StartSpanOptions } from './tracing/start-span.js';
// Tracing
export {
  getActiveSpan,
  getDynamicSamplingContextFromSpan,
  getRootSpan,
  startInactiveSpan,
  startSpan,
  startSpanManual,
  suppressTracing,
  updateSpanName,
  withActiveSpan,
} from './tracing/start-span.js';
export { setHttpStatus } from './tracing/status.js';
// Transports
export { createTransport } from './transport/create-transport.js';
