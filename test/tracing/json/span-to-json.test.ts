import { type Span, SpanKind, trace } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { sensitiveNames } from '../../../src/scrubbing/sensitive-names.js';
import { describeSpan } from '../../../src/tracing/describe/describe-span.js';
import { childSpanJSON, rootTraceContext, spanToJSON } from '../../../src/tracing/json/span-to-json.js';
import { finishedSpan, IN_PARENT, PARENT, tracer } from '../../support/finished-span.js';

const NAMES = sensitiveNames(false);
const childJSON = (span: ReadableSpan) => childSpanJSON(span, NAMES);
const rootContext = (span: ReadableSpan, sampleRate?: number) =>
  rootTraceContext(span, describeSpan(span, NAMES), NAMES, sampleRate);

describe('spanToJSON', () => {
  it('of a running span has no timestamp, and nothing that was not set', () => {
    const span = tracer.startSpan('work', { startTime: [1_700_000_000, 100_000_000] }, IN_PARENT);

    expect(spanToJSON(span)).toStrictEqual({
      span_id: span.spanContext().spanId,
      trace_id: PARENT.traceId,
      parent_span_id: PARENT.spanId,
      start_timestamp: 1_700_000_000.1,
      description: 'work',
      origin: 'manual',
      data: {},
    });
  });

  it('of an ended span has all that was set', () => {
    const span = finishedSpan({
      attributes: { 'svc.op': 'task', 'svc.origin': 'auto.mine', size: 3 },
      links: [{ context: PARENT }],
      change: (running) => {
        running.setStatus({ code: 2, message: 'not_found' });
        running.addEvent('wait', { 'svc.measurement_unit': 'millisecond', 'svc.measurement_value': 12 });
      },
    }) as ReadableSpan & Span;

    expect(spanToJSON(span)).toStrictEqual({
      span_id: span.spanContext().spanId,
      trace_id: span.spanContext().traceId,
      start_timestamp: 1_700_000_000.1,
      timestamp: 1_700_000_002.35,
      description: 'work',
      op: 'task',
      origin: 'auto.mine',
      status: 'not_found',
      data: { 'svc.op': 'task', 'svc.origin': 'auto.mine', size: 3 },
      measurements: { wait: { value: 12, unit: 'millisecond' } },
      links: [{ trace_id: PARENT.traceId, span_id: PARENT.spanId, sampled: true }],
    });
  });

  it.each<[string, { code: number; message?: string } | undefined, string | undefined]>([
    ['none', undefined, undefined],
    ['OK', { code: 1 }, 'ok'],
    ['ERROR', { code: 2 }, 'internal_error'],
    ['ERROR with an empty message', { code: 2, message: '' }, 'internal_error'],
    ['ERROR with words', { code: 2, message: 'boom' }, 'boom'],
  ])('with the status %s', (_, status, expected) => {
    const span = tracer.startSpan('work');
    if (status) span.setStatus(status);
    expect(spanToJSON(span).status).toBe(expected);
  });

  it('infers nothing', () => {
    const span = tracer.startSpan('work', {
      kind: SpanKind.CLIENT,
      attributes: { 'db.system': 'pg', 'db.statement': 'S' },
    });
    expect(spanToJSON(span)).toMatchObject({ description: 'work', data: { 'db.system': 'pg', 'db.statement': 'S' } });
    expect(spanToJSON(span)).not.toHaveProperty('op');
  });

  it('gives away no attributes of the span itself', () => {
    const span = tracer.startSpan('work', { attributes: { size: 3 } });
    spanToJSON(span).data['size'] = 4;
    expect(spanToJSON(span).data).toEqual({ size: 3 });
  });

  it('of a span that does not record has its ids', () => {
    expect(spanToJSON(trace.wrapSpanContext(PARENT))).toStrictEqual({
      span_id: PARENT.spanId,
      trace_id: PARENT.traceId,
      start_timestamp: 0,
      data: {},
    });
  });

  it.each([undefined, null, {}, 'span', 1])('of %j is empty rather than an exception', (value) => {
    expect(spanToJSON(value as unknown as Span)).toStrictEqual({
      span_id: '0000000000000000',
      trace_id: '00000000000000000000000000000000',
      start_timestamp: 0,
      data: {},
    });
  });
});

