import { type Context, createContextKey, type TextMapGetter } from '@opentelemetry/api';
import { guard } from '../../internal/guard.js';
import { ENVELOPE_CONTENT_TYPE } from '../../model/delivery/envelope.js';

const KEY = createContextKey('faultline envelope request');

/**
 * Marks the context of a request that brings an envelope, for example to a tunnel. A process that receives its own
 * envelopes would make transactions of these requests forever.
 */
export function markEnvelopeRequest(context: Context, carrier: unknown, getter: TextMapGetter): Context {
  const isEnvelope = () => getter.get(carrier, 'content-type') === ENVELOPE_CONTENT_TYPE;
  return guard('the getter of a carrier', isEnvelope, false) ? context.setValue(KEY, true) : context;
}

export function isEnvelopeRequest(context: Context): boolean {
  return context.getValue(KEY) === true;
}
