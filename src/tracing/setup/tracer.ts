import { type ProxyTracerProvider, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import { isPartOfKind } from '../../context/parts.js';
import { SDK_VERSION } from '../../internal/version.js';
import { registeredTracerProvider } from './api-globals.js';

let tracer: Tracer | undefined;
let provider: TracerProvider | undefined;
let isOfApplication = false;

/** The tracer of our own spans. Cached per provider: a lookup builds a key, and every span would pay for it. */
export function getTracer(): Tracer {
  const current = trace.getTracerProvider();
  const delegate = (current as Partial<ProxyTracerProvider>).getDelegate?.() ?? current;
  if (!tracer || delegate !== provider) {
    tracer = current.getTracer('faultline', SDK_VERSION);
    provider = delegate;
    const registered = registeredTracerProvider();
    isOfApplication = registered !== undefined && !isPartOfKind(registered, 'FaultlineTracerProvider');
  }
  return tracer;
}

/** Whether spans go to a provider of the application, with or without `skipOpenTelemetrySetup`. */
export function hasProviderOfApplication(): boolean {
  getTracer();
  return isOfApplication;
}
