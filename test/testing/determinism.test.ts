import { trace } from '@opentelemetry/api';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { addBreadcrumb, captureMessage, getTraceData, startInactiveSpan, startSpan } from '../../src/index.js';
import { fakeClock, recordEvents, reset } from '../../src/testing/testing.js';

afterEach(reset);

const NEW_YEAR_SECONDS = Date.UTC(2026, 0, 1) / 1000;

it.each([
  ['', undefined],
  [', which begin in 1970', 0],
])('transactions arrive under the fake timers of a test runner%s', async (_, now) => {
  vi.useFakeTimers(now === undefined ? {} : { now });
  try {
    const sent = recordEvents();
    startSpan({ name: 'job' }, () => undefined);
    expect((await sent.next('transaction', 'job')).transaction).toBe('job');
  } finally {
    vi.useRealTimers();
  }
});

describe('fakeClock', () => {
  it('may stand at the beginning of time', async () => {
    const clock = fakeClock();
    const sent = recordEvents();
    startSpan({ name: 'job' }, () => clock.advance(5000));
    await sent.flush();
    expect(sent.transactions).toMatchObject([{ start_timestamp: 0, timestamp: 5 }]);
  });

  it('gives events, breadcrumbs and spans its time', async () => {
    const clock = fakeClock('2026-01-01');
    const sent = recordEvents();
    const child = startSpan({ name: 'job' }, () => {
      clock.advance(500);
      return startInactiveSpan({ name: 'child' });
    });
    child.end();
    trace.getTracer('test').startActiveSpan('of a tracer', (span) => {
      clock.advance(1500);
      span.end();
    });
    addBreadcrumb({ message: 'clicked' });
    clock.set(new Date('2026-01-02'));
    captureMessage('done');
    await sent.flush();
    const [job, ofTracer] = sent.transactions;
    expect([job?.start_timestamp, job?.timestamp]).toEqual([NEW_YEAR_SECONDS, NEW_YEAR_SECONDS + 0.5]);
    expect(ofTracer?.timestamp).toBe(NEW_YEAR_SECONDS + 2);
    expect(sent.messages[0]?.breadcrumbs[0]?.timestamp).toBe(NEW_YEAR_SECONDS + 2);
    expect(sent.messages[0]?.timestamp).toBe(NEW_YEAR_SECONDS + 24 * 60 * 60);
  });

  it('is what Date says, of which the instances stay dates', () => {
    const clock = fakeClock(0);
    const real = new Date(5);
    clock.advance(5);
    expect([Date.now(), new Date().getMilliseconds(), clock.now()]).toEqual([5, 5, 5]);
    expect(new Date()).toEqual(real);
    expect([real instanceof Date, new Date() instanceof Date]).toEqual([true, true]);
    expect(Date()).toContain('1970');
    clock.restore();
    expect(Date.now()).toBeGreaterThan(NEW_YEAR_SECONDS * 1000 - 1e9);
  });

  it('says what is not a date', () => {
    expect(() => fakeClock('soon')).toThrow('fakeClock: "soon" is not a date');
  });
});

describe('seed', () => {
  async function idsWith(seed: number): Promise<unknown[]> {
    const sent = recordEvents({ seed, sampleRate: 0.5, tracesSampleRate: 0.5 });
    const headers = getTraceData();
    for (let i = 0; i < 20; i++) {
      captureMessage(`message ${i}`);
      startSpan({ name: `job ${i}` }, () => startSpan({ name: 'child' }, () => undefined));
    }
    await sent.flush();
    const all = [...sent.messages, ...sent.transactions];
    await reset();
    return [
      headers,
      ...all.map(({ event_id, contexts, spans }) => [event_id, contexts.trace?.['trace_id'], spans?.[0]?.span_id]),
    ];
  }

  it('makes ids and decisions to sample the same in each run, and others with another seed', async () => {
    const first = await idsWith(1);
    expect(first.length).toBeGreaterThan(2);
    expect(first.length).toBeLessThan(41);
    expect(await idsWith(1)).toEqual(first);
    expect(await idsWith(2)).not.toEqual(first);
  });

  it('makes ids that are valid and differ from each other', async () => {
    const sent = recordEvents({ seed: 3 });
    for (let i = 0; i < 100; i++) captureMessage('hello');
    await sent.flush();
    const ids = new Set(sent.messages.map(({ event_id }) => event_id));
    expect(ids.size).toBe(100);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{32}$/);
  });
});
