import { AsyncLocalStorage } from 'node:async_hooks';

/** A request that a server handles, known to the async chain that begins with it. */
export interface OpenRequest {
  /** Whether a span was started for the request. */
  hasSpan: boolean;
  isOpen: boolean;
}

/**
 * Counters and flags that show whether the setup works, since the last `init`. Captures, requests and spans write them;
 * the health report reads them.
 */
export interface ObservedSetup {
  /** Captures that found no client, before `init`. */
  readonly capturesBeforeInit: number;
  /** What is wrong with the options of `init`, of integrations, and of what set frameworks up. */
  optionProblems: string[];
  /** Whether the rate for traces is that of `faultline dev`, beside an OpenTelemetry setup of the application. */
  isRateOfTool: boolean;
  /** What is wrong with the DSN, if it is invalid: "it has no public key". */
  dsnProblem: string | undefined;
  /** Requests that HTTP servers received, without ignored ones. */
  serverRequests: number;
  /** Whether a span without a parent in this process was started. */
  hasRoots: boolean;
  /** Finds the request of an async chain without the OTel context; only with `debug: true`, because it costs time. */
  readonly openRequest: AsyncLocalStorage<OpenRequest> | undefined;
  /** Class of the tracer provider that the application could not register, because `init` had registered one. */
  refusedProvider: string | undefined;
  /** The user code that lost events because it failed, and what the first failure was. */
  readonly failedHooks: Map<string, string>;
  /** How many roots began during a request without its context, by call site. */
  readonly lostRoots: Map<string, number>;
  /** The status of requests that were answered with 5xx and of which no error was captured, by transaction name. */
  readonly uncapturedFailures: Map<string, number>;
}

export function createObservedSetup(capturesBeforeInit = 0, isDebug = false): ObservedSetup {
  return {
    capturesBeforeInit,
    optionProblems: [],
    isRateOfTool: false,
    dsnProblem: undefined,
    serverRequests: 0,
    hasRoots: false,
    openRequest: isDebug ? new AsyncLocalStorage() : undefined,
    refusedProvider: undefined,
    failedHooks: new Map(),
    lostRoots: new Map(),
    uncapturedFailures: new Map(),
  };
}
