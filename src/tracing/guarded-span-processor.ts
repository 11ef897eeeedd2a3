import type { Context } from '@opentelemetry/api';
import type { ReadableSpan, Span, SpanProcessor } from '@opentelemetry/sdk-trace-base';
import { guard } from '../internal/guard.js';
import { readProperty } from '../internal/read.js';

/** A span processor of the host whose failure is its own: OTel lets it throw into whoever starts or ends a span. */
export class GuardedSpanProcessor implements SpanProcessor {
  /** Absent where the host's has none, as OTel looks whether anybody wants to know. */
  readonly onEnding?: (span: Span) => void;

  /** @param inner the host's, which may be anything */
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
    await settled(this.#call('forceFlush'));
  }

  async shutdown(): Promise<void> {
    await settled(this.#call('shutdown'));
  }

  #call(method: keyof SpanProcessor, ...args: unknown[]): unknown {
    const run = readProperty(this.inner, method);
    if (typeof run !== 'function') return undefined;
    return guard(`${method} of a span processor`, () => run.apply(this.inner, args), undefined);
  }
}

async function settled(pending: unknown): Promise<void> {
  try {
    await pending;
  } catch {
    // Reported already.
  }
}
