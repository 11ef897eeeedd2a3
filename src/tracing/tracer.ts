import { type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import { SDK_VERSION } from '../internal/version.js';

let tracer: Tracer | undefined;
let tracerOf: TracerProvider | undefined;

/** The tracer of our own spans. Cached per provider: a look-up builds a key, and every span would pay for it. */
export function getTracer(): Tracer {
  const provider = trace.getTracerProvider();
  if (!tracer || provider !== tracerOf) {
    tracer = provider.getTracer('faultline', SDK_VERSION);
    tracerOf = provider;
  }
  return tracer;
}