describe('a child span', () => {
  it('is sent with what was set and what follows from it', () => {
    const span = finishedSpan({
      name: 'GET',
      kind: SpanKind.CLIENT,
      parent: IN_PARENT,
      attributes: { 'http.method': 'GET', 'http.url': 'https://api.test/a?b=1#c', 'http.status_code': 404 },
      links: [{ context: { ...PARENT, traceFlags: 0 }, attributes: { why: 'retry' } }],
    });

    expect(childJSON(span)).toStrictEqual({
      span_id: span.spanContext().spanId,
      trace_id: PARENT.traceId,
      parent_span_id: PARENT.spanId,
      start_timestamp: 1_700_000_000.1,
      timestamp: 1_700_000_002.35,
      description: 'GET https://api.test/a',
      op: 'http.client',
      origin: 'manual',
      status: 'not_found',
      data: {
        'svc.origin': 'manual',
        'svc.op': 'http.client',
        'http.method': 'GET',
        'http.url': 'https://api.test/a?b=1#c',
        'http.status_code': 404,
        'http.response.status_code': 404,
        'otel.kind': 'CLIENT',
        url: 'https://api.test/a',
        'http.query': 'b=1',
        'http.fragment': 'c',
      },
      links: [{ trace_id: PARENT.traceId, span_id: PARENT.spanId, sampled: false, attributes: { why: 'retry' } }],
    });
  });

  it('without attributes has origin manual, status ok and nothing that is undefined', () => {
    const span = finishedSpan();
    expect(childJSON(span)).toStrictEqual({
      span_id: span.spanContext().spanId,
      trace_id: span.spanContext().traceId,
      start_timestamp: 1_700_000_000.1,
      timestamp: 1_700_000_002.35,
      description: 'work',
      origin: 'manual',
      status: 'ok',
      data: { 'svc.origin': 'manual' },
    });
  });

  it.each<[string, Record<string, string | number | boolean>, Record<string, unknown>]>([
    [
      'op and origin set by hand stay',
      { 'svc.op': 'a', 'svc.origin': 'auto.b' },
      { 'svc.op': 'a', 'svc.origin': 'auto.b' },
    ],
    [
      'inferred data wins',
      { 'http.method': 'GET', 'http.url': 'http://a.test/?b', url: 'mine' },
      { url: 'http://a.test/' },
    ],
  ])('merges its data: %s', (_, attributes, expected) => {
    expect(childJSON(finishedSpan({ attributes })).data).toMatchObject(expected);
  });

  it.each(['svc.sample_rate', 'svc.parent_is_remote', 'svc.custom_span_name'])('is sent without %s', (key) => {
    const span = finishedSpan({ attributes: { [key]: 'x', size: 3 } });

    expect(childJSON(span).data).toStrictEqual({ 'svc.origin': 'manual', size: 3 });
    expect(span.attributes).toHaveProperty([key], 'x');
  });

  it('has the measurements among its events', () => {
    const span = finishedSpan({
      change: (running) => {
        running.addEvent('wait', { 'svc.measurement_unit': 'millisecond', 'svc.measurement_value': 12 });
        running.addEvent('no unit', { 'svc.measurement_value': 12 });
        running.addEvent('not finite', { 'svc.measurement_unit': 'byte', 'svc.measurement_value': Number.NaN });
        running.addEvent('no number', { 'svc.measurement_unit': 'byte', 'svc.measurement_value': '12' });
        running.addEvent('no attributes');
      },
    });
    expect(childJSON(span).measurements).toEqual({ wait: { value: 12, unit: 'millisecond' } });
  });

  it('of the 1.x SDK has its parent', () => {
    const { parentSpanContext: _, ...rest } = finishedSpan({ parent: IN_PARENT });
    const span = { ...rest, spanContext: () => PARENT, parentSpanId: 'aaaaaaaaaaaaaaaa' } as unknown as ReadableSpan;

    expect(childJSON(span).parent_span_id).toBe('aaaaaaaaaaaaaaaa');
    expect(rootContext(span).parent_span_id).toBe('aaaaaaaaaaaaaaaa');
    expect(spanToJSON(span as ReadableSpan & Span).parent_span_id).toBe('aaaaaaaaaaaaaaaa');
  });

  it('does not share attributes with the span that other exporters read', () => {
    const span = finishedSpan({ attributes: { size: 3 }, links: [{ context: PARENT, attributes: { why: 'retry' } }] });
    const json = childJSON(span);
    json.data['size'] = 4;
    json.links![0]!.attributes!['why'] = 'changed';

    expect(span.attributes).toEqual({ size: 3 });
    expect(span.links[0]!.attributes).toEqual({ why: 'retry' });
  });
});

