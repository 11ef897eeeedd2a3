import { type AttributeValue, SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { stringify } from '../../../src/internal/values/json.js';
import type { Settings } from '../../../src/model/options.js';
import { resolveOptions } from '../../../src/options.js';
import { normalizeEvent } from '../../../src/pipeline/steps/normalize-event.js';
import { namesOf } from '../../../src/scrubbing/sensitive-names.js';
import { childSpanJSON } from '../../../src/tracing/json/span-to-json.js';
import { writeSpans } from '../../../src/tracing/json/write-spans.js';
import { finishedSpan, IN_PARENT, PARENT } from '../../support/finished-span.js';

const KEYS = [
  ...['order.id', 'a', 'quote"d', 'line\nbreak', 'smile 😀', 'half \ud83d', '', '1', 'constructor', 'urlish', 'dbx.y'],
  ...['svc.op', 'svc.origin', 'svc.source', 'svc.sample_rate', 'svc.custom_span_name', 'svc.parent_is_remote'],
  ...['http.request.method', 'http.method', 'url.full', 'url', 'http.route', 'url.path', 'url.query', 'server.address'],
  ...[
    'http.response.status_code',
    'http.status_code',
    'http.request.header.authorization',
    'url.scheme',
    'http.target',
  ],
  ...['db.system', 'db.statement', 'db.query.text', 'db.query.parameter.0', 'rpc.service', 'rpc.grpc.status_code'],
  ...['messaging.system', 'faas.trigger', 'client.address', 'net.peer.ip', 'network.peer.address', 'express.type'],
  ...['process.command_args', 'gen_ai.system', 'graphql.operation.name'],
];
const VALUES: AttributeValue[] = [
  ...[
    '',
    'plain',
    'with "quotes" and \\',
    'two\nlines\u0001',
    'café 😀',
    'half \udc00',
    '\u2028',
    'GET',
    '404',
    'db.query',
  ],
  ...['https://user:secret@example.org/path?token=abcdef&a=1#part', "SELECT * FROM t WHERE a = 'x'", 'Bearer abc.def'],
  ...[0, -1, 1.5, 1e21, 1e-7, 404, Number.MAX_SAFE_INTEGER, Number.NaN, Number.POSITIVE_INFINITY, true, false],
  ...[['a', 'b"'], [1, 2], [true, null as unknown as boolean], []],
];
const SCOPES = ['test', '@opentelemetry/instrumentation-express', '@opentelemetry/instrumentation-pg', '@acme/otel'];

const NAMES = [
  ...['work', 'GET /users/12', 'say "hi"', 'half \ud800', '', 'graphql.parse'],
  ...[
    'call https://user:secret@example.org/path?token=abcdef1234567890',
    'GET /reset/eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIx',
  ],
];

/** Numbers in [0, below), always the same. */
function createDraw(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function createCorpus(count: number): ReadableSpan[] {
  const draw = createDraw(7);
  const oneOf = <T>(list: readonly T[]): T => list[draw(list.length)]!;
  return Array.from({ length: count }, () => {
    const attributes: Record<string, AttributeValue> = {};
    for (let i = draw(7); i > 0; i--) attributes[draw(2) ? oneOf(KEYS) : oneOf(KEYS.slice(0, 11))] = oneOf(VALUES);
    const span = finishedSpan({
      name: oneOf(NAMES),
      kind: draw(3) ? SpanKind.INTERNAL : draw(5),
      ...(draw(3) && { parent: IN_PARENT }),
      attributes,
      links: draw(6) ? [] : [{ context: PARENT, attributes: { 'a"b': 1 } }],
      change: (running) => {
        if (draw(4) === 0) running.setStatus({ code: draw(3), message: oneOf([undefined, 'not_found', 'a "b"']) });
        if (draw(6) === 0) running.addEvent('wait', { 'svc.measurement_unit': 's', 'svc.measurement_value': draw(9) });
      },
    });
    const startTime = [1_700_000_000 + draw(9), oneOf([0, 1, 499, 500, 999_999_999, 123_456_789])] as const;
    const endTime = [startTime[0] + 1, startTime[1]];
    return withMembers(span, { startTime, endTime, instrumentationScope: { name: oneOf(SCOPES) } });
  });
}

function withMembers(span: ReadableSpan, members: object): ReadableSpan {
  for (const [name, value] of Object.entries(members)) Object.defineProperty(span, name, { value });
  return span;
}

/** As spans leave that user code has seen. */
function writeObjects(spans: readonly ReadableSpan[], settings: Settings): unknown {
  const { normalizeDepth: depth, normalizeMaxBreadth: maxBreadth, maxValueLength } = settings;
  const event = { type: 'transaction' as const, spans: spans.map((span) => childSpanJSON(span, namesOf(settings))) };
  return JSON.parse(stringify(normalizeEvent(event, { depth, maxBreadth, maxValueLength, copy: false }).spans));
}

function read(json: string | undefined): unknown {
  return json === undefined ? undefined : JSON.parse(json);
}

describe('spans that are written at once', () => {
  it.each([
    ['by default', {}],
    ['with sendDefaultPii', { sendDefaultPii: true }],
    ['with little depth', { normalizeDepth: 1 }],
    ['with little breadth', { normalizeMaxBreadth: 3 }],
    ['without normalization', { normalizeDepth: 0 }],
  ])('are those that are written as objects, %s', (_, options) => {
    const settings = resolveOptions(options, {});
    let written = 0;
    for (const span of createCorpus(1500)) {
      const json = writeSpans([span], settings);
      if (json === undefined) continue;
      written += 1;
      expect(read(json)).toEqual(writeObjects([span], settings));
    }
    expect(written).toBeGreaterThan(500);
  });

  it.each([
    [[0, 0]],
    [[1_700_000_000, 999_999_999]],
    [[1_700_000_000, 7000]],
    [[1.5, 0]],
    [[1_700_000_000, -1_000_000]],
    [[1_700_000_000, 3_000_000_000]],
  ])('are so whatever their times are: %j', (time) => {
    const settings = resolveOptions({}, {});
    const span = withMembers(finishedSpan({ parent: IN_PARENT }), { startTime: time, endTime: time });
    expect(read(writeSpans([span], settings))).toEqual(writeObjects([span], settings));
  });

  it.each([
    ['before 1970', { startTime: [-5, 100_000_000] }],
    ['too late', { endTime: [1e300, 0] }],
    ['no number', { startTime: [Number.NaN, 0] }],
    ['an end before the start', { startTime: [1_700_000_000, 5000], endTime: [1_700_000_000, 4000] }],
    ['an id of a wrong type', { spanContext: () => ({ ...PARENT, spanId: 5 }) }],
    ['an id that is none', { spanContext: () => ({ ...PARENT, traceId: '"' }) }],
  ])('have no times and ids that servers refuse: %s', (_, members) => {
    const span = withMembers(finishedSpan({ parent: IN_PARENT }), members);
    const settings = resolveOptions({}, {});
    expect(() => writeSpans([span], settings)).toThrow(TypeError);
    expect(() => childSpanJSON(span, namesOf(settings))).toThrow(TypeError);
  });

  it('are a list', () => {
    const settings = resolveOptions({}, {});
    const spans = createCorpus(500).filter((span) => writeSpans([span], settings) !== undefined);
    expect(read(writeSpans(spans, settings))).toEqual(writeObjects(spans, settings));
    expect(writeSpans([], settings)).toBe('[]');
  });
});

it.each([
  ['a long name', { name: 'n'.repeat(5000) }],
  ['a long attribute', { attributes: { a: 'v'.repeat(17_000) } }],
  ['a long key', { attributes: { ['k'.repeat(2000)]: 1 } }],
  ['a long op', { attributes: { 'svc.op': 'o'.repeat(300) } }],
  ['more attributes than the breadth', { attributes: Object.fromEntries(KEYS.slice(0, 10).map((key) => [key, 1])) }],
])('%s has to be cut, so that the spans are written as objects', (_, options) => {
  expect(writeSpans([finishedSpan(options)], resolveOptions({ normalizeMaxBreadth: 9 }, {}))).toBeUndefined();
});

it('more attributes than an event keeps have to be cut', () => {
  const span = finishedSpan({ attributes: { a: 'v'.repeat(15_000) } });
  expect(writeSpans(Array(50).fill(span), resolveOptions({}, {}))).toBeUndefined();
});

it('more names than a transaction keeps have to be cut', () => {
  const spans = (count: number) => Array<ReadableSpan>(count).fill(finishedSpan({ name: 'n'.repeat(4000) }));
  expect(writeSpans(spans(60), resolveOptions({}, {}))).toBeDefined();
  expect(writeSpans(spans(70), resolveOptions({}, {}))).toBeUndefined();
});

it.each([
  ['code.stacktrace', 'Error: token=x1'],
  ['exception.message', 'token=x1'],
  ['db.connection_string', 'pg://a:token=x1@b'],
  ['graphql.document', '{ a(token: "token=x1") }'],
  ['messaging.url', 'amqp://a:token=x1@b'],
])('%s of a span that nothing sees loses its secrets, whatever its prefix', (key, value) => {
  const span = finishedSpan({ name: 'work', kind: SpanKind.INTERNAL, attributes: { [key]: value } });
  expect(writeSpans([span], resolveOptions({}, {}))).not.toContain('token=x1');
});
