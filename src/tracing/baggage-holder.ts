import type { TextMapSetter } from '@opentelemetry/api';

export const BAGGAGE = 'baggage';

/**
 * Holds the `baggage` of another propagator back, so that ours can be added: what a carrier makes of a value cannot be
 * read again, and a second value may take the place of the first or stand beside it.
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

/** The header that the application has put into a carrier by itself, where that is a plain object. */
export function presentBaggage(carrier: unknown): string | undefined {
  const present = (carrier as { [BAGGAGE]?: unknown } | null | undefined)?.[BAGGAGE];
  if (Array.isArray(present)) return present.join(',');
  return typeof present === 'string' ? present : undefined;
}
