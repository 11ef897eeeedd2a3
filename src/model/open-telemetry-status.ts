/** Whose class something registered with the OTel API is; `none` where nothing is registered. */
export type OpenTelemetryOwner = 'faultline' | 'host' | 'none';

/** What suffers from a finding. */
export type AffectedFeature =
  | 'everything'
  | 'delivery'
  | 'transactions'
  | 'sampling'
  | 'scopes'
  | 'trace continuation'
  | 'exporters of the host';

/** What is registered for one of the globals of the OTel API. */
export interface OpenTelemetryGlobal {
  readonly owner: OpenTelemetryOwner;
  /** Name of its class; absent where nothing is registered. */
  readonly className?: string | undefined;
  /**
   * Names of Faultline's classes that are at work in it, itself included, each as often as it is there. `unknown` where
   * it does not let itself be looked into; nothing is concluded from it then.
   */
  readonly parts: readonly string[] | 'unknown';
}

/** Versions as in package.json; `unknown` where that cannot be found, for example in a bundle. */
export interface OpenTelemetryVersions {
  readonly faultline: string;
  /** Of the `@opentelemetry/api` that Faultline uses. */
  readonly api: string;
  /** Of the one that registered first, on which all others depend; absent while nothing is registered. */
  readonly registeredApi?: string | undefined;
  /** Of further copies in the process, as far as they are CommonJS modules. */
  readonly otherApis: readonly string[];
  /** Of the OTel SDK that Faultline uses. */
  readonly sdk: string;
  /** Of the OTel SDK that the registered tracer provider is of; absent where there is none. */
  readonly registeredSdk?: string | undefined;
}

/** Something that is wrong with the setup, or good to know about it. */
export interface OpenTelemetryFinding {
  /** In kebab-case; stable. */
  readonly code: string;
  readonly feature: AffectedFeature;
  readonly message: string;
  /** The line of code, or the command, that mends it. */
  readonly remedy: string;
}

/** Who owns the globals of OpenTelemetry, in which versions, and what is missing for which feature. */
export interface OpenTelemetryStatus {
  /** The tracer provider. */
  readonly trace: OpenTelemetryGlobal;
  /** The context manager. */
  readonly context: OpenTelemetryGlobal;
  /** The propagator. */
  readonly propagation: OpenTelemetryGlobal;
  readonly versions: OpenTelemetryVersions;
  /** What is wrong; empty with a correct setup. What follows from another problem of the list is left out. */
  readonly problems: readonly OpenTelemetryFinding[];
  /** What is as somebody may well want it, and still explains why something is not sent. */
  readonly notes: readonly OpenTelemetryFinding[];
}
