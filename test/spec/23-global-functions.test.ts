import { SpanKind, trace } from '@opentelemetry/api';
import { describe, expect, it } from 'vitest';
import {
  Client,
  captureMessage,
  getActiveSpan,
  getClient,
  getCurrentScope,
  getDynamicSamplingContextFromSpan,
  init,
  Scope,
  startSpan,
  updateSpanName,
  uuid4,
  withScope,
} from '../../src/index.js';
import { resetOpenTelemetry } from '../support/story.js';
import { send, sendEvent, sendTransaction, UUID } from './send.js';

describe('Global functions', () => {
  it('getCurrentScope() returns the scope that events get their data from', async () => {
    const event = await sendEvent(() =>
      withScope((scope) => {
        expect(getCurrentScope()).toBe(scope);
        expect(getCurrentScope()).toBeInstanceOf(Scope);
        getCurrentScope().setTag('a', '1');
        captureMessage('m');
      }),
    );
    expect(event.tags).toEqual({ a: '1' });
  });

  it('getClient() returns the client, or undefined before init', async () => {
    resetOpenTelemetry();
    expect(getClient()).toBeUndefined();
    const client = init();
    expect(getClient()).toBe(client);
    expect(client).toBeInstanceOf(Client);
    await client.close();
    resetOpenTelemetry();
  });

  it('getActiveSpan() returns the active span, or undefined', async () => {
    await sendTransaction(async () => {
      expect(getActiveSpan()).toBeUndefined();
      await startSpan({ name: 'outer' }, async (outer) => {
        expect(getActiveSpan()).toBe(outer);
        startSpan({ name: 'inner' }, (inner) => expect(getActiveSpan()).toBe(inner));
        await new Promise((resolve) => setImmediate(resolve));
        expect(getActiveSpan()).toBe(outer);
      });
      expect(getActiveSpan()).toBeUndefined();
    });
  });

  it('updateSpanName(span, name) gives a name that persists through instrumentation', async () => {
    const transaction = await sendTransaction(() => {
      const span = trace.getTracer('instrumentation').startSpan('GET', {
        kind: SpanKind.SERVER,
        attributes: { 'http.method': 'GET', 'http.target': '/cart/7' },
      });
      expect(updateSpanName(span, 'show the cart')).toBeUndefined();
      span.setAttribute('http.route', '/cart/:id');
      span.updateName('GET /cart/:id');
      span.end();
    });
    expect(transaction).toMatchObject({ transaction: 'show the cart', transaction_info: { source: 'custom' } });
  });

  it('uuid4() returns a string, another one each time', () => {
    const ids = Array.from({ length: 1000 }, () => uuid4());
    expect(new Set(ids).size).toBe(1000);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  it('getDynamicSamplingContextFromSpan(span) returns what leaves with the transaction', async () => {
    let dsc = {};
    const { envelopes } = await send(
      () =>
        startSpan({ name: 'work' }, (span) => {
          dsc = getDynamicSamplingContextFromSpan(span);
        }),
      { tracesSampleRate: 1, release: 'shop@1.4.0' },
    );
    expect(dsc).toMatchObject({ release: 'shop@1.4.0', sampled: 'true' });
    const [sent] = envelopes.filter(({ items }) => items[0]?.headers.type === 'transaction');
    expect(sent?.headers.trace).toEqual(dsc);
  });

  it('client.on(beforeSampling, handler) registers a hook that gets samplingData and samplingDecision', async () => {
    const calls: unknown[][] = [];
    await send(
      ({ client }) => {
        client.on('beforeSampling', (...args) => void calls.push(structuredClone([args[0].spanName, args[1]])));
        startSpan({ name: 'work' }, () => startSpan({ name: 'child' }, () => undefined));
      },
      { tracesSampleRate: 1 },
    );
    expect(calls).toEqual([['work', { decision: expect.any(Boolean) }]]);
  });
});
