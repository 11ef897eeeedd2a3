import type { Span } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import type { InnerClient } from '../model/inner-client.js';
import type { Scope } from '../model/scope.js';
import type { TransactionSource } from '../model/span-json.js';
import type { DynamicSamplingContext } from '../model/trace.js';

/** What is known of the decision about a trace, and told to services downstream. */
export interface TraceDecision {
  /** `undefined` leaves the decision to services downstream. */
  readonly sampled: boolean | undefined;
  /** The rate that decided, where one was applied here. */
  readonly sampleRate?: number | undefined;
  /** The trace's random number in [0, 1). */
  readonly sampleRand: number;
  /** The dynamic sampling context that came in with the trace, passed on unchanged. */
  readonly incoming?: DynamicSamplingContext | undefined;
}

/** The isolation scope of a request or message, which begins with a local root of kind SERVER or CONSUMER. */
export interface RequestIsolation {
  /** The isolation scope in which the root was started. */
  readonly outer: Scope;
  /** The isolation scope in which the outermost request was started, where this one began within others. */
  readonly outermost: Scope;
  /** The isolation scope in which the request is handled. */
  readonly own: Scope;
}

/** The first span of a trace in this process, and what was decided there for all spans below it. */
export interface LocalRoot extends TraceDecision {
  readonly span: Span;
  /** Whose transaction the root becomes. */
  readonly client: InnerClient;
  /** The client that the part which saw the root was made for; `undefined` where that serves the current client. */
  readonly owner: InnerClient | undefined;
  /** Whether the spans below the root are recorded for the client. */
  readonly isRecorded: boolean;
  /** Whether the rate decided about another root of this process, and not about this one. */
  readonly isRateInherited: boolean;
  /** The scopes of the root's start. */
  readonly current: Scope;
  readonly isolation: Scope;
  /** Present where the root begins a request or message. */
  readonly request?: RequestIsolation | undefined;
  /**
   * The root's name as it is now.
   *
   * @param route of the request that the root handles, if it is known; counts while the root names no route itself
   */
  describe(route?: string): { description: string; source: TransactionSource };
  /** Counts the root itself or a span below it, when it has started. */
  begin(): void;
  /** Takes the root itself or a span below it, when it has ended. */
  add(span: ReadableSpan): void;
}

/** Makes the constructor below put its private field on an object that exists already. */
class ExistingObject {
  constructor(object: object) {
    // biome-ignore lint/correctness/noConstructorReturn: this is the whole point
    return object;
  }
}

/**
 * A private slot on a span: seen by nobody else, not even by reflection, and gone with the span. Twenty times cheaper
 * than an entry in a WeakMap, which the garbage collector would have to visit as well.
 */
export class LocalRootSlot extends ExistingObject {
  #root: LocalRoot;

  constructor(span: object, root: LocalRoot) {
    super(span);
    this.#root = root;
  }

  static get(span: object): LocalRoot | undefined {
    return #root in span ? span.#root : undefined;
  }

  static set(span: object, root: LocalRoot): void {
    if (#root in span) span.#root = root;
    else new LocalRootSlot(span, root);
  }
}
