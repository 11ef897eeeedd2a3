import { describe, expect, it } from 'vitest';
import {
  formatDsc,
  formatSentryTrace,
  formatTraceparent,
  type HeaderValue,
  mergeBaggage,
  parseBaggageDsc,
  parseSentryTrace,
  parseTraceparent,
} from '../../../src/context/trace/trace-headers.js';
import fc from '../../support/fast-check.js';

const T = '0af7651916cd43dd8448eb211c80319c';
const S = 'b7ad6b7169203331';
const ZEROS = '0'.repeat(32);

const hex = (length: number) =>
  fc.stringMatching(new RegExp(`^[0-9a-f]{${length}}$`)).filter((text) => !/^0+$/.test(text));
const decision = fc.constantFrom(undefined, true, false);

describe('a sentry-trace header', () => {
  it.each<[string, HeaderValue, ReturnType<typeof parseSentryTrace>]>([
    ['sampled', `${T}-${S}-1`, { traceId: T, parentSpanId: S, sampled: true }],
    ['not sampled', `${T}-${S}-0`, { traceId: T, parentSpanId: S, sampled: false }],
    ['undecided', `${T}-${S}`, { traceId: T, parentSpanId: S, sampled: undefined }],
    ['trace id alone', T, { traceId: T }],
    ['trace id and flag', `${T}-1`, { traceId: T, sampled: true }],
    ['trailing dash', `${T}-${S}-`, { traceId: T, parentSpanId: S }],
    ['no dashes', `${T}${S}1`, { traceId: T, parentSpanId: S, sampled: true }],
    ['blanks around', ` \t${T}-${S}-1\t `, { traceId: T, parentSpanId: S, sampled: true }],
    ['a list: the first counts', [`${T}-${S}-1`, 'rest'], { traceId: T, parentSpanId: S, sampled: true }],
    ['a span id of zeros', `${T}-${ZEROS.slice(16)}-1`, { traceId: T, sampled: true }],
    ['a trace id of zeros', `${ZEROS}-${S}-1`, undefined],
    ['no trace id', `${S}-1`, undefined],
    ['flag alone', '1', undefined],
    ['another flag', `${T}-${S}-2`, undefined],
    ['upper case', `${T.toUpperCase()}-${S}-1`, undefined],
    ['one character short', `${T.slice(1)}-${S}-1`, undefined],
    ['more after the flag', `${T}-${S}-1-x`, undefined],
    ['empty', '', undefined],
    ['empty list', [], undefined],
    ['absent', undefined, undefined],
    ['null', null, undefined],
    ['no text', 5 as unknown as string, undefined],
    ['a list without text', [5] as unknown as string[], undefined],
  ])('%s', (_, header, expected) => {
    expect(parseSentryTrace(header)).toEqual(expected);
  });

  it('reads back as it was written', () => {
    fc.assert(
      fc.property(hex(32), hex(16), decision, (traceId, parentSpanId, sampled) => {
        const header = formatSentryTrace(traceId, parentSpanId, sampled);
        expect(parseSentryTrace(header)).toEqual({ traceId, parentSpanId, sampled });
      }),
    );
  });

  it.each<[boolean | undefined, string]>([
    [true, `${T}-${S}-1`],
    [false, `${T}-${S}-0`],
    [undefined, `${T}-${S}`],
  ])('for the decision %s is written %s', (sampled, header) => {
    expect(formatSentryTrace(T, S, sampled)).toBe(header);
  });
});

describe('a traceparent header', () => {
  it.each<[string, HeaderValue, ReturnType<typeof parseTraceparent>]>([
    ['sampled', `00-${T}-${S}-01`, { traceId: T, parentSpanId: S, sampled: true }],
    ['not sampled', `00-${T}-${S}-00`, { traceId: T, parentSpanId: S, sampled: false }],
    ['other flags do not count', `00-${T}-${S}-fe`, { traceId: T, parentSpanId: S, sampled: false }],
    ['sampled among other flags', `00-${T}-${S}-03`, { traceId: T, parentSpanId: S, sampled: true }],
    ['a later version', `01-${T}-${S}-01`, { traceId: T, parentSpanId: S, sampled: true }],
    ['a later version with more', `01-${T}-${S}-01-what`, { traceId: T, parentSpanId: S, sampled: true }],
    ['a later version with more that is not set apart', `01-${T}-${S}-01what`, undefined],
    ['version 00 with more', `00-${T}-${S}-01-what`, undefined],
    ['the reserved version', `ff-${T}-${S}-01`, undefined],
    ['a trace id of zeros', `00-${ZEROS}-${S}-01`, undefined],
    ['a span id of zeros', `00-${T}-${ZEROS.slice(16)}-01`, undefined],
    ['upper case', `00-${T.toUpperCase()}-${S}-01`, undefined],
    ['no flags', `00-${T}-${S}`, undefined],
    ['a list: the first counts', [`00-${T}-${S}-01`, 'rest'], { traceId: T, parentSpanId: S, sampled: true }],
    ['blanks around', ` 00-${T}-${S}-01 `, { traceId: T, parentSpanId: S, sampled: true }],
    ['empty', '', undefined],
    ['absent', undefined, undefined],
  ])('%s', (_, header, expected) => {
    expect(parseTraceparent(header)).toEqual(expected);
  });

  it('reads back as it was written, an open decision as a negative one', () => {
    fc.assert(
      fc.property(hex(32), hex(16), decision, (traceId, parentSpanId, sampled) => {
        const header = formatTraceparent(traceId, parentSpanId, sampled);
        expect(parseTraceparent(header)).toEqual({ traceId, parentSpanId, sampled: sampled ?? false });
      }),
    );
  });
});

