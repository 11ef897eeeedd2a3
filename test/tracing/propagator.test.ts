import {
  defaultTextMapGetter,
  defaultTextMapSetter,
  INVALID_SPAN_CONTEXT,
  ROOT_CONTEXT,
  SpanKind,
  trace,
} from '@opentelemetry/api';
import { suppressTracing, W3CTraceContextPropagator } from '@opentelemetry/core';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ClientOptions, close, continueTrace, getTraceData, init, startSpan } from '../../src/index.js';
import { seedRandomness } from '../../src/internal/randomness.js';
import type { Event } from '../../src/model/event/event.js';
import { FaultlinePropagator } from '../../src/tracing/propagator.js';
import { resetOpenTelemetry } from '../support/story.js';

const TRACE_ID = '0af7651916cd43dd8448eb211c80319c';
const SPAN_ID = 'b7ad6b7169203331';
const SAMPLED = `${TRACE_ID}-${SPAN_ID}-1`;

let sent: Event[] = [];

function start(options: ClientOptions = {}) {
  sent = [];
  const beforeSendTransaction = (event: Event) => {
    sent.push(event);
    return null;
  };
  return init({ dsn: 'http://key@o1.example.com/1', tracesSampleRate: 1, beforeSendTransaction, ...options } as never);
}

afterEach(async () => {
  vi.useRealTimers();
  seedRandomness(undefined);
  await close(100);
  resetOpenTelemetry();
});

function injected(context = ROOT_CONTEXT, propagator = new FaultlinePropagator()): Record<string, string> {
  const carrier: Record<string, string> = {};
  propagator.inject(context, carrier, defaultTextMapSetter);
  return carrier;
}

describe('the propagator', () => {
  it('before init injects nothing and extracts a parent', () => {
    const propagator = new FaultlinePropagator();
    expect(injected()).toEqual({});
    const context = propagator.extract(ROOT_CONTEXT, { 'sentry-trace': SAMPLED }, defaultTextMapGetter);
    expect(trace.getSpanContext(context)).toEqual({
      traceId: TRACE_ID,
      spanId: SPAN_ID,
      isRemote: true,
      traceFlags: 1,
    });
  });

  it('that the application chooses in place of its own decides the parent, also beside an existing setup', () => {
    start({ skipOpenTelemetrySetup: true });
    const parentOf = (carrier: object) => {
      const context = new FaultlinePropagator({ baggage: true }).extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
      return trace.getSpanContext(context)?.traceId;
    };
    const traceparent = `00-${'c'.repeat(32)}-${SPAN_ID}-01`;
    expect(parentOf({ 'sentry-trace': SAMPLED })).toBe(TRACE_ID);
    expect(parentOf({ 'sentry-trace': SAMPLED, traceparent })).toBe(TRACE_ID);
    expect(parentOf({ traceparent })).toBe('c'.repeat(32));
  });

  it('injects the active span and the dynamic sampling context of its trace', () => {
    start();
    startSpan({ name: 'root' }, (span) => {
      const { traceId, spanId } = span.spanContext();
      const carrier = injected(trace.setSpan(ROOT_CONTEXT, span));
      expect(carrier['sentry-trace']).toBe(`${traceId}-${spanId}-1`);
      expect(carrier['baggage']).toContain(`sentry-trace_id=${traceId}`);
      expect(Object.keys(carrier)).toEqual(['sentry-trace', 'baggage']);
    });
  });

  it('adds its members to a baggage that is there', () => {
    start();
    const carrier: Record<string, string> = { baggage: 'own=1' };
    new FaultlinePropagator().inject(ROOT_CONTEXT, carrier, defaultTextMapSetter);
    expect(carrier['baggage']).toMatch(/^own=1,sentry-/);
  });

  it.each([
    ['an empty list', []],
    ['an empty string', ''],
  ])('injects into a carrier that has %s for what it does not have, as those of gRPC and NATS', (_, absent) => {
    start();
    const written = new Map<string, string[]>();
    const metadata = { get: (key: string) => written.get(key) ?? absent };
    const setter = { set: (_: unknown, key: string, value: string) => void written.set(key, [value]) };
    for (let i = 0; i < 2; i++) new FaultlinePropagator().inject(ROOT_CONTEXT, metadata, setter);
    expect([...written.keys()]).toEqual(['sentry-trace', 'baggage']);
    expect(written.get('baggage')?.[0]).toMatch(/^sentry-environment=|^sentry-trace_id=/);
  });

  it('injects nothing while tracing is suppressed', () => {
    start();
    expect(injected(suppressTracing(ROOT_CONTEXT))).toEqual({});
  });

  it('leaves the headers of the propagator that it was given as they are', () => {
    start();
    const propagator = new FaultlinePropagator({ propagator: new W3CTraceContextPropagator() });
    const spanContext = { traceId: TRACE_ID, spanId: SPAN_ID, traceFlags: 1 };
    const carrier = injected(trace.setSpanContext(ROOT_CONTEXT, spanContext), propagator);
    expect(carrier['traceparent']).toBe(`00-${TRACE_ID}-${SPAN_ID}-01`);
    expect(propagator.fields().sort()).toEqual(['baggage', 'sentry-trace', 'traceparent', 'tracestate']);
  });

  it.each([
    ['no header', {}],
    ['a header that is none', { 'sentry-trace': 'nonsense' }],
    ['a trace id of zeros', { 'sentry-trace': `${INVALID_SPAN_CONTEXT.traceId}-${SPAN_ID}-1` }],
  ])('extracts no parent from %s', (_, carrier) => {
    start();
    const context = new FaultlinePropagator().extract(ROOT_CONTEXT, carrier, defaultTextMapGetter);
    expect(trace.getSpanContext(context)).toBeUndefined();
  });

  it.each([
    ['get', { get: () => throwError(), keys: () => [] }],
    ['keys', { get: () => undefined, keys: () => throwError() }],
  ])('survives a getter whose %s throws', (_, getter) => {
    start();
    expect(new FaultlinePropagator().extract(ROOT_CONTEXT, {}, getter)).toBeDefined();
  });
});

