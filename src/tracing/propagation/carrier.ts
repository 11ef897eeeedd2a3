import type { TextMapSetter } from '@opentelemetry/api';
import { processWide } from '../../context/process-wide.js';
import { BAGGAGE, SENTRY_TRACE } from '../../context/trace/trace-headers.js';
import { guard } from '../../internal/guard.js';
import { isObject } from '../../internal/values/read.js';

/**
 * Keeps the `baggage` that another propagator writes, so that ours can be merged into it. Not every carrier can be read
 * back, and writing a second value may replace the first or be added beside it.
 */
export class BaggageHolder implements TextMapSetter {
  baggage: string | undefined;
  readonly #setter: TextMapSetter;

  constructor(setter: TextMapSetter) {
    this.#setter = setter;
  }

  set(carrier: unknown, key: string, value: string): void {
    if (key.toLowerCase() === BAGGAGE) this.baggage = value;
    else this.#setter.set(carrier, key, value);
  }
}

/** Called after trace headers were written to a carrier. */
export function rememberCarrier(carrier: unknown): void {
  if (isObject(carrier)) processWide().injectedCarriers.add(carrier);
}

/** Whether the application, or other instrumentation, has put a trace into a carrier. */
export function hasForeignTrace(carrier: unknown): boolean {
  return headerIn(carrier, SENTRY_TRACE) !== undefined && !processWide().injectedCarriers.has(carrier as object);
}

/**
 * Value of a header that is already in a carrier. Plain objects and anything with `get` (`Headers`, `Map`) can be read.
 *
 * @param name in lower case; plain objects may spell it in any case
 */
export function headerIn(carrier: unknown, name: string): string | undefined {
  return guard('a carrier', () => readHeader(carrier, name));
}

function readHeader(carrier: unknown, name: string): string | undefined {
  if (!isObject(carrier)) return undefined;
  const { get } = carrier as { get?: unknown };
  const key = typeof get === 'function' ? name : Object.keys(carrier).find((one) => one.toLowerCase() === name);
  if (key === undefined) return undefined;
  const value: unknown = typeof get === 'function' ? get.call(carrier, key) : Reflect.get(carrier, key);
  // The `Metadata` of gRPC has an empty list for what it does not have, and the headers of NATS an empty string.
  const text = Array.isArray(value) ? value.join(',') : value;
  return typeof text === 'string' && text !== '' ? text : undefined;
}
