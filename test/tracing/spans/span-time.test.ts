import { runInNewContext } from 'node:vm';
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import type { SpanTimeInput } from '../../../src/model/event/span-json.js';
import { hrTimeToSeconds, toOtelTime } from '../../../src/tracing/spans/span-time.js';
import fc from '../../support/fast-check.js';

describe('a span time', () => {
  it.each<[string, unknown, [number, number] | undefined]>([
    ['nothing is now', undefined, undefined],
    ['seconds', 1_700_000_000, [1_700_000_000, 0]],
    ['seconds with a fraction', 1_700_000_000.123456, [1_700_000_000, 123_456_000]],
    ['seconds that round up to the next one', 1.9999999, [2, 0]],
    ['the last number of seconds', 9_999_999_998, [9_999_999_998, 0]],
    ['the first number of milliseconds', 9_999_999_999, [9_999_999, 999_000_000]],
    ['milliseconds', 1_700_000_000_123, [1_700_000_000, 123_000_000]],
    ['milliseconds with a fraction', 1_700_000_000_123.5, [1_700_000_000, 123_500_000]],
    ['few seconds, which OTel would add to the start of the process', 1, [1, 0]],
    ['the epoch', 0, [0, 0]],
    ['a Date', new Date(1_700_000_000_123), [1_700_000_000, 123_000_000]],
    ['a Date of another realm', runInNewContext('new Date(1700000000123)'), [1_700_000_000, 123_000_000]],
    ['seconds and nanoseconds', [1_700_000_000, 123_456_789], [1_700_000_000, 123_456_789]],
    ['more nanoseconds than a second has', [1_700_000_000, 1_500_000_000], [1_700_000_001, 500_000_000]],
    ['an invalid Date is now', new Date(Number.NaN), undefined],
    ['NaN is now', Number.NaN, undefined],
    ['infinity is now', Number.POSITIVE_INFINITY, undefined],
    ['a time before the epoch is now', -1, undefined],
    ['a pair with a hole is now', [1, undefined], undefined],
    ['a pair with NaN is now', [Number.NaN, 0], undefined],
    ['three numbers are now', [1, 2, 3], undefined],
    ['text is now', '2023-11-14', undefined],
    ['null is now', null, undefined],
    ['a bigint is now', 1n, undefined],
    [
      'an array that throws is now',
      new Proxy([], {
        get: () => {
          throw new Error('no');
        },
      }),
      undefined,
    ],
  ])('%s', (_, input, expected) => {
    expect(toOtelTime(input as SpanTimeInput)).toEqual(expected);
  });

  it('is not the array of the caller', () => {
    const input: [number, number] = [1_700_000_000, 1];
    expect(toOtelTime(input)).not.toBe(input);
  });

  it('reaches an OTel span unchanged, be it in seconds, milliseconds, a pair or a Date', () => {
    const tracer = new BasicTracerProvider().getTracer('test');
    const seconds = 1_700_000_000.25;
    for (const startTime of [
      seconds,
      seconds * 1000,
      new Date(seconds * 1000),
      [1_700_000_000, 250_000_000] as const,
    ]) {
      const span = tracer.startSpan('work', { startTime: toOtelTime(startTime as SpanTimeInput) });
      span.end(toOtelTime(seconds + 1.5));
      const { startTime: started, endTime } = span as unknown as ReadableSpan;
      expect([hrTimeToSeconds(started), hrTimeToSeconds(endTime)]).toEqual([seconds, seconds + 1.5]);
    }
  });

  it('comes back as the same number of seconds for every moment that has whole microseconds', () => {
    const moment = fc.tuple(fc.integer({ min: 0, max: 4_000_000_000 }), fc.integer({ min: 0, max: 999_999 }));
    fc.assert(
      fc.property(moment, ([whole, micros]) => {
        const seconds = Number(`${whole}.${String(micros).padStart(6, '0')}`);
        expect(hrTimeToSeconds(toOtelTime(seconds)!)).toBe(seconds);
      }),
    );
  });

  it('is written with six decimals at most', () => {
    const nanos = fc.integer({ min: 0, max: 999_999_999 });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4_000_000_000 }), nanos, (seconds, nano) => {
        expect(JSON.stringify(hrTimeToSeconds([seconds, nano]))).toMatch(/^\d+(\.\d{1,6})?$/);
      }),
    );
  });
});

describe('a time of OpenTelemetry', () => {
  it.each<[[number, number], number]>([
    [[0, 0], 0],
    [[1_700_000_000, 123_456_499], 1_700_000_000.123456],
    [[1_700_000_000, 123_456_500], 1_700_000_000.123457],
    [[1_700_000_000, 999_999_999], 1_700_000_001],
  ])('%j is %d seconds', (time, seconds) => {
    expect(hrTimeToSeconds(time)).toBe(seconds);
  });
});