describe('a sentry-trace header without a span that could be the parent', () => {
  const ZEROS = '0'.repeat(16);
  const UNUSABLE = [
    TRACE_ID,
    `${TRACE_ID}-1`,
    `${TRACE_ID}-${ZEROS}-1`,
    `${ZEROS}${ZEROS}-${SPAN_ID}-1`,
    SAMPLED.toUpperCase(),
  ];

  const spanIn = (headers: object) => {
    start();
    return continueTrace(headers, () => startSpan({ name: 'GET /' }, (span) => span.spanContext().traceId));
  };

  it.each(UNUSABLE)('continues no trace: %s', (sentryTrace) => {
    expect(spanIn({ sentryTrace })).not.toBe(TRACE_ID);
  });

  it.each(UNUSABLE)('leaves the parent to traceparent: %s', (sentryTrace) => {
    const traceId = 'c'.repeat(32);
    expect(spanIn({ sentryTrace, traceparent: `00-${traceId}-${SPAN_ID}-01` })).toBe(traceId);
  });

  it('leaves it to traceparent without the baggage of its own trace', () => {
    start();
    const traceId = 'c'.repeat(32);
    const headers = {
      sentryTrace: TRACE_ID,
      traceparent: `00-${traceId}-${SPAN_ID}-01`,
      baggage: `sentry-trace_id=${TRACE_ID},sentry-sampled=false,sentry-sample_rate=0.1`,
    };
    const sent = continueTrace(headers, () => startSpan({ name: 'GET /' }, () => getTraceData()));
    expect(sent['sentry-trace']).toContain(traceId);
    expect(sent.baggage ?? '').not.toMatch(/sampled=false|sample_rate=0\.1/);
    expect(sent.baggage ?? '').not.toContain(TRACE_ID);
  });
});

