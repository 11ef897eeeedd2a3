import { SpanKind } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import { rootTraceContext } from '../../src/tracing/json/span-to-json.js';
import { finishedSpan, IN_PARENT, PARENT } from '../support/finished-span.js';

describe('the trace context of a root span', () => {
  it('has what was set and what follows from it', () => {
    const span = finishedSpan({
      name: 'GET',
      kind: SpanKind.SERVER,
      parent: IN_PARENT,
      attributes: { 'http.method': 'GET', 'http.route': '/a/:id', 'http.status_code': 500 },
      links: [{ context: PARENT }],
    });

    expect(rootTraceContext(span, { sampleRate: 0.5 })).toStrictEqual({
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
    expect(rootTraceContext(span)).toStrictEqual({
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
    expect(rootTraceContext(finishedSpan({ attributes }), { sampleRate: 1 }).data).toMatchObject(expected);
  });

  it.each(['svc.parent_is_remote', 'svc.custom_span_name'])('is sent without %s', (key) => {
    const span = finishedSpan({ attributes: { [key]: 'x' } });

    expect(rootTraceContext(span).data).toStrictEqual({ 'svc.source': 'custom', 'svc.origin': 'manual' });
    expect(span.attributes).toHaveProperty([key], 'x');
  });

  it('uses a description that the caller has already', () => {
    const description = { op: 'given', description: 'x', source: 'view', data: { url: 'u' } } as const;
    expect(rootTraceContext(finishedSpan(), {}, description)).toMatchObject({
      op: 'given',
      data: { 'svc.op': 'given', 'svc.source': 'view', url: 'u' },
    });
  });
});
