import { INVALID_SPAN_CONTEXT, type Span, trace } from '@opentelemetry/api';

/** Key for code outside of all spans. */
const OUTSIDE = {};
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const thrown = new WeakMap<object, Set<unknown>>();

/**
 * Remembers a primitive that was captured when it left a span's callback. Equal primitives need not be the same error,
 * so it is remembered only where this one can surface: in the surrounding span and, for its rejection, in the span
 * itself.
 *
 * @param around the span that was active around `span`
 */
export function noteThrown(error: unknown, span: Span, around: Span | undefined): void {
  if ((typeof error === 'object' && error !== null) || typeof error === 'function') return;
  note(span, error);
  note(around ?? OUTSIDE, error);
  // All code outside of spans shares this key, so entries are only valid during this turn of the event loop.
  if (!around) forgetAfterTurn(OUTSIDE);
}

/** Like {@link noteThrown}, for a primitive that was captured where it was caught and is then rethrown. */
export function noteThrownOn(error: unknown): void {
  noteThrown(error, trace.getActiveSpan() ?? NO_SPAN, undefined);
}

/** Whether an equal primitive was thrown into the caller's active span. */
export function wasThrown(primitive: unknown): boolean {
  const place = trace.getActiveSpan() ?? OUTSIDE;
  if (!thrown.get(place)?.has(primitive)) return false;
  forgetAfterTurn(place);
  return true;
}

function note(place: object, primitive: unknown): void {
  const present = thrown.get(place);
  if (present) present.add(primitive);
  else thrown.set(place, new Set([primitive]));
}

function forgetAfterTurn(place: object): void {
  setImmediate(() => thrown.delete(place)).unref();
}