describe('the sampling decision of a trace that comes in', () => {
  const OWN_KEY = {
    baggage: `sentry-trace_id=${TRACE_ID},sentry-public_key=key,sentry-sample_rand=0,sentry-sampled=true`,
  };
  const OWN_ORG = { baggage: `sentry-trace_id=${TRACE_ID},sentry-public_key=other,sentry-org_id=1` };
  const OTHERS = { baggage: `sentry-trace_id=${TRACE_ID},sentry-public_key=other,sentry-sample_rand=0` };
  const W3C = { traceparent: `00-${TRACE_ID}-${SPAN_ID}-01` };

  /** Whether a request with these headers becomes a transaction at a rate of almost 0. */
  function isKept(trustIncomingSampling: ClientOptions['trustIncomingSampling'], headers: object): boolean {
    start({ trustIncomingSampling, tracesSampleRate: 1e-9 });
    return continueTrace({ sentryTrace: SAMPLED, ...headers }, () =>
      startSpan({ name: 'GET /', kind: SpanKind.SERVER }, (span) => {
        expect(span.spanContext().traceId).toBe(TRACE_ID);
        return span.isRecording();
      }),
    );
  }

  it.each([
    ['by default', undefined, OTHERS, true],
    ['always', 'always', OTHERS, true],
    ['always, without baggage', 'always', {}, true],
    ['always, of a W3C header', 'always', { ...W3C, sentryTrace: undefined }, true],
    ['own, of the same public key', 'own', OWN_KEY, true],
    ['own, of the same organization', 'own', OWN_ORG, true],
    ['own, of another service', 'own', OTHERS, false],
    ['own, without baggage', 'own', {}, false],
    ['own, of a W3C header', 'own', { ...W3C, sentryTrace: undefined }, false],
    ['never, of the same public key', 'never', OWN_KEY, false],
    ['never, of a W3C header', 'never', { ...W3C, sentryTrace: undefined }, false],
  ] as const)('%s', (_, trust, headers, expected) => {
    expect(isKept(trust, headers)).toBe(expected);
  });

  it('where it is not trusted, is not passed on either', () => {
    start({ trustIncomingSampling: 'never', tracesSampleRate: 0 });
    const data = continueTrace({ sentryTrace: SAMPLED, ...OTHERS }, () =>
      startSpan({ name: 'GET /', kind: SpanKind.SERVER }, () => getTraceData()),
    );
    expect(data['sentry-trace']).toMatch(new RegExp(`^${TRACE_ID}-[0-9a-f]{16}-0$`));
    expect(data.baggage).toContain('sentry-public_key=key');
    expect(data.baggage).toContain('sentry-sampled=false');
  });

  it.each([
    ['a decision', '-1', () => ''],
    ['a random number', '', (traceId: string) => `sentry-trace_id=${traceId},sentry-sample_rand=0.000000`],
    [
      'a decision and its random number',
      '-1',
      (traceId: string) => `sentry-trace_id=${traceId},sentry-sample_rate=1,sentry-sample_rand=0.000000`,
    ],
  ])(
    'as %s is inherited maxForcedTracesPerSecond times, then decided by tracesSampleRate',
    async (_, flag, baggage) => {
      vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
      seedRandomness(() => 0.5);
      const client = start({ tracesSampleRate: 0.001, maxForcedTracesPerSecond: 10 });
      const request = (i: number) => {
        const traceId = i.toString(16).padStart(32, 'f');
        const headers = { sentryTrace: `${traceId}-${SPAN_ID}${flag}`, baggage: baggage(traceId) };
        continueTrace(headers, () => startSpan({ name: 'GET /' }, () => undefined));
      };
      for (let i = 0; i < 500; i++) request(i);
      await client.flush(1000);
      expect(sent).toHaveLength(10);
      vi.setSystemTime(1_001_000);
      for (let i = 500; i < 600; i++) request(i);
      await client.flush(1000);
      expect(sent).toHaveLength(20);
    },
  );

  it('is inherited from services with the same rate, above maxForcedTracesPerSecond', async () => {
    vi.useFakeTimers({ now: 1_000_000, toFake: ['Date'] });
    const client = start({ tracesSampleRate: 0.5, maxForcedTracesPerSecond: 10 });
    for (let i = 0; i < 400; i++) {
      const headers = { sentryTrace: `${i.toString(16).padStart(32, 'f')}-${SPAN_ID}-${i % 2}` };
      continueTrace(headers, () => startSpan({ name: 'GET /' }, () => undefined));
    }
    await client.flush(1000);
    expect(sent).toHaveLength(200);
  });

  it('where it is not trusted, is not replaced by one that the choice of a trace id makes', async () => {
    seedRandomness(() => 0.5);
    const client = start({ trustIncomingSampling: 'never', tracesSampleRate: 0.1 });
    for (let i = 0; i < 100; i++) {
      const headers = { sentryTrace: `${i.toString(16).padStart(32, 'f')}-${SPAN_ID}-1` };
      continueTrace(headers, () => startSpan({ name: 'GET /' }, () => undefined));
    }
    await client.flush(1000);
    expect(sent).toEqual([]);
  });
});

function throwError(): never {
  throw new Error('of a carrier');
}
