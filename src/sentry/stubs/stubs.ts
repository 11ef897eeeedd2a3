import { parameterize, uuid4, withIsolationScope } from '../../index.js';
import type { LogSeverityLevel } from '../types.js';
import { INSTEAD, missing, noteMissing } from './missing.js';

const LEVELS: readonly LogSeverityLevel[] = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

export const logger = {
  ...Object.fromEntries(LEVELS.map((level) => [level, missing(`logger.${level}`, INSTEAD.logs)])),
  fmt: parameterize,
} as Record<LogSeverityLevel, (message: string, attributes?: object, metadata?: object) => void> & {
  fmt: typeof parameterize;
};

type RecordMetric = (name: string, value?: number, options?: object) => void;

export const metrics: Record<'count' | 'gauge' | 'distribution', RecordMetric> = {
  count: missing('metrics.count', INSTEAD.metrics) as RecordMetric,
  gauge: missing('metrics.gauge', INSTEAD.metrics) as RecordMetric,
  distribution: missing('metrics.distribution', INSTEAD.metrics) as RecordMetric,
};

export const profiler = {
  startProfiler: missing('profiler.startProfiler', INSTEAD.profiles),
  stopProfiler: missing('profiler.stopProfiler', INSTEAD.profiles),
};

/** @returns an id, as the peer does; nothing is sent */
export function captureCheckIn(_checkIn: object, _monitorConfig?: object): string {
  noteMissing('captureCheckIn', INSTEAD.checkIns);
  return uuid4();
}

/** Runs the callback in its own isolation scope; sends no check-ins. */
export function withMonitor<T>(_monitorSlug: string, callback: () => T, _monitorConfig?: object): T {
  noteMissing('withMonitor', INSTEAD.checkIns);
  return withIsolationScope(() => callback());
}

export function createLangChainCallbackHandler(_options?: object): object {
  noteMissing('createLangChainCallbackHandler', INSTEAD.spans);
  return {};
}

export function createConsolaReporter(_options?: object): { log(entry: object): void } {
  noteMissing('createConsolaReporter', INSTEAD.logs);
  return { log: () => undefined };
}

export function buildLaunchDarklyFlagUsedHandler(): {
  name: string;
  type: string;
  synchronous: boolean;
  method(): void;
} {
  noteMissing('buildLaunchDarklyFlagUsedHandler', INSTEAD.flags);
  return { name: 'faultline', type: 'flag-used', synchronous: true, method: () => undefined };
}

/** A hook without effect. */
export class OpenFeatureIntegrationHook {
  constructor() {
    noteMissing('OpenFeatureIntegrationHook', INSTEAD.flags);
  }
}

export function disableAnrDetectionForCallback<T>(callback: () => T): T {
  noteMissing('disableAnrDetectionForCallback', 'There is no such detection');
  return callback();
}

export function getSpanDescendants<T>(span: T): T[] {
  noteMissing('getSpanDescendants', 'beforeSendTransaction sees the spans of a transaction');
  return [span];
}

export function createGetModuleFromFilename(): (filename?: string) => undefined {
  return () => undefined;
}

export function isDiagnosticsChannelInjectionEnabled(): boolean {
  return false;
}

export function diagnosticsChannelInjectionIntegrations(): [] {
  return [];
}
