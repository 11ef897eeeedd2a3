/** What to do instead of features of the peer's SDK that Faultline does not have. */
export const INSTEAD_OF_FEATURES = {
  logs: 'Send logs with OpenTelemetry, or capture them with captureConsoleIntegration',
  metrics: 'Record metrics with OpenTelemetry',
  profiles: 'Use a profiler such as node --cpu-prof',
} as const;

const { logs, metrics, profiles } = INSTEAD_OF_FEATURES;

/** Options of the peer's SDK that have no effect here, and what to do instead. */
export const WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  profilesSampleRate: profiles,
  profilesSampler: profiles,
  profileSessionSampleRate: profiles,
  profileLifecycle: profiles,
  enableLogs: logs,
  beforeSendLog: logs,
  enableMetrics: metrics,
  beforeSendMetric: metrics,
  dataCollection: 'Use sendDefaultPii and scrubbing',
  stackParser: 'Stacks are parsed as Node writes them',
  ignoreSentryErrors: 'Use ignoreErrors',
};
