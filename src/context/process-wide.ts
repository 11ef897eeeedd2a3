import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span, SpanContext } from '@opentelemetry/api';
import { readProperty, readString } from '../internal/read.js';
import { RecentMap } from '../internal/recent-map.js';
import { SDK_MAJOR, SDK_VERSION } from '../internal/version.js';
import type { InnerClient } from '../model/inner-client.js';
import { type ForkContexts, forkContexts, Scope } from '../model/scope.js';
import type { Session } from '../model/session.js';
import type { PropagationContext } from '../model/trace.js';
import { type LocalRoot, LocalRootSlot, type RequestIsolation } from './local-root.js';
import type { CreatedRequest } from './outgoing.js';
import type { Scopes } from './scoped-context.js';

/**
 * Everything that the SDK keeps for the whole process; all other state belongs to a client. It is in one slot on
 * `globalThis` named by the major version, so that several copies of this package (of one version or of two, bundled,
 * imported or loaded anew) have the same scopes and the same client.
 */
export interface ProcessWide {
  /** The scope that applies to every event; knows the client that `init` made last. */
  readonly globalScope: Scope;
  /** The scopes of code that runs in no context of ours. */
  readonly fallback: Scopes;
  /**
   * The scopes around code that runs in a context without any. Instrumentation begins a request with an empty context,
   * and a context manager that is not ours leaves it empty: without this, requests would share the fallback scopes.
   */
  readonly around: AsyncLocalStorage<Scopes>;
  /** From a span to its local root. */
  readonly localRoots: Pick<typeof LocalRootSlot, 'get' | 'set'>;
  /** From a scope to the context that it was forked for. */
  readonly forkContexts: ForkContexts;
  /** The propagation contexts of `startNewTrace`, whose trace ids root spans take over. */
  readonly newTraces: WeakSet<PropagationContext>;
  /** The further local roots of spans that pass through parts of several clients. */
  readonly furtherLocalRoots: WeakMap<object, LocalRoot[]>;
  /** From the isolation scope of a request to that in which the outermost request was started. */
  readonly outermostScopes: WeakMap<Scope, Scope>;
  /** By trace id: the requests whose root does not record; the oldest are forgotten. */
  readonly unrecordedRequests: RecentMap<string, RequestIsolation>;
  /** Whether any request was given an isolation scope that its context may lack. */
  hasRequestScopes: boolean;
  /** Remote parents whose sampled flag says nothing of what the user's sampler has decided. */
  readonly undecidedParents: WeakSet<SpanContext>;
  /** From a remote parent to the span that handles its request already. */
  readonly handlingSpans: WeakMap<SpanContext, Span>;
  /** Carriers that trace headers were injected into: what is in them need not come from the application. */
  readonly injectedCarriers: WeakSet<object>;
  /** The outgoing request that is being created right now. */
  createdRequest: CreatedRequest | undefined;
  /** The scope on which a session was started, to tell it from one that a fork has inherited. */
  readonly sessionScopes: WeakMap<Session, Scope>;
  /** The OpenTelemetry parts of this package. */
  readonly parts: WeakMap<object, RegisteredPart>;
  /** The kinds of parts that were ever made. */
  readonly partKinds: Set<PartKind>;
}

export type PartKind =
  | 'FaultlineSampler'
  | 'FaultlineSpanProcessor'
  | 'FaultlineSpanExporter'
  | 'FaultlinePropagator'
  | 'FaultlineContextManager'
  | 'FaultlineTracerProvider';

export interface RegisteredPart {
  readonly kind: PartKind;
  /** The one client that the part was made for; absent where it serves the current one. */
  readonly client: InnerClient | undefined;
}

const MIN_UNRECORDED_REQUESTS = 5000;

const SLOT = Symbol.for(`faultline.v${SDK_MAJOR}`);

let found: ProcessWide | undefined;

/** What the copies of this package share. */
export function processWide(): ProcessWide {
  found ??= findOrCreate();
  return found;
}

function findOrCreate(): ProcessWide {
  const slots = globalThis as { [SLOT]?: Partial<ProcessWide> };
  const present = slots[SLOT];
  // A copy of another minor version may have made the slot without the members that came later.
  if (present) return Object.assign(present, { ...create(), ...present });
  const created = create();
  // Where `globalThis` is frozen, this copy keeps to itself.
  Reflect.defineProperty(globalThis, SLOT, { value: created });
  return created;
}

function create(): ProcessWide {
  return {
    globalScope: new Scope(),
    fallback: { isolation: new Scope(), current: new Scope() },
    around: new AsyncLocalStorage(),
    localRoots: LocalRootSlot,
    forkContexts,
    newTraces: new WeakSet(),
    furtherLocalRoots: new WeakMap(),
    outermostScopes: new WeakMap(),
    unrecordedRequests: new RecentMap(MIN_UNRECORDED_REQUESTS),
    hasRequestScopes: false,
    undecidedParents: new WeakSet(),
    handlingSpans: new WeakMap(),
    injectedCarriers: new WeakSet(),
    createdRequest: undefined,
    sessionScopes: new WeakMap(),
    parts: new WeakMap(),
    partKinds: new Set(),
  };
}

/** For copies of all major versions, so that those which share nothing know of each other. */
const COPIES = Symbol.for('faultline.copies');

/** A development server that loads modules anew makes copies without end. */
const MAX_COPIES = 10;

const SELF = Object.freeze({ version: SDK_VERSION, url: import.meta.url });

/** Remembers, for all copies of this package, that this one is in use. */
export function registerInstance(): void {
  const copies = registeredCopies();
  if (copies && copies.size < MAX_COPIES) copies.add(SELF);
}

/** The versions of all copies of this package that are in use in the process, this one included. */
export function versionsInUse(): string[] {
  return Array.from(registeredCopies() ?? [], (copy) => readString(copy, 'version') ?? 'unknown');
}

function registeredCopies(): Set<unknown> | undefined {
  const present = readProperty(globalThis, COPIES);
  if (present !== undefined) return present instanceof Set ? present : undefined;
  const copies = new Set<unknown>();
  return Reflect.defineProperty(globalThis, COPIES, { value: copies }) ? copies : undefined;
}
