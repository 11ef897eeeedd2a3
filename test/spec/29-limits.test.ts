import { describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  type ClientOptions,
  captureEvent,
  captureException,
  captureMessage,
  Scope,
  startInactiveSpan,
  startSpan,
  withIsolationScope,
  withScope,
} from '../../src/index.js';
import { runScript } from '../integrations/run-script.js';
import { startReceiver } from '../support/receiver.js';
import { nested, SPAN_ID, send, sendEvent, sendTransaction, TRACE_ID } from './send.js';

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i);

describe('Limits', () => {
  it('maxBreadcrumbs is 100 by default, for the breadcrumbs kept per scope', async () => {
    const event = await sendEvent(() =>
      withIsolationScope(() => {
        for (const i of numbers(101)) addBreadcrumb({ message: String(i) });
        captureMessage('m');
      }),
    );
    expect(event.breadcrumbs).toHaveLength(100);
    expect(event.breadcrumbs?.[0]?.message).toBe('1');
  });

  it('maxBreadcrumbs is 100 by default, also as the second parameter of addBreadcrumb', () => {
    const scope = new Scope();
    for (const i of numbers(250)) scope.addBreadcrumb({ message: String(i) });
    expect(scope.getScopeData().breadcrumbs.map(({ message }) => message)).toEqual(
      numbers(100).map((i) => String(i + 150)),
    );
  });

  it('maxBreadcrumbs bounds the breadcrumbs of a scope, however they were added', async () => {
    const event = await sendEvent(
      () =>
        withScope((scope) => {
          for (const i of numbers(5)) scope.addBreadcrumb({ message: String(i) });
          captureMessage('m');
        }),
      { maxBreadcrumbs: 3 },
    );
    expect(event.breadcrumbs?.map(({ message }) => message)).toEqual(['2', '3', '4']);
  });

  it('maxValueLength is 250 by default, the length of a string before truncation', async () => {
    const value = (length: number) => 'x'.repeat(length);
    const event = await sendEvent(() =>
      captureEvent({ message: value(250), exception: { values: [{ type: 'Error', value: value(251) }] } }),
    );
    expect(event.message).toBe(value(250));
    expect(event.exception?.values?.[0]?.value).toBe(`${value(250)}...`);
  });

  it('normalizeDepth is 3 by default, the depth of object traversal', async () => {
    const event = await sendEvent(() =>
      captureEvent({
        message: 'm',
        extra: nested(10) as Record<string, unknown>,
        breadcrumbs: [{ data: nested(10) as Record<string, unknown> }],
        contexts: { shop: nested(2) as Record<string, unknown> },
      }),
    );
    expect(event.extra).toEqual({ a: { a: { a: '[Object]' } } });
    expect(event.breadcrumbs?.[0]?.data).toEqual({ a: { a: { a: '[Object]' } } });
    expect(event.contexts['shop']).toEqual({ a: { a: 'bottom' } });
  });

  it('normalizeMaxBreadth is 1000 by default, the properties or elements per object or array', async () => {
    const event = await sendEvent(() =>
      captureEvent({
        message: 'm',
        extra: {
          whole: numbers(1000),
          list: numbers(1001),
          map: Object.fromEntries(numbers(1001).map((i) => [`k${i}`, i])),
        },
      }),
    );
    const { whole, list, map } = event.extra as { whole: unknown[]; list: unknown[]; map: Record<string, unknown> };
    expect(whole).toEqual(numbers(1000));
    expect(list).toEqual([...numbers(1000), '[MaxProperties ~]']);
    expect(Object.values(map)).toEqual([...numbers(1000), '[MaxProperties ~]']);
  });

  it('shutdownTimeout is 2000 ms by default, the time to wait before shutdown', async () => {
    const receiver = await startReceiver({ respond: { hang: true } });
    const { status, stdout } = await runScript(
      `import { init } from 'faultline';
      // The request would take a minute; only shutdownTimeout ends the wait before the script is killed.
      init({ transportOptions: { timeoutMillis: 60_000 } });
      const begin = performance.now();
      process.on('exit', () => console.log(performance.now() - begin));
      Promise.resolve().then(() => { setTimeout(() => { throw new Error('the end'); }); });`,
      { env: { FAULTLINE_DSN: receiver.dsn } },
    );
    await receiver.close();
    expect(Number(stdout)).toBeGreaterThan(1900);
    expect(status).toBe(1);
  });

  it.each<[title: string, sampleRate: number | undefined, kept: number]>([
    ['sampleRate may be 0.0, and keeps no error event', 0, 0],
    ['sampleRate may be 1.0, and keeps each', 1, 50],
    ['sampleRate is 1.0 by default', undefined, 50],
    ['sampleRate out of its range is not used', 1.5, 50],
  ])('%s', async (_, sampleRate, kept) => {
    const { events } = await send(
      () => {
        for (const i of numbers(50)) captureException(new Error(String(i)));
      },
      { sampleRate },
    );
    expect(events).toHaveLength(kept);
  });

  it.each<[title: string, options: ClientOptions, kept: number]>([
    ['tracesSampleRate may be 0.0, and keeps no transaction', { tracesSampleRate: 0 }, 0],
    ['tracesSampleRate may be 1.0, and keeps each', { tracesSampleRate: 1 }, 50],
    ['tracesSampleRate out of its range keeps no transaction', { tracesSampleRate: 1.5 }, 0],
  ])('%s', async (_, options, kept) => {
    const { transactions } = await send(() => {
      for (const i of numbers(50)) startSpan({ name: String(i) }, () => undefined);
    }, options);
    expect(transactions).toHaveLength(kept);
  });

  it('traceId has 32 hex characters, also of spans that are not sampled', async () => {
    const traceIds = () => numbers(50).map(() => startInactiveSpan({ name: 'a' }).spanContext().traceId);
    for (const tracesSampleRate of [0, 0.5]) {
      await send(() => expect(traceIds().filter((id) => !TRACE_ID.test(id))).toEqual([]), { tracesSampleRate });
    }
    const transaction = await sendTransaction(() => startSpan({ name: 'a' }, () => undefined));
    expect(transaction.contexts.trace.trace_id).toMatch(TRACE_ID);
  });

  it('spanId has 16 hex characters, also of spans that are not sampled', async () => {
    const spanIds = () => numbers(50).map(() => startInactiveSpan({ name: 'a' }).spanContext().spanId);
    for (const tracesSampleRate of [0, 0.5]) {
      await send(() => expect(spanIds().filter((id) => !SPAN_ID.test(id))).toEqual([]), { tracesSampleRate });
    }
    const transaction = await sendTransaction(() => startSpan({ name: 'a' }, () => undefined));
    expect(transaction.contexts.trace.span_id).toMatch(SPAN_ID);
  });

  it('a category that the destination closes is not sent meanwhile, and what that costs is counted', async () => {
    const receiver = await send(async ({ client, receiver: busy }) => {
      busy.respondWith({ headers: { 'x-sentry-rate-limits': '60:error:key' } });
      captureMessage('first');
      await client.flush();
      captureMessage('second');
    });
    expect(receiver.events.map(({ message }) => message)).toEqual(['first']);
    expect(receiver.discards()).toEqual([{ reason: 'ratelimit_backoff', category: 'error', quantity: 1 }]);
  });

  it('tag and extra values of 250 characters and more are sent whole', async () => {
    const text = 'x'.repeat(1000);
    const event = await sendEvent(() => captureEvent({ message: 'm', tags: { text }, extra: { text } }));
    expect([event.tags, event.extra]).toEqual([{ text }, { text }]);
  });
});
