import { INVALID_SPAN_CONTEXT, type Span, trace } from '@opentelemetry/api';

/** Stands for what is around the outermost spans. */
const OUTSIDE = {};
const NO_SPAN = trace.wrapSpanContext(INVALID_SPAN_CONTEXT);

const thrown = new WeakMap<object, Set<unknown>>();

/**
 * Remembers a primitive that has left the callback of a span, and was captured there. Equal primitives need not be the
 * same error, so it is remembered for the places that this one can come to: what is around the span, and, as the
 * context of its rejection, the span itself.
 *
 * @param around the span that was active around the given one
 */
export function noteThrown(error: unknown, span: Span, around: Span | undefined): void {
  if ((typeof error === 'object' && error !== null) || typeof error === 'function') return;
  note(span, error);
  note(around ?? OUTSIDE, error);
  // There everything meets, so that only what is still on its way in this turn of the event loop counts.
  if (!around) forgetAfterTurn(OUTSIDE);
}

/** As {@link noteThrown}, for a primitive that was captured where it was caught and is thrown on from there. */
export function noteThrownOn(error: unknown): void {
  noteThrown(error, trace.getActiveSpan() ?? NO_SPAN, undefined);
}

/** Whether an equal primitive was thrown to where the caller is now. */
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
