import type { Stacktrace } from '../index.js';
import type { Integration } from './integration.js';

export type LogSeverityLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'fatal';

/** A log record; Faultline sends none. */
export interface Log {
  level: LogSeverityLevel;
  message: string;
  attributes?: Record<string, unknown>;
  severityNumber?: number;
}

/** A metric; Faultline sends none. */
export interface Metric {
  name: string;
  value: number;
  type: 'counter' | 'gauge' | 'distribution';
  unit?: string;
  attributes?: Record<string, unknown>;
}

/** A thread of an event. */
export interface Thread {
  id?: number | string;
  name?: string;
  main?: boolean;
  stacktrace?: Stacktrace;
  crashed?: boolean;
  current?: boolean;
}

export interface FeatureFlagsIntegration extends Integration {
  addFeatureFlag(name: string, value: unknown): void;
}

export interface NodeRuntimeMetricsOptions {
  collectionIntervalMs?: number;
}

/** Which layers of Express have no spans; Faultline makes no spans for layers. */
export interface ExpressIntegrationOptions {
  ignoreLayers?: (string | RegExp | ((name: string) => boolean))[];
  ignoreLayersType?: ('router' | 'middleware' | 'request_handler')[];
  shouldHandleError?: ((error: Error) => boolean) | false;
}

/** Which jobs send no check-ins; Faultline sends none. */
export interface CronJobIntegrationOptions {
  excludeJobs?: (string | RegExp)[];
}

export type NodeCronIntegrationOptions = CronJobIntegrationOptions;
export type NodeScheduleIntegrationOptions = CronJobIntegrationOptions;

/** The part of a request by which it is known to be for the tunnel. */
export interface TunnelRequestLike {
  method?: string;
  url?: string;
}

/** Where browsers send their envelopes; Faultline forwards none. */
export interface ServerTunnelOptions {
  path?: string;
  basePath?: string;
  allowedDsns?: string[];
  intercept?: boolean;
}

export interface HandleTunnelRequestOptions {
  request: Request;
  allowedDsns?: string[];
}
