import type { ProxyTracerProvider, TraceAPI, TracerProvider } from '@opentelemetry/api';

/**
 * From API 1.10 on, `import` and `require` load different instances of the API; the built package uses `require`. Both find
 * globals that are registered later, but a tracer that the application already has asks only the instance it came from.
 * So the package's ES module, which imports the API, passes that instance on.
 */
let imported: TraceAPI | undefined;

/** Called when the package is imported. */
export function noteImportedApi(trace: TraceAPI): void {
  imported = trace;
}

export function getImportedApi(): TraceAPI | undefined {
  return imported;
}

/** Lets existing tracers of the imported API use this provider. Called before it is registered. */
export function serveImportedTracers(provider: TracerProvider): void {
  const early = imported?.getTracerProvider() as Partial<ProxyTracerProvider> | undefined;
  early?.setDelegate?.(provider);
}