describe('the dynamic sampling context in a baggage header', () => {
  it.each<[string, HeaderValue, Record<string, string> | undefined]>([
    ['members', `sentry-trace_id=${T},sentry-release=1.0`, { trace_id: T, release: '1.0' }],
    ['members of others are left', 'a=1,sentry-release=1.0,b=2', { release: '1.0' }],
    ['blanks around', ' sentry-release = 1.0 ,\tsentry-sampled=true\t', { release: '1.0', sampled: 'true' }],
    ['encoded', 'sentry-environment=a%20b%2Cc%3Dd', { environment: 'a b,c=d' }],
    ['encoded key', 'sentry-a%20b=c', { 'a b': 'c' }],
    ['an equals sign in the value', 'sentry-release=a=b', { release: 'a=b' }],
    ['properties of a member', 'sentry-release=1.0;ttl=5', { release: '1.0' }],
    ['a semicolon in the value', 'sentry-release=1%3B0', { release: '1;0' }],
    ['twice: the last counts', 'sentry-release=1,sentry-release=2', { release: '2' }],
    ['a list is read as one', ['sentry-release=1,a=b', 'sentry-sampled=true'], { release: '1', sampled: 'true' }],
    ['a list: the last counts', ['sentry-release=1', 'sentry-release=2'], { release: '2' }],
    ['a list with something else', ['sentry-release=1', 5] as unknown as string[], { release: '1' }],
    ['a member that cannot be decoded', 'sentry-release=%E0%A4,sentry-sampled=true', { sampled: 'true' }],
    ['a key that cannot be decoded', 'sentry-%=1,sentry-sampled=true', { sampled: 'true' }],
    ['a member without equals sign', 'sentry-release,sentry-sampled=true', { sampled: 'true' }],
    ['a member without value', 'sentry-release=,sentry-sampled=true', { sampled: 'true' }],
    ['a member without name', 'sentry-=1,sentry-sampled=true', { sampled: 'true' }],
    ['none of ours', 'a=1', undefined],
    ['only broken ones of ours', 'sentry-release', undefined],
    ['empty', '', undefined],
    ['absent', undefined, undefined],
    ['null', null, undefined],
    ['no text', 5 as unknown as string, undefined],
  ])('%s', (_, header, expected) => {
    expect(parseBaggageDsc(header)).toEqual(expected);
  });

  it('does not touch prototypes', () => {
    const dsc = parseBaggageDsc('sentry-__proto__=x,sentry-constructor=y,sentry-sampled=true');
    expect(Object.getPrototypeOf(dsc)).toBe(Object.prototype);
    expect(dsc).toMatchObject({ constructor: 'y', sampled: 'true' });
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['in the order of its members', { trace_id: T, release: '1.0' }, `sentry-trace_id=${T},sentry-release=1.0`],
    ['encoded', { environment: 'a b,c=d;e', 'k k': 'ü' }, 'sentry-environment=a%20b%2Cc%3Dd%3Be,sentry-k%20k=%C3%BC'],
    ['without what has no value', { release: undefined, environment: '', sampled: 'true' }, 'sentry-sampled=true'],
    ['without what is no text', { release: 5 as unknown as string, sampled: 'true' }, 'sentry-sampled=true'],
    ['without what has no encoding', { release: '\ud800', sampled: 'true' }, 'sentry-sampled=true'],
    ['as nothing, when empty', {}, ''],
  ])('is written %s', (_, dsc, header) => {
    expect(formatDsc(dsc)).toBe(header);
  });

  it('reads back as it was written', () => {
    const text = fc.string({ minLength: 1, maxLength: 20, unit: 'grapheme' });
    const dscs = fc.dictionary(
      text.filter((key) => key !== '__proto__'),
      text,
      { minKeys: 1, maxKeys: 8 },
    );
    fc.assert(
      fc.property(dscs, (dsc) => {
        expect(parseBaggageDsc(formatDsc(dsc))).toEqual(dsc);
      }),
    );
  });
});

