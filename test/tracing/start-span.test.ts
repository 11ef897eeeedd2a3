import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { captureException, close, flush, init, type Span, spanToJSON, startSpan } from '../../src/index.js';
import type { Event } from '../../src/model/event/event.js';
import { resetOpenTelemetry } from '../support/story.js';

let events: Event[] = [];

beforeEach(() => {
  events = [];
  const keep = (event: Event) => {
    events.push(event);
    return null;
  };
  init({
    dsn: 'http://key@127.0.0.1:1/1',
    tracesSampleRate: 1,
    sendClientReports: false,
    beforeSend: keep,
    beforeSendTransaction: keep,
  });
});
afterEach(async () => {
  await close(100);
  resetOpenTelemetry();
});

describe('an unbounded recursion', () => {
  function overflow(): number {
    return overflow() + 1;
  }
  const nest = (): number => startSpan({ name: 'level' }, nest);

  it.each([
    ['inside a span', () => startSpan({ name: 'root' }, overflow)],
    ['of spans', nest],
    ['of spans with a recursion at its end', () => startSpan({ name: 'root' }, () => nest() + overflow())],
  ])('%s reaches the caller as the RangeError that it is, and is captured once', async (_, run) => {
    let caught: unknown;
    try {
      run();
    } catch (error) {
      caught = error;
    }
    expect(caught).toBeInstanceOf(RangeError);
    expect((caught as Error).message).toBe('Maximum call stack size exceeded');
    await flush(1000);
    const errors = events.filter(({ type }) => type === undefined);
    expect(errors.map(({ exception }) => exception?.values?.[0]?.type)).toEqual(['RangeError']);
    expect(events.find(({ contexts, type }) => type && !contexts!.trace!.parent_span_id)?.contexts?.trace?.status).toBe(
      'internal_error',
    );
  });

  it('that the application captures as well is one event', async () => {
    try {
      startSpan({ name: 'root' }, overflow);
    } catch (error) {
      captureException(error);
    }
    await flush(1000);
    expect(events.filter(({ type }) => type === undefined)).toHaveLength(1);
  });
});

it('a thenable whose then returns nothing is returned itself', async () => {
  // As some query builders have it.
  // biome-ignore lint/suspicious/noThenProperty: a thenable that is no promise
  const query = { then: (resolve: (rows: number) => void) => void setImmediate(resolve, 3) };
  const returned = startSpan({ name: 'query' }, () => query as unknown as PromiseLike<number>);
  expect(returned).toBe(query);
  expect(await returned).toBe(3);
  await flush(1000);
  expect(events.map(({ transaction }) => transaction)).toEqual(['query']);
});

it('a thenable whose then returns itself rejects with its error', async () => {
  let pending: Promise<unknown> = Promise.reject(new Error('refused'));
  const query = {
    // biome-ignore lint/suspicious/noThenProperty: as builders have it
    then(...handlers: Parameters<Promise<unknown>['then']>) {
      pending = pending.then(...handlers);
      return this;
    },
  };
  const [outcome] = await Promise.allSettled([startSpan({ name: 'query' }, () => query as PromiseLike<unknown>)]);
  expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'refused' } });
});

it('what such a thenable rejects with is thrown only to who awaits it', async () => {
  const uncaught = vi.fn();
  process.on('uncaughtException', uncaught);
  const query = {
    // biome-ignore lint/suspicious/noThenProperty: a thenable that is no promise
    then: (_: unknown, reject: (error: Error) => void) => void setImmediate(reject, new Error('refused')),
  };
  const returned = startSpan({ name: 'query' }, () => query as unknown as PromiseLike<number>);
  const [outcome] = await Promise.allSettled([returned]);
  await flush(1000);
  process.off('uncaughtException', uncaught);
  expect(outcome).toMatchObject({ status: 'rejected', reason: { message: 'refused' } });
  expect(uncaught).not.toHaveBeenCalled();
  expect(events.map(({ transaction, contexts }) => [transaction, contexts?.trace?.status])).toContainEqual([
    'query',
    'internal_error',
  ]);
});

describe('a method of a span', () => {
  const hostile = new Proxy({}, { ownKeys: throwing, get: throwing });
  function throwing(): never {
    throw new Error('hostile');
  }
  const CALLS: Record<string, (span: Span) => unknown> = {
    addEvent: (span) => span.addEvent('event', hostile),
    addLink: (span) => span.addLink(null as never),
    addLinks: (span) => span.addLinks(null as never),
    recordException: (span) => span.recordException(hostile as never),
    setAttribute: (span) => span.setAttribute('key', hostile as never),
    setAttributes: (span) => span.setAttributes(hostile as never),
    setStatus: (span) => span.setStatus(null as never),
    updateName: (span) => span.updateName(hostile as never),
    end: (span) => span.end(hostile as never),
  };

  it.each(Object.keys(CALLS))('%s does not throw, whatever it gets', (method) => {
    for (const captureRecordedExceptions of [false, true]) {
      init({ tracesSampleRate: 1, captureRecordedExceptions });
      startSpan({ name: 'work' }, (span) => {
        expect(() => CALLS[method]!(span)).not.toThrow();
        CALLS[method]!(span);
      });
    }
  });

  it('takes no proxy of a list at its word about its length', () => {
    let reads = 0;
    const get = (list: unknown[], key: string) => {
      reads += 1;
      return key === 'length' ? 2 ** 40 : list[Number(key)];
    };
    const lying = () => new Proxy(['a'], { get } as never) as string[];
    startSpan({ name: 'root', attributes: { first: lying() } }, (span) => {
      span.setAttribute('second', lying()).setAttributes({ third: lying() });
      expect(spanToJSON(span).data).toMatchObject({ first: ['a'], second: ['a'], third: ['a'] });
    });
    expect(reads).toBeLessThan(100_000);
  });

  it.each([
    ['nothing', undefined],
    ['a code that is none', { code: 9 }],
    ['a code that is text', { code: '2' }],
  ])('setStatus keeps the present status when it gets %s', (_, status) => {
    startSpan({ name: 'root' }, (span) => {
      span.setStatus({ code: 2, message: 'not_found' });
      expect(span.setStatus(status as never)).toBe(span);
      expect(spanToJSON(span).status).toBe('not_found');
    });
  });

  it('setAttribute without a value does not throw for a key that cannot be converted to a string', () => {
    const key = {
      toString() {
        throw new Error('no string');
      },
    };
    startSpan({ name: 'root' }, (span) => {
      expect(span.setAttribute(key as never, undefined as never)).toBe(span);
    });
  });

  it.each([
    ['a string', 'abc'],
    ['a list', ['a', 'b']],
    ['bytes', new Uint8Array(3)],
  ])('setAttributes does not take %s for a map', (_, attributes) => {
    startSpan({ name: 'root' }, (span) => {
      const before = { ...spanToJSON(span).data };
      expect(span.setAttributes(attributes as never)).toBe(span);
      expect(spanToJSON(span).data).toEqual(before);
    });
  });

  it('records an exception that the option captures once', async () => {
    init({
      dsn: 'http://key@127.0.0.1:1/1',
      tracesSampleRate: 1,
      captureRecordedExceptions: true,
      beforeSend(event) {
        events.push(event);
        return null;
      },
    });
    const error = new Error('recorded');
    startSpan({ name: 'work' }, (span) => span.recordException(error));
    await flush(1000);
    expect(events.map(({ exception }) => exception?.values?.[0]?.value)).toEqual(['recorded']);
  });
});
