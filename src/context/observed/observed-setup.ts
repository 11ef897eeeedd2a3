import { AsyncLocalStorage } from 'node:async_hooks';

/** A request that a server handles, known to the async chain that begins with it. */
export interface OpenRequest {
  /** Whether a span was started for the request. */
  hasSpan: boolean;
  isOpen: boolean;
}

export type ObservedSetup = ReturnType<typeof createObservedSetup>;

/**
 * Counters and flags that show whether the setup works, since the last `init`. Captures, requests and spans write them;
 * the health report reads them.
 *
 * @param capturesBeforeInit captures that found no client, before `init`
 */
export function createObservedSetup(capturesBeforeInit = 0, isDebug = false) {
  return {
    capturesBeforeInit,
    /** Mistakes in the options of `init`, of integrations and of setup functions. */
    optionProblems: [] as string[],
    /** Whether the rate for traces is that of `faultline dev`, beside an OpenTelemetry setup of the application. */
    isRateOfTool: false,
    /** What is wrong with the DSN, if it is invalid: "it has no public key". */
    dsnProblem: undefined as string | undefined,
    /** Requests that HTTP servers received, without ignored ones. */
    serverRequests: 0,
    /** Whether a span without a parent in this process was started. */
    hasRoots: false,
    /** Whether our API has begun a span that is not recorded: sampled out, or without a tracer provider. */
    hasUnrecordedSpans: false,
    /** Finds the request of an async chain without the OTel context; only with `debug: true`, because it costs time. */
    openRequest: isDebug ? new AsyncLocalStorage<OpenRequest>() : undefined,
    /** Class of the tracer provider that the application could not register, because `init` had registered one. */
    refusedProvider: undefined as string | undefined,
    /** User code that failed and so lost events, with its first failure. */
    failedHooks: new Map<string, string>(),
    /** Number of roots that started during a request without its context, by call site. */
    lostRoots: new Map<string, number>(),
    /** Number of captured errors outside of requests and jobs. */
    errors: 0,
    /** Whether an error of any request was captured, or declined by one of our error handlers. */
    hasRequestErrors: false,
    /** Status of requests that were answered with 5xx without a captured error, by transaction name. */
    uncapturedFailures: new Map<string, number>(),
    /** Whether the first of them with status 500 was seen: it may be written to stderr. */
    isFailureWatched: false,
  };
}
