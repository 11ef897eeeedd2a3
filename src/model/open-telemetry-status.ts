/** Who made an object that is registered with the OTel API; `none` when nothing is registered. */
export type OpenTelemetryOwner = 'faultline' | 'host' | 'none';

/** The feature that a finding affects. */
export type AffectedFeature =
  | 'everything'
  | 'delivery'
  | 'transactions'
  | 'sampling'
  | 'scopes'
  | 'trace continuation'
  | 'exporters of the host';

/** One of the globals of the OTel API. */
export interface OpenTelemetryGlobal {
  readonly owner: OpenTelemetryOwner;
  /** Name of its class; absent when nothing is registered. */
  readonly className?: string | undefined;
  /**
   * Names of Faultline's classes in it, itself included; a class that is there twice is listed twice. `unknown` when the
   * object cannot be inspected; no problem is then reported about it.
   */
  readonly parts: readonly string[] | 'unknown';
}

/** Versions as in package.json; `unknown` when that cannot be found, for example in a bundle. */
export interface OpenTelemetryVersions {
  readonly faultline: string;
  /** Of the `@opentelemetry/api` that Faultline uses. */
  readonly api: string;
  /** Of the copy that registered first; other copies must be compatible with it. Absent while nothing is registered. */
  readonly registeredApi?: string | undefined;
  /** Of further CommonJS copies in the process; copies that are ES modules cannot be found. */
  readonly otherApis: readonly string[];
  /** Of the OTel SDK that Faultline uses. */
  readonly sdk: string;
  /** Of the OTel SDK of the registered tracer provider; absent when there is none. */
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

/** Who registered OpenTelemetry's globals, which versions are loaded, and what is missing for which feature. */
export interface OpenTelemetryStatus {
  /** The tracer provider. */
  readonly trace: OpenTelemetryGlobal;
  /** The context manager. */
  readonly context: OpenTelemetryGlobal;
  /** The propagator. */
  readonly propagation: OpenTelemetryGlobal;
  readonly versions: OpenTelemetryVersions;
  /** Empty for a correct setup. Only causes are listed, not what follows from them. */
  readonly problems: readonly OpenTelemetryFinding[];
  /** What may be intended, and explains why something is not sent. */
  readonly notes: readonly OpenTelemetryFinding[];
}
