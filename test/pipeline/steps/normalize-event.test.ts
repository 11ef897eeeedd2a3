import { describe, expect, it } from 'vitest';
import type { Contexts, Event } from '../../../src/model/event/event.js';
import { sanitizeEvent } from '../../../src/pipeline/sanitize/sanitize-event.js';
import { normalizeEvent } from '../../../src/pipeline/steps/normalize-event.js';

const LIMITS = { depth: 3, maxBreadth: 1000, maxValueLength: 250 };
const LONG = 'x'.repeat(251);
const CUT = `${'x'.repeat(250)}...`;
const DEEP = { a: { b: { c: { d: 1 } } } };

function throwError(): never {
  throw new Error('no');
}

function revokedProxy(): Record<string, unknown> {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

it('a context named __proto__ is one like others', () => {
  const contexts: Contexts = JSON.parse('{"__proto__":{"toJSON":0,"deep":{"b":{"c":{"d":{}}}}},"toJSON":{}}');
  const { contexts: normalized = {} } = normalizeEvent({ contexts }, LIMITS);
  expect(normalized).not.toBe(contexts);
  expect(Object.getPrototypeOf(normalized)).toBe(Object.prototype);
  expect(Object.keys(normalized)).toEqual(['__proto__', 'toJSON']);
});

it('contexts around one that is cut stay what they are, in their order', () => {
  const contexts: Contexts = { first: { a: 1 }, deep: { a: DEEP }, last: { b: 2 } };
  const { contexts: normalized = {} } = normalizeEvent({ contexts }, LIMITS);
  expect(normalized).toEqual({ first: { a: 1 }, deep: { a: { a: '[Object]' } }, last: { b: 2 } });
  expect(Object.keys(normalized)).toEqual(['first', 'deep', 'last']);
  expect(normalized['first']).toBe(contexts['first']);
  expect(contexts).toEqual({ first: { a: 1 }, deep: { a: DEEP }, last: { b: 2 } });
});

describe('texts', () => {
  it('are cut in the message, the values of all exceptions and the URL', () => {
    const event: Event = {
      message: LONG,
      exception: { values: [{ type: 'Cause', value: LONG }, { value: 'short' }, { value: LONG }] },
      request: { url: LONG, method: 'GET' },
    };
    expect(normalizeEvent(event, LIMITS)).toEqual({
      message: CUT,
      exception: { values: [{ type: 'Cause', value: CUT }, { value: 'short' }, { value: CUT }] },
      request: { url: CUT, method: 'GET' },
    });
  });

  it.each([0, 251])('are kept with the limit %i', (maxValueLength) => {
    const event: Event = { message: LONG, request: { url: LONG } };
    expect(normalizeEvent(event, { ...LIMITS, maxValueLength })).toBe(event);
  });

  it('are not cut in tags, extra and data', () => {
    const event: Event = { tags: { a: LONG }, extra: { a: LONG }, breadcrumbs: [{ message: LONG, data: { a: LONG } }] };
    expect(normalizeEvent(event, LIMITS)).toBe(event);
  });
});

describe('spans', () => {
  const span = { span_id: 'a', trace_id: 'b', start_timestamp: 1, data: {} };

  it('have names of bounded length, also all together', () => {
    const spans = Array.from({ length: 1000 }, () => ({ ...span, description: LONG.repeat(200), op: LONG }));
    const event = normalizeEvent({ type: 'transaction', spans }, LIMITS);
    expect(event.spans![999]!.description).toHaveLength(4096 + '...'.length);
    expect(event.spans![0]!.description).toHaveLength(128 + '...'.length);
    expect(JSON.stringify(event).length).toBeLessThan(1_000_000);
  });

  it('are limited with a depth of 0, too', () => {
    const event = normalizeEvent({ spans: [{ ...span, description: 'x'.repeat(5000) }] }, { ...LIMITS, depth: 0 });
    expect(event.spans![0]!.description).toHaveLength(4096 + '...'.length);
  });
});

describe('what the application attached', () => {
  it.each<[string, Event, Event]>([
    ['user', { user: DEEP }, { user: { a: { b: { c: '[Object]' } } } }],
    ['extra', { extra: DEEP }, { extra: { a: { b: { c: '[Object]' } } } }],
    ['each context', { contexts: { state: DEEP } }, { contexts: { state: { a: { b: '[Object]' } } } }],
    [
      'the data of breadcrumbs',
      { breadcrumbs: [{ data: DEEP }] },
      { breadcrumbs: [{ data: { a: { b: { c: '[Object]' } } } }] },
    ],
    ['the data of the request', { request: { data: DEEP } }, { request: { data: { a: { b: { c: '[Object]' } } } } }],
  ])('keeps three levels in %s', (_, event, expected) => {
    expect(normalizeEvent(event, LIMITS)).toEqual(expected);
  });

  it('keeps three levels in the data of spans and of the trace, and leaves the rest of both alone', () => {
    const span = { span_id: 'a', trace_id: 'b', start_timestamp: 1, links: [{ trace_id: 'c', span_id: 'd' }] };
    const event = {
      contexts: { trace: { ...span, data: DEEP } },
      spans: [{ ...span, data: DEEP }],
    } as unknown as Event;
    const data = { a: { b: { c: '[Object]' } } };
    expect(normalizeEvent(event, LIMITS)).toEqual({
      contexts: { trace: { ...span, data } },
      spans: [{ ...span, data }],
    });
  });

  it('keeps flags whole, whatever the depth', () => {
    const event: Event = { contexts: { flags: { values: [{ flag: 'new-ui', result: true }] } } };
    expect(normalizeEvent(event, { ...LIMITS, depth: 1 })).toBe(event);
  });

  it('keeps contexts objects, whatever the depth', () => {
    const event: Event = { contexts: { os: { name: 'Linux' }, trace: { trace_id: 'a', data: {} } } };
    expect(normalizeEvent(event, { ...LIMITS, depth: 1 })).toBe(event);
  });

  it('keeps tags to what servers take', () => {
    const tags = { a: 'x', b: 1, c: true, d: null, e: 5n, f: {} } as unknown as NonNullable<Event['tags']>;
    expect(normalizeEvent({ tags }, LIMITS).tags).toEqual({
      a: 'x',
      b: 1,
      c: true,
      d: null,
      e: '5',
      f: '[Object]',
    });
  });

  it('stays an object where it cannot be read', () => {
    const event: Event = { extra: revokedProxy(), user: revokedProxy(), contexts: { a: revokedProxy() } };
    const failure = { ERROR: expect.stringContaining('**non-serializable**') };
    expect(normalizeEvent(event, LIMITS)).toEqual({ extra: failure, user: failure, contexts: { a: failure } });
  });

  it('is left as it is with a depth of 0', () => {
    const event: Event = { extra: { n: 5n, ...DEEP }, tags: {}, message: 'x' };
    expect(normalizeEvent(event, { ...LIMITS, depth: 0 })).toBe(event);
  });

  it('costs only the newest breadcrumbs nothing, when there is too much data', () => {
    const breadcrumbs = Array.from({ length: 100 }, (_, index) => ({ data: { index, text: 'x'.repeat(16_000) } }));
    const kept = normalizeEvent({ breadcrumbs }, LIMITS).breadcrumbs!;
    expect(kept).toHaveLength(100);
    expect(kept.at(-1)).toBe(breadcrumbs.at(-1));
    expect(kept[0]!.data).toEqual({ index: '[MaxSize ~]' });
    expect(JSON.stringify(kept).length).toBeLessThan(600_000);
  });

  it('does not count against the data of spans', () => {
    const span = { span_id: 'a', trace_id: 'b', start_timestamp: 1, data: { 'svc.op': 'db' } };
    const extra = { big: Array.from({ length: 1000 }, () => 'x'.repeat(16_000)) };
    expect(normalizeEvent({ type: 'transaction', extra, spans: [span] }, LIMITS).spans).toEqual([span]);
  });
});

describe('an event', () => {
  it('is returned itself when there is nothing to do', () => {
    const event: Event = {
      message: 'x',
      exception: { values: [{ type: 'Error', value: 'x' }] },
      contexts: { trace: { trace_id: 'a', data: { a: 1 } }, os: { name: 'Linux' } },
      user: { id: 1 },
      tags: { a: 'b' },
      extra: { a: { b: [1] } },
      breadcrumbs: [{ message: 'x', data: { a: 1 } }],
      request: { url: '/', data: { a: 1 } },
      spans: [],
    };
    expect(normalizeEvent(event, LIMITS)).toBe(event);
  });

  it('is not changed, nor is anything in it', () => {
    const event: Event = Object.freeze({
      message: LONG,
      exception: Object.freeze({ values: Object.freeze([Object.freeze({ value: LONG })]) as never }),
      breadcrumbs: Object.freeze([Object.freeze({ data: Object.freeze({ a: 5n }) })]) as never,
      contexts: Object.freeze({ trace: Object.freeze({ data: Object.freeze({ a: 5n }) }) }),
    });
    expect(normalizeEvent(event, LIMITS)).toMatchObject({
      message: CUT,
      exception: { values: [{ value: CUT }] },
      breadcrumbs: [{ data: { a: '[BigInt: 5]' } }],
      contexts: { trace: { data: { a: '[BigInt: 5]' } } },
    });
  });

  it('shares no object of the application with hooks that get copies', () => {
    const headers = { authorization: 'secret' };
    const event: Event = { extra: { request: { headers } } };
    const copy = normalizeEvent(event, { ...LIMITS, depth: 4, copy: true });
    expect(copy).toEqual(event);
    expect((copy.extra!['request'] as { headers: object }).headers).not.toBe(headers);
  });

  it.each<[string, () => unknown]>([
    [
      'breadcrumbs whose data throws',
      () => ({ breadcrumbs: [Object.defineProperty({}, 'data', { get: throwError })] }),
    ],
    ['breadcrumbs that are none', () => ({ breadcrumbs: [null, 1, 'x'] })],
    ['breadcrumbs that are no list', () => ({ breadcrumbs: { values: [] } })],
    [
      'an exception that throws',
      () => ({ exception: { values: [Object.defineProperty({}, 'value', { get: throwError })] } }),
    ],
    ['exceptions that are no list', () => ({ exception: { values: 'x' } })],
    ['an exception that is a text', () => ({ exception: 'x' })],
    ['a request that is revoked', () => ({ request: revokedProxy() })],
    ['contexts that are revoked', () => ({ contexts: revokedProxy() })],
    ['a message that is no text', () => ({ message: { a: 1 } })],
    [
      'null everywhere',
      () => ({ message: null, exception: null, request: null, contexts: null, extra: null, spans: null }),
    ],
  ])('with %s goes on, and the rest of it is normalized', (_, make) => {
    const event = sanitizeEvent({ ...(make() as Event), user: { id: 5n as unknown as string } });
    expect(normalizeEvent(event, LIMITS).user).toEqual({ id: '5' });
  });
});
