import { describe, expect, it } from 'vitest';
import { type SpanAttributes, type SpanAttributeValue, startSpan } from '../../src/index.js';
import { sendTransaction } from './send.js';

/** What arrives as `data` of a root span with the attributes, given at its start and again by `setAttributes`. */
async function sendAttributes(attributes: SpanAttributes): Promise<Record<string, unknown>> {
  const atStart = await sendTransaction(() => startSpan({ name: 'work', attributes }, () => undefined));
  const later = await sendTransaction(() => startSpan({ name: 'work' }, (span) => void span.setAttributes(attributes)));
  expect(later.contexts.trace.data).toEqual(atStart.contexts.trace.data);
  return atStart.contexts.trace.data!;
}

describe('SpanAttributeValue and SpanAttributes', () => {
  it.each<[title: string, value: SpanAttributeValue, sent?: unknown]>([
    ['a value may be a string', 'GET'],
    ['a value may be a number', 1.5],
    ['a value may be a boolean', false],
    ['a value may be an array of strings', ['a', 'b']],
    ['a value may be an array of numbers', [1, 2.5]],
    ['a value may be an array of booleans', [true, false]],
    ['elements of an array of strings may be null or undefined', ['a', null, undefined], ['a', null, null]],
    ['elements of an array of numbers may be null or undefined', [1, null, undefined], [1, null, null]],
    ['elements of an array of booleans may be null or undefined', [true, null, undefined], [true, null, null]],
  ])('%s', async (_, value, sent = value) => {
    expect((await sendAttributes({ key: value }))['key']).toEqual(sent);
  });

  it('an array of mixed elements is no value, and costs nothing but itself', async () => {
    const data = await sendAttributes({ mixed: ['a', 1] as never, other: 'b' });
    expect(data).not.toHaveProperty('mixed');
    expect(data['other']).toBe('b');
  });

  it('an attribute may be undefined, which sends nothing', async () => {
    const data = await sendAttributes({ absent: undefined, present: 1 });
    expect(data).not.toHaveProperty('absent');
    expect(data['present']).toBe(1);
  });

  it('svc.origin is a string, the origin of the span, manual when nobody says', async () => {
    const given = await sendTransaction(() =>
      startSpan({ name: 'a', attributes: { 'svc.origin': 'auto.db.pg' } }, () => undefined),
    );
    expect(given.contexts.trace).toMatchObject({ origin: 'auto.db.pg', data: { 'svc.origin': 'auto.db.pg' } });
    const without = await sendTransaction(() => startSpan({ name: 'a' }, () => undefined));
    expect(without.contexts.trace).toMatchObject({ origin: 'manual', data: { 'svc.origin': 'manual' } });
  });

  it('svc.op is a string, the operation of the span', async () => {
    const byAttribute = await sendTransaction(() =>
      startSpan({ name: 'a', attributes: { 'svc.op': 'queue' } }, () => undefined),
    );
    expect(byAttribute.contexts.trace).toMatchObject({ op: 'queue', data: { 'svc.op': 'queue' } });
    const byOption = await sendTransaction(() => startSpan({ name: 'a', op: 'queue' }, () => undefined));
    expect(byOption.contexts.trace).toMatchObject({ op: 'queue', data: { 'svc.op': 'queue' } });
  });

  it('svc.source is a TransactionSource, the source of the transaction name', async () => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: '/cart/:id', attributes: { 'svc.source': 'route' } }, () => undefined),
    );
    expect(transaction.transaction_info).toEqual({ source: 'route' });
    expect(transaction.contexts.trace.data).toMatchObject({ 'svc.source': 'route' });
  });

  it('svc.sample_rate is a number, the rate that decided, on the root span', async () => {
    const transaction = await sendTransaction(
      () => startSpan({ name: 'root' }, () => startSpan({ name: 'child' }, () => undefined)),
      { tracesSampleRate: undefined, tracesSampler: () => 0.9999999 },
    );
    expect(transaction.contexts.trace.data).toMatchObject({ 'svc.sample_rate': 0.9999999 });
    expect(transaction.spans[0]?.data).not.toHaveProperty('svc.sample_rate');
  });

  it.each<[title: string, key: string, value: SpanAttributeValue]>([
    ['http.method is kept', 'http.method', 'POST'],
    ['http.url is kept', 'http.url', 'https://shop.test/cart'],
    ['http.status_code is kept', 'http.status_code', 201],
    ['http.request.body.size is kept', 'http.request.body.size', 512],
    ['http.response.body.size is kept', 'http.response.body.size', 1024],
    ['db.system is kept', 'db.system', 'postgresql'],
    ['db.name is kept', 'db.name', 'shop'],
    ['db.statement is kept', 'db.statement', 'SELECT 1'],
    ['db.operation is kept', 'db.operation', 'SELECT'],
    ['a custom key is kept', 'shop.cart.items', 3],
  ])('%s', async (_, key, value) => {
    const transaction = await sendTransaction(() =>
      startSpan({ name: 'root' }, () => startSpan({ name: 'child', attributes: { [key]: value } }, () => undefined)),
    );
    expect(transaction.spans[0]?.data).toMatchObject({ [key]: value });
  });
});