describe('merging a baggage header', () => {
  it.each<[string, HeaderValue, Record<string, string>, string | undefined]>([
    ['none and an empty context', undefined, {}, undefined],
    ['none', undefined, { release: '1' }, 'sentry-release=1'],
    ['an empty one', '', { release: '1' }, 'sentry-release=1'],
    ['members of others stay as they are', 'a=1;p=2, b=%20 ,c', { release: '1' }, 'a=1;p=2,b=%20,c,sentry-release=1'],
    [
      'earlier members of ours go',
      'sentry-release=0,a=1,sentry-sampled=true',
      { release: '1' },
      'a=1,sentry-release=1',
    ],
    ['earlier members of ours go for nothing', 'sentry-release=0,a=1', {}, 'a=1'],
    ['nothing but earlier members of ours', 'sentry-release=0', {}, undefined],
    ['empty members go', ',,a=1,', {}, 'a=1'],
    ['a list', ['a=1', 'sentry-release=0,b=2'], { release: '1' }, 'a=1,b=2,sentry-release=1'],
  ])('%s', (_, existing, dsc, expected) => {
    expect(mergeBaggage(existing, dsc)).toBe(expected);
  });

  it('fills 8192 characters and not one more', () => {
    const existing = `a=${'x'.repeat(4000)},b=${'x'.repeat(4000)}`;
    const room = 8192 - `${existing},sentry-release=`.length;

    expect(mergeBaggage(existing, { release: 'y'.repeat(room) })).toHaveLength(8192);
    expect(mergeBaggage(existing, { release: 'y'.repeat(room + 1) })).toBe(existing);
  });

  it('holds members of 4096 characters at most', () => {
    const room = 4096 - 'sentry-release='.length;

    expect(mergeBaggage('a=1', { release: 'y'.repeat(room) })).toHaveLength('a=1,'.length + 4096);
    expect(mergeBaggage('a=1', { release: 'y'.repeat(room + 1) })).toBe('a=1');
  });

  it.each([
    ['a member', `a=${'x'.repeat(7000)}`],
    ['all of it', Array.from({ length: 3 }, (_, i) => `k${i}=${'x'.repeat(3000)}`).join(',')],
    ['the number of members', Array.from({ length: 190 }, (_, i) => `k${i}=v`).join(',')],
  ])('leaves a header alone that is beyond the limits: %s', (_, existing) => {
    expect(mergeBaggage(existing, { sampled: 'true' })).toBe(existing);
  });

  it('skips a member that does not fit and keeps a smaller one after it', () => {
    const existing = `a=${'x'.repeat(4090)},b=${'x'.repeat(4000)}`;
    const merged = mergeBaggage(existing, { release: 'y'.repeat(200), sampled: 'true' });
    expect(merged).toBe(`${existing},sentry-sampled=true`);
  });

  it('holds 180 members at most', () => {
    const existing = Array.from({ length: 179 }, (_, i) => `k${i}=v`).join(',');
    expect(mergeBaggage(existing, { release: '1', sampled: 'true' })).toBe(`${existing},sentry-release=1`);
  });
});

describe('hostile headers', () => {
  const SIZE = 100_000;
  const junk = [
    ' '.repeat(SIZE),
    `${' '.repeat(SIZE)}x`,
    ','.repeat(SIZE),
    '='.repeat(SIZE),
    ';'.repeat(SIZE),
    '%'.repeat(SIZE),
    '-'.repeat(SIZE),
    'a'.repeat(SIZE),
    `sentry-a=${'%'.repeat(SIZE)}`,
    `sentry-a=${'x'.repeat(SIZE)}`,
    'sentry-a=1,'.repeat(SIZE / 10),
    'sentry-,'.repeat(SIZE / 10),
    Array.from({ length: SIZE / 10 }, (_, i) => `sentry-${i}=1`).join(','),
    `${T}-${S}-1${' '.repeat(SIZE)}x`,
    `01-${T}-${S}-01-${'-'.repeat(SIZE)}`,
  ];

  it.each(junk.map((text) => [`${text.slice(0, 12)}…`, text] as const))('%j cost little and keep little', (_, text) => {
    expect(parseSentryTrace(text)).toBeUndefined();
    expect(parseTraceparent(text)).toBeUndefined();
    const dsc = parseBaggageDsc(text);
    const merged = mergeBaggage(text, { sampled: 'true' });
    // Quadratic work on this size would exceed the timeout of the test.
    expect(Object.keys(dsc ?? {}).length).toBeLessThanOrEqual(180);
    expect(JSON.stringify(dsc ?? {}).length).toBeLessThan(10_000);
    expect(merged?.length ?? 0).toBeLessThanOrEqual(Math.max(text.length, 8192));
  });

  it('never throw', () => {
    const header = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.array(fc.string()), fc.anything());
    fc.assert(
      fc.property(header, (value) => {
        parseSentryTrace(value as HeaderValue);
        parseTraceparent(value as HeaderValue);
        parseBaggageDsc(value as HeaderValue);
        mergeBaggage(value as HeaderValue, { sampled: 'true' });
      }),
    );
  });

  it('of the application leave whole, and ours are added only within the limits', () => {
    const ours = 'sentry-sampled=true';
    fc.assert(
      fc.property(
        fc.array(fc.stringMatching(/^[a-z]{1,3}=[a-z]{0,200}$/), { minLength: 1, maxLength: 300 }),
        (members) => {
          const merged = mergeBaggage(members, { sampled: 'true' }) ?? '';
          const others = members.join(',');
          expect([others, `${others},${ours}`]).toContain(merged);
          if (merged !== others) expect(merged.length).toBeLessThanOrEqual(8192);
        },
      ),
    );
  });
});