describe('the trace context of a root span', () => {
  it('has what was set and what follows from it', () => {
    const span = finishedSpan({
      name: 'GET',
      kind: SpanKind.SERVER,
      parent: IN_PARENT,
      attributes: { 'http.method': 'GET', 'http.route': '/a/:id', 'http.status_code': 500 },
      links: [{ context: PARENT }],
    });

    expect(rootContext(span, 0.5)).toStrictEqual({
      trace_id: PARENT.traceId,
      span_id: span.spanContext().spanId,
      parent_span_id: PARENT.spanId,
      op: 'http.server',
      origin: 'manual',
      status: 'internal_error',
      data: {
        'svc.source': 'route',
        'svc.sample_rate': 0.5,
        'svc.op': 'http.server',
        'svc.origin': 'manual',
        'http.method': 'GET',
        'http.route': '/a/:id',
        'http.status_code': 500,
        'http.response.status_code': 500,
        'otel.kind': 'SERVER',
      },
      links: [{ trace_id: PARENT.traceId, span_id: PARENT.spanId, sampled: true }],
    });
  });

  it('of a bare span has nothing that is undefined', () => {
    const span = finishedSpan();
    expect(rootContext(span)).toStrictEqual({
      trace_id: span.spanContext().traceId,
      span_id: span.spanContext().spanId,
      origin: 'manual',
      status: 'ok',
      data: { 'svc.source': 'custom', 'svc.origin': 'manual' },
    });
  });

  it.each<[string, Record<string, string | number>, Record<string, unknown>]>([
    [
      'attributes win over inferred data',
      { 'http.url': 'http://a.test/?b', url: 'mine' },
      { url: 'mine', 'http.query': 'b' },
    ],
    ['a rate of the span wins over the given one', { 'svc.sample_rate': 0.25 }, { 'svc.sample_rate': 0.25 }],
    [
      'op, origin and source set by hand stay',
      { 'svc.op': 'a', 'svc.origin': 'auto.b', 'svc.source': 'task' },
      { 'svc.op': 'a', 'svc.origin': 'auto.b', 'svc.source': 'task' },
    ],
  ])('merges its data: %s', (_, attributes, expected) => {
    expect(rootContext(finishedSpan({ attributes }), 1).data).toMatchObject(expected);
  });

  it.each(['svc.parent_is_remote', 'svc.custom_span_name'])('is sent without %s', (key) => {
    const span = finishedSpan({ attributes: { [key]: 'x' } });

    expect(rootContext(span).data).toStrictEqual({ 'svc.source': 'custom', 'svc.origin': 'manual' });
    expect(span.attributes).toHaveProperty([key], 'x');
  });
});

describe('parts of a span', () => {
  it('have no credentials in the attributes of links', () => {
    const url = 'https://me:hunter2@example.com/a?token=x8Qz3vT6kW1';
    const span = finishedSpan({ links: [{ context: PARENT, attributes: { 'url.full': url } }] });
    expect(JSON.stringify([childJSON(span), rootContext(span)])).not.toMatch(/hunter2|x8Qz3vT6kW1/);
    expect(span.links[0]!.attributes).toEqual({ 'url.full': url });
  });
});
