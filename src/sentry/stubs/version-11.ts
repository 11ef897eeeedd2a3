// Names of the peer's version 11 that its version 10 does not have.

import { type HonoApp, type HonoErrorHandlerOptions, setupHonoErrorHandler } from '../../frameworks/hono.js';
import { guard, guardOwn } from '../../internal/guard.js';
import { copyOwn } from '../../internal/values/copy-own.js';
import { readProperty } from '../../internal/values/read.js';
import { init } from '../init.js';
import type { NodeOptions } from '../options.js';
import { setConversationId } from '../spans.js';
import type { HandleTunnelRequestOptions, ServerTunnelOptions, TunnelRequestLike } from '../types.js';
import { INSTEAD, missingIntegration, noteMissing } from './missing.js';

const TUNNEL = 'Forward the envelopes of browsers with a proxy of your own';

/** Captures the errors of the application; requests have spans without it. */
export function honoMiddleware(app: HonoApp, options?: HonoErrorHandlerOptions) {
  setupHonoErrorHandler(app, options);
  return (_context: unknown, next: () => Promise<void>): Promise<void> => next();
}

/** Returns the callback as it is: static spans, those sent in transactions, are the only kind here. */
export function withStaticSpan<T>(callback: T): T {
  return callback;
}

/** No module has to be patched for spans of requests. */
export function getInstrumentedModuleNames(): string[] {
  return [];
}

export function getOtlpTracesEndpoint(_dsn: string): undefined {
  noteMissing('getOtlpTracesEndpoint', 'Spans are sent in transactions');
}

/** An instrumentation without effect. */
export function createFlueInstrumentation(_options?: object) {
  noteMissing('createFlueInstrumentation', INSTEAD.spans);
  return {
    key: 'faultline',
    interceptor: <T>(_operation: unknown, _context: unknown, next: () => T): T => next(),
    observe: (_observation: unknown): void => undefined,
  };
}

/** An exporter without effect. */
export class SentryMastraExporter {
  readonly name = 'faultline';

  constructor(_options?: object) {
    noteMissing('SentryMastraExporter', INSTEAD.spans);
  }

  init(_options: object): void {}
  async exportTracingEvent(_event: object): Promise<void> {}
  async flush(): Promise<void> {}
  async shutdown(): Promise<void> {}
}

const spanWithoutEffect = {
  setAttribute(_key: string, _value: unknown): void {},
  setAttributes(_attributes: object): void {},
  addEvent(_name: string, _attributes?: object): void {},
  recordException(_exception: unknown): void {},
  setSpanOnContext: <T>(context: T): T => context,
  end(): void {},
};

/** What a queue of BullMQ takes as its `telemetry`, without effect. */
export class BullMQTelemetry {
  readonly tracer = { startSpan: (_name: string, _options?: object, _context?: unknown) => spanWithoutEffect };
  readonly contextManager = {
    active: () => ({}),
    root: () => ({}),
    with: <T>(_context: unknown, run: () => T): T => run(),
    getMetadata: (_context: unknown): string => '',
    fromMetadata: <T>(active: T, _metadata: string): T => active,
  };

  constructor(_options?: object) {
    noteMissing('BullMQTelemetry', 'Give the queue the telemetry of bullmq-otel, whose spans are sent');
  }
}

// Conversations with agents

interface EveContext {
  readonly session: { readonly id: string };
}

interface EveOptions<Context> {
  getConversationId?: ((context: Context) => string | undefined) | undefined;
}

function noteConversation({ getConversationId }: EveOptions<EveContext>, contextOf: () => EveContext): void {
  guard('a hook of Eve', () => {
    const context = contextOf();
    setConversationId(getConversationId ? getConversationId(context) : context.session.id);
  });
}

/** Sets the id of the conversation at each turn. */
export function eveConversationHook(options: EveOptions<EveContext> = {}) {
  const own = copyOwn(options) as EveOptions<EveContext>;
  const note = (_event: unknown, context: EveContext): void => noteConversation(own, () => context);
  return { events: { 'turn.started': note, 'step.started': note } };
}

/** Calls `init`, and sets the id of the conversation at each turn. */
export function eveInstrumentation(options: EveOptions<EveContext> & NodeOptions = {}) {
  const { getConversationId, ...others } = copyOwn(options) as EveOptions<EveContext> & NodeOptions;
  const note = (idOf: () => string): void =>
    noteConversation({ getConversationId }, () => ({ session: { id: idOf() } }));
  const noteScope = (event: { scope: { sessionId: string } }): void => note(() => event.scope.sessionId);
  return {
    setup(): void {
      init(others);
    },
    events: {
      'turn.started': (event: { sessionId: string }): void => note(() => event.sessionId),
      'step.attempt.started': noteScope,
      'model.started': noteScope,
    },
  };
}

// Tunnel for browsers: no request is recognized, and nothing is forwarded

export const serveTunnelIntegration = missingIntegration('serveTunnel', TUNNEL);

export function getTunnelPath(_dsn?: unknown): undefined {
  noteMissing('getTunnelPath', TUNNEL);
}

export function isTunnelRequest(_request?: TunnelRequestLike, _options?: ServerTunnelOptions): boolean {
  return false;
}

export function handleTunnelRequestIfMatched(
  _request?: TunnelRequestLike,
  _response?: object,
  _options?: ServerTunnelOptions,
): undefined {
  noteMissing('handleTunnelRequestIfMatched', TUNNEL);
}

type ForwardOptions = Omit<HandleTunnelRequestOptions, 'request'>;

/** The part of Node's response that is used. */
interface TunnelResponse {
  writeHead(status: number): unknown;
  end(): unknown;
}

/** Answers 501: with the given response of Node, or with one that it resolves to. */
export function handleTunnelRequest(
  request: Request | HandleTunnelRequestOptions,
  options?: ForwardOptions,
): Promise<Response>;
export function handleTunnelRequest(
  request: TunnelRequestLike,
  response: TunnelResponse,
  options?: ForwardOptions,
): Promise<void>;
export async function handleTunnelRequest(_request: object, response?: object): Promise<unknown> {
  noteMissing('handleTunnelRequest', TUNNEL);
  const writeHead = readProperty(response, 'writeHead');
  const end = readProperty(response, 'end');
  if (typeof writeHead !== 'function' || typeof end !== 'function') return new Response(null, { status: 501 });
  const answer = (): void => {
    writeHead.call(response, 501);
    end.call(response);
  };
  // The application may have answered already.
  guardOwn('the answer to a tunnel request', answer);
  return undefined;
}
