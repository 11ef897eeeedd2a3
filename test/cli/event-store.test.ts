import { describe, expect, it } from 'vitest';
import { EventStore } from '../../src/cli/dev/event-store.js';
import { groupOf } from '../../src/cli/dev/summarize.js';
import { Collection } from '../../src/cli/page/collection.js';
import { findVisibleRows } from '../../src/cli/page/visible-rows.js';
import { parseEnvelope } from '../../src/receiver/parse-envelope.js';
import { createError, createShopEvents, hostileEvent, toEnvelope } from './page-events.js';

function add(store: EventStore, event: object) {
  const { headers, items } = parseEnvelope(toEnvelope(event as Record<string, unknown>));
  return store.add({ headers, items: items.map((item) => ({ ...item, json: JSON.parse(item.payload.toString()) })) });
}

describe('the memory of the tool', () => {
  it('keeps the newest events within a number', () => {
    const store = new EventStore('', { maxEvents: 3 });
    for (let i = 0; i < 5; i++) add(store, createError(i));
    expect([...store.summariesAfter(0)].map(({ number }) => number)).toEqual([3, 4, 5]);
    expect(store.payloadOf(2)).toBeUndefined();
  });

  it('keeps the newest events within a size', () => {
    const store = new EventStore('', { maxBytes: 6000 });
    for (let i = 0; i < 5; i++) add(store, createError(i, { extra: { data: 'x'.repeat(2000) } }));
    expect([...store.summariesAfter(0)].map(({ number }) => number)).toEqual([4, 5]);
  });

  it('has the events of a trace together, until they are forgotten', () => {
    const store = new EventStore('', { maxEvents: 2 });
    const trace_id = '0af7651916cd43dd8448eb211c80319c';
    for (let i = 0; i < 3; i++) add(store, createError(i, { contexts: { trace: { trace_id, span_id: 'a' } } }));
    expect(store.eventsOf(trace_id).map(({ summary }) => summary.number)).toEqual([2, 3]);
  });

  it('describes an event in little room, whatever is in it', () => {
    const [added] = add(new EventStore(''), hostileEvent());
    expect(JSON.stringify(added?.summary).length).toBeLessThan(3000);
  });
});

describe('events are one issue', () => {
  const group = (changes: object) => groupOf(createError(1, changes as Record<string, unknown>));

  it('with the same type, functions and line of the error, wherever their callers have moved', () => {
    const groupAt = (line: number, callerLine: number) => {
      const inner = { function: '?', filename: '/shop/app.js', lineno: line, in_app: true };
      const frames = [{ ...inner, function: 'serve', lineno: callerLine }, inner];
      return group({ exception: { values: [{ type: 'Error', stacktrace: { frames } }] } });
    };
    expect(groupAt(12, 30)).toBe(groupAt(12, 31));
    expect(groupAt(12, 30)).not.toBe(groupAt(13, 30));
    expect(groupOf(createError(2))).not.toBe(group({}));
  });

  it('however V8 names the receiver of their functions', () => {
    const groupOfCall = (name: string) => {
      const frames = [{ function: name, filename: '/shop/app.js', lineno: 12, in_app: true }];
      return group({ exception: { values: [{ type: 'Error', stacktrace: { frames } }] } });
    };
    const names = ['pay', 'Object.pay', 'Cart.pay [as checkout]', 'exports.pay', 'new pay'];
    expect(new Set(names.map(groupOfCall))).toEqual(new Set([groupOfCall('pay')]));
    expect(new Set(['?', 'Object.?', 'Server.?'].map(groupOfCall))).toEqual(new Set([groupOfCall('?')]));
    expect(groupOfCall('Cart.refund')).not.toBe(groupOfCall('Cart.pay'));
  });

  it('with the same fingerprint, which may contain the default', () => {
    expect(groupOf(createError(2, { fingerprint: ['a'] }))).toBe(group({ fingerprint: ['a'] }));
    expect(group({ fingerprint: ['{{ default }}', 'a'] })).not.toBe(group({}));
    expect(group({ fingerprint: ['{{ default }}'] })).toBe(group({}));
  });

  it('with the same message but for its numbers', () => {
    expect(groupOf({ message: 'order 7 failed' })).toBe(groupOf({ message: 'order 8 failed' }));
    expect(groupOf({ message: 'order 7 failed' })).not.toBe(groupOf({ message: 'cart 7 failed' }));
  });
});

describe('what the page keeps', () => {
  const collect = (maxEvents: number, events: object[]) => {
    const store = new EventStore('/shop');
    const collection = new Collection(maxEvents);
    for (const event of events) for (const { summary } of add(store, event)) collection.add(summary);
    return collection;
  };

  it('is grouped to issues and traces, the newest first', () => {
    const collection = collect(100, createShopEvents());
    expect(collection.findIssues([]).map(({ latest, numbers }) => [latest.title, numbers.size])).toEqual([
      ['stock is low: 3 left', 1],
      ['Error1: the work of 1 failed', 1],
      ['CardError: card expired', 2],
    ]);
    const [trace] = collection.findTraces([]);
    expect(trace).toMatchObject({ name: 'POST /checkout', spanCount: 6, errorCount: 2 });
    expect([...trace!.services].sort()).toEqual(['payment', 'storefront']);
  });

  it('is found by all words of a search', () => {
    const collection = collect(100, createShopEvents());
    expect(collection.findIssues(['carderror', 'region:eu-west'])).toHaveLength(1);
    expect(collection.findIssues(['carderror', 'region:us'])).toHaveLength(0);
    expect(collection.findTraces(['select'])).toHaveLength(0);
    expect(collection.findTraces(['/checkout'])).toHaveLength(1);
  });

  it('forgets the oldest, and issues and traces without events', () => {
    const collection = collect(1, createShopEvents());
    expect(collection.events.size).toBe(1);
    expect(collection.issues.size).toBe(1);
    expect(collection.traces.size).toBe(0);
  });

  it.each([
    [10_000, 0, { first: 0, end: 18 }],
    [10_000, 340_000, { first: 4992, end: 5018 }],
    [3, 0, { first: 0, end: 3 }],
    [0, 500, { first: 0, end: 0 }],
  ])('of %d rows scrolled by %d pixels, draws only what can be seen', (count, scrollTop, expected) => {
    expect(findVisibleRows(count, 68, scrollTop, 680)).toEqual(expected);
  });
});
