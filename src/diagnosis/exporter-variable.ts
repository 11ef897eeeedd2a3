/** The variable by which `NodeSDK` would make an exporter. */
export function exporterVariableIn(env: NodeJS.ProcessEnv): string | undefined {
  const names = env['OTEL_TRACES_EXPORTER']?.trim();
  if (names) return names === 'none' ? undefined : 'OTEL_TRACES_EXPORTER';
  return ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'].find((name) => env[name]?.trim());
}
