import type { SpanJSON } from './span-json.js';

/**
 * The spans of a transaction as JSON, in place of their list: no object is made of a span that nobody looks at. Steps and
 * user code that look at spans get a list.
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
