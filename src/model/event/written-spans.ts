import type { SpanJSON } from './span-json.js';

/**
 * The JSON of a transaction's spans in place of their list, so that no object is made of a span that nothing reads.
 * `withOwnParts` makes the list for user code.
 */
export class WrittenSpans {
  private constructor(
    readonly json: string,
    readonly length: number,
  ) {}

  /** @param json a list of `length` spans, within the limits of normalization */
  static create(json: string, length: number): SpanJSON[] {
    return new WrittenSpans(json, length) as unknown as SpanJSON[];
  }

  static is(spans: unknown): spans is WrittenSpans {
    return spans instanceof WrittenSpans;
  }

  toJSON(): SpanJSON[] {
    return JSON.parse(this.json) as SpanJSON[];
  }
}
