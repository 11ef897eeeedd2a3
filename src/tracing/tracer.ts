import { type ProxyTracerProvider, type Tracer, type TracerProvider, trace } from '@opentelemetry/api';
import { SDK_VERSION } from '../internal/version.js';

let tracer: Tracer | undefined;
let provider: TracerProvider | undefined;

/** The tracer of our own spans. Cached per provider: a look-up builds a key, and every span would pay for it. */
export function getTracer(): Tracer {
  const current = trace.getTracerProvider();
  const delegate = (current as Partial<ProxyTracerProvider>).getDelegate?.() ?? current;
  if (!tracer || delegate !== provider) {
    tracer = current.getTracer('faultline', SDK_VERSION);
    provider = delegate;
  }
  return tracer;
}
