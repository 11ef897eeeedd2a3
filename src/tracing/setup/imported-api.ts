import type { ProxyTracerProvider, TraceAPI, TracerProvider } from '@opentelemetry/api';

/**
 * From 1.10 on, `import` loads another instance of the API than `require`, which is what the built package uses. Both find
 * globals that are registered later, but a tracer that the application got earlier asks only the instance it came from.
 * So the ES module in front of the package passes the imported instance on.
 */
let imported: TraceAPI | undefined;

/** Called when the package is imported. */
export function noteImportedApi(trace: TraceAPI): void {
  imported = trace;
}

export function getImportedApi(): TraceAPI | undefined {
  return imported;
}

/** Lets tracers of the imported API that were made before use this provider. Called before it is registered. */
export function serveImportedTracers(provider: TracerProvider): void {
  const early = imported?.getTracerProvider() as Partial<ProxyTracerProvider> | undefined;
  early?.setDelegate?.(provider);
}
