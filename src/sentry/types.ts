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
