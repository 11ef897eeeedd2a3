import type { Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { guard } from '../../internal/guard.js';
import { readProperty } from '../../internal/values/read.js';

/** Catches what a user's span processor throws; OTel would pass it on to the code that starts or ends a span. */
export class GuardedSpanProcessor implements SpanProcessor {
  /** Absent when the inner processor has none: OTel checks for the method. */
  readonly onEnding?: (span: Span) => void;

  /** @param inner the user's processor; any value is tolerated */
  constructor(readonly inner: unknown) {
    if (typeof readProperty(inner, 'onEnding') === 'function') {
      this.onEnding = (span) => {
        this.#call('onEnding', span);
      };
    }
  }

  onStart(span: Span, parentContext: Context): void {
    this.#call('onStart', span, parentContext);
  }

  onEnd(span: ReadableSpan): void {
    this.#call('onEnd', span);
  }

  async forceFlush(): Promise<void> {
    await Promise.allSettled([this.#call('forceFlush')]);
  }

  async shutdown(): Promise<void> {
    await Promise.allSettled([this.#call('shutdown')]);
  }

  #call(method: keyof SpanProcessor, ...args: unknown[]): unknown {
    const run = readProperty(this.inner, method);
    if (typeof run !== 'function') return undefined;
    return guard(`${method} of a span processor`, () => run.apply(this.inner, args));
  }
}
