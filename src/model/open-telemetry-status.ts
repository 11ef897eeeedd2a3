/** Who created an object registered with the OTel API; `none` if nothing is registered. */
export type OpenTelemetryOwner = 'faultline' | 'application' | 'none';

/** The feature that a finding affects. */
export type AffectedFeature =
  | 'everything'
  | 'delivery'
  | 'errors'
  | 'transactions'
  | 'sampling'
  | 'scopes'
  | 'trace continuation'
  | 'instrumentation'
  | 'existing exporters';

/** One of the globals of the OTel API. */
export interface OpenTelemetryGlobal {
  readonly owner: OpenTelemetryOwner;
  /** Name of its class; absent when nothing is registered. */
  readonly className?: string | undefined;
  /**
   * Names of Faultline's classes in the object, including itself; duplicates are listed twice. `unknown` if the object
   * cannot be inspected; then no problem is reported about it.
   */
  readonly parts: readonly string[] | 'unknown';
}

/** Versions as in package.json; `unknown` if it cannot be found, for example in a bundle. */
export interface OpenTelemetryVersions {
  readonly faultline: string;
  /** Version of the `@opentelemetry/api` that Faultline uses. */
  readonly api: string;
  /**
   * Version of the copy that registered first; other copies must be compatible with it. Absent while nothing is
   * registered.
   */
  readonly registeredApi?: string | undefined;
  /** Versions of further CommonJS copies in the process; copies that are ES modules cannot be found. */
  readonly otherApis: readonly string[];
  /** Version of the OTel SDK that Faultline uses. */
  readonly sdk: string;
  /** Version of the OTel SDK of the registered tracer provider; absent if there is none. */
  readonly registeredSdk?: string | undefined;
}

/** A problem of the setup, or a note about it. */
export interface OpenTelemetryFinding {
  /** In kebab-case; stable. */
  readonly code: string;
  readonly feature: AffectedFeature;
  readonly message: string;
  /** The line of code, or the command, that fixes it. */
  readonly remedy: string;
}

/** Who registered OpenTelemetry's globals, which versions are loaded, and which features lack what. */
export interface OpenTelemetryStatus {
  /** The tracer provider. */
  readonly trace: OpenTelemetryGlobal;
  /** The context manager. */
  readonly context: OpenTelemetryGlobal;
  /** The propagator. */
  readonly propagation: OpenTelemetryGlobal;
  readonly versions: OpenTelemetryVersions;
  /** Empty for a correct setup. Lists only causes, not their consequences. */
  readonly problems: readonly OpenTelemetryFinding[];
  /** Possibly intended settings that explain why data is not sent. */
  readonly notes: readonly OpenTelemetryFinding[];
}
