import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { captureException, close, flush, init, startSpan } from '../../src/index.js';
import type { Event } from '../../src/model/event.js';
import { resetOpenTelemetry } from '../support/story.js';

let events: Event[] = [];

beforeEach(() => {
  events = [];
  const keep = (event: Event) => {
    events.push(event);
    return null;
  };
  init({ dsn: 'http://key@127.0.0.1:1/1', tracesSampleRate: 1, beforeSend: keep, beforeSendTransaction: keep });
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
