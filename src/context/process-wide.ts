import { AsyncLocalStorage, type AsyncResource } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import { createPrivateSlot } from '../internal/collections/private-slot.js';
import { RecentMap } from '../internal/collections/recent-map.js';
import { takeMistakes } from '../internal/options/mistakes.js';
import { findSharedState, SHARED_SLOT } from '../internal/shared-state.js';
import type { InnerClient } from '../model/inner-client.js';
import { forkContexts, Scope, sessionScopes } from '../model/scope/scope.js';
import type { PropagationContext } from '../model/trace.js';
import { createObservedSetup } from './observed/observed-setup.js';
import type { Scopes } from './scoped-context.js';
import type { LatestUnrecordedRequest, LocalRoot, RequestIsolation } from './trace/local-root.js';
import type { RequestInCreation } from './trace/outgoing-trace.js';
import { forgetNotices } from './written-notices.js';

/**
 * The process-wide state of the SDK, which its copies share; other state belongs to a client. Mistakes that wait to be
 * reported have a separate slot (`internal/options/mistakes.ts`), because the code that notes them knows no scopes and clients.
 */
type ProcessWide = ReturnType<typeof create>;

export type PartKind =
  | 'FaultlineSampler'
  | 'FaultlineSpanProcessor'
  | 'FaultlineSpanExporter'
  | 'FaultlineLogRecordProcessor'
  | 'FaultlinePropagator'
  | 'FaultlineContextManager'
  | 'FaultlineTracerProvider';

interface RegisteredPart {
  readonly kind: PartKind;
  /** The only client that the part was created for; absent if it serves the current one. */
  readonly client: InnerClient | undefined;
}

const MIN_UNRECORDED_REQUESTS = 5000;

let found: ProcessWide | undefined;

/** State shared by the copies of this package. */
export function processWide(): ProcessWide {
  found ??= findSharedState(SHARED_SLOT, create);
  return found;
}

/** Puts scopes, counts, notices and mistakes back into the state before the first `init`. For tests. */
export function resetProcessWide(): void {
  const { globalScope, fallback, withoutEffect } = processWide();
  for (const scope of [globalScope, fallback.isolation, fallback.current]) scope.clear().setClient(undefined);
  forgetNotices();
  takeMistakes();
  withoutEffect.clear();
  const initial = create();
  Object.assign(processWide(), {
    throwingRequest: initial.throwingRequest,
    unrecordedRequests: initial.unrecordedRequests,
    hasRequestScopes: initial.hasRequestScopes,
    requestInCreation: initial.requestInCreation,
    capturesWithoutClient: initial.capturesWithoutClient,
    hasErrorHandler: initial.hasErrorHandler,
    observed: initial.observed,
    writesDiag: initial.writesDiag,
  });
}

function create() {
  return {
    /** The scope that applies to every event; holds the client of the last `init`. */
    globalScope: new Scope(),
    /** The scopes of code that runs outside of our contexts. */
    fallback: { isolation: new Scope(), current: new Scope() } as Scopes,
    /**
     * Scopes to use in a context that has none. Instrumentation begins a request with an empty context, and a context manager
     * other than ours leaves it empty: without these, requests would share the fallback scopes.
     */
    scopesOfEmptyContexts: new AsyncLocalStorage<Scopes>(),
    /** From a span to its local root. */
    localRoots: createPrivateSlot<LocalRoot>(),
    /** From a scope to the context that it was forked for. */
    forkContexts,
    /** The propagation contexts of `startNewTrace`, whose trace ids root spans reuse. */
    newTraces: new WeakSet<PropagationContext>(),
    /** Further local roots of spans that parts of several clients process. */
    furtherLocalRoots: new WeakMap<object, LocalRoot[]>(),
    /** From a request's isolation scope to the one in which the outermost request was started. */
    outermostScopes: createPrivateSlot<Scope>(),
    /** From an isolation scope to the outermost unit of work around it, an object that is only compared; `null` for several. */
    units: createPrivateSlot<object | null>(),
    /** By trace id; the oldest are forgotten. */
    unrecordedRequests: new RecentMap<string, LatestUnrecordedRequest>(MIN_UNRECORDED_REQUESTS),
    /** By the current scope in which the request began. */
    requestsOfForks: createPrivateSlot<LatestUnrecordedRequest>(),
    /** From a span that does not record to the request it was found to belong to. */
    requestsOfUnrecorded: createPrivateSlot<RequestIsolation>(),
    /** Whether any request has an isolation scope that its context may lack. */
    hasRequestScopes: false,
    /** Remote parents whose sampled flag carries no decision of the user's sampler. */
    undecidedParents: createPrivateSlot<true>(),
    /** From a remote parent to the span that already handles its request. */
    handlingSpans: createPrivateSlot<Span>(),
    /** Carriers into which trace headers were injected: their headers may not come from the application. */
    injectedCarriers: new WeakSet<object>(),
    /** The outgoing request under construction. */
    requestInCreation: undefined as RequestInCreation | undefined,
    /** Holds the context of the request whose listeners have thrown, until the exception is captured or caught. */
    throwingRequest: undefined as AsyncResource | undefined,
    /** From a session to the scope on which it was set. */
    sessionScopes,
    /** The OpenTelemetry parts created by this package. */
    parts: new WeakMap<object, RegisteredPart>(),
    /** The kinds of parts created so far. */
    partKinds: new Set<PartKind>(),
    /** Captures that found no client, until `init` reads their number. */
    capturesWithoutClient: 0,
    /** Whether the setup function of a web framework was called. */
    hasErrorHandler: false,
    /** Names of the peer's SDK that were used and have no effect, and what to do instead. */
    withoutEffect: new Map<string, string>(),
    /** Replaced by each `init`. */
    observed: createObservedSetup(),
    /** Whether what is logged to `diag` is written to stderr, because of `debug: true`. */
    writesDiag: false,
  };
}
