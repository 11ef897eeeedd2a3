import { type Context, createContextKey, type TextMapGetter } from '@opentelemetry/api';
import { guard } from '../../internal/guard.js';
import { isOwnRequest } from '../../model/delivery/own-requests.js';

const KEY = createContextKey('faultline envelope request');

/** Marks the context of a request that brings envelopes, and so gets no transaction. */
export function markEnvelopeRequest(context: Context, carrier: unknown, getter: TextMapGetter): Context {
  const isEnvelope = () => isOwnRequest(getter.get(carrier, 'content-type'));
  return guard('the getter of a carrier', isEnvelope, false) ? context.setValue(KEY, true) : context;
}

export function isEnvelopeRequest(context: Context): boolean {
  return context.getValue(KEY) === true;
}
