import { DiagLogLevel, diag } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AbortedRequest } from '../../../src/transport/aborted-request.js';
import { Circuit } from '../../../src/transport/stages/circuit.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const LIMITS = { limit: 32, maxLimit: 256 };
const latest = () => 1;

it('waits twice as long after each failure, half a minute at most', () => {
  const probedAt: number[] = [];
  const begin = performance.now();
  const onReady = () => {
    probedAt.push(performance.now() - begin);
    circuit.noteFailure('down');
  };
  const circuit = new Circuit({ ...LIMITS, onReady, random: latest });
  circuit.noteFailure('down');
  vi.advanceTimersByTime(120_000);
  const intervals = probedAt.map((at, index) => at - (probedAt[index - 1] ?? 0));
  expect(intervals).toEqual([250, 500, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
});

it('picks each interval at random below that', () => {
  const onReady = vi.fn();
  const circuit = new Circuit({ ...LIMITS, onReady, random: () => 0.1 });
  circuit.noteFailure('down');
  vi.advanceTimersByTime(25);
  expect(onReady).toHaveBeenCalledOnce();
});

it.each([
  { attempts: 'fail at once', failsAfterMillis: 0, saysAfterMillis: 10_000 },
  { attempts: 'are never answered', failsAfterMillis: 10_010, saysAfterMillis: 10_010 },
])(
  'says that the destination has never answered, once, ten seconds after the first request: attempts that $attempts',
  ({ failsAfterMillis, saysAfterMillis }) => {
    const onNeverAnswered = vi.fn();
    const send = () => {
      circuit.noteRequest();
      setTimeout(() => circuit.noteFailure('down'), failsAfterMillis);
    };
    const circuit = new Circuit({ ...LIMITS, onReady: send, random: latest, onNeverAnswered });
    send();
    vi.advanceTimersByTime(saysAfterMillis - 1);
    expect(onNeverAnswered).not.toHaveBeenCalled();
    vi.advanceTimersByTime(1);
    expect(onNeverAnswered.mock.calls).toEqual([['down']]);
    vi.advanceTimersByTime(120_000);
    circuit.close();
    expect(onNeverAnswered).toHaveBeenCalledOnce();
  },
);

it('says nothing of a destination that answers later than ten seconds after the first request', () => {
  const onNeverAnswered = vi.fn();
  const circuit = new Circuit({ ...LIMITS, onReady: () => undefined, random: latest, onNeverAnswered });
  circuit.noteRequest();
  vi.advanceTimersByTime(12_000);
  circuit.noteAnswer(false);
  circuit.noteFailure('down');
  vi.advanceTimersByTime(12_000);
  expect(onNeverAnswered).not.toHaveBeenCalled();
});

it.each([
  { failures: 2, isAnswered: false, calls: 0 },
  { failures: 3, isAnswered: false, calls: 1 },
  { failures: 3, isAnswered: true, calls: 0 },
])('says so at the end, too: $failures failures, answered: $isAnswered', ({ failures, isAnswered, calls }) => {
  const onNeverAnswered = vi.fn();
  let left = failures;
  const fail = () => {
    left -= 1;
    if (left >= 0) circuit.noteFailure('down');
  };
  const circuit = new Circuit({ ...LIMITS, onReady: fail, random: latest, onNeverAnswered });
  if (isAnswered) circuit.noteAnswer(false);
  fail();
  vi.advanceTimersByTime(5000);
  circuit.close();
  expect(onNeverAnswered).toHaveBeenCalledTimes(calls);
});

it('logs an outage once, and its end, but not that a request was ended early', () => {
  const logged: unknown[] = [];
  const add = (_: string, message: unknown) => logged.push(message);
  diag.setLogger({ error: add, warn: add, info: add, debug: add, verbose: add }, DiagLogLevel.INFO);
  try {
    const circuit = new Circuit({ ...LIMITS, onReady: () => undefined, random: latest });
    const fail = (why: unknown) => {
      circuit.noteFailure(why);
      vi.advanceTimersByTime(30_000);
    };
    fail(new AbortedRequest());
    circuit.noteAnswer(false);
    expect(logged).toEqual([]);
    fail(new AbortedRequest());
    fail(new Error('refused'));
    fail(new Error('refused'));
    circuit.noteAnswer(false);
  } finally {
    diag.disable();
  }
  expect(logged).toEqual([
    'the destination cannot be reached; captured data waits until it can',
    'the destination answers again; waiting data is sent now',
  ]);
});

it('counts requests that fail together as one failure', () => {
  const onReady = vi.fn();
  const circuit = new Circuit({ ...LIMITS, onReady, random: latest });
  for (let i = 0; i < 32; i++) circuit.noteFailure('down');
  vi.advanceTimersByTime(250);
  expect(onReady).toHaveBeenCalledOnce();
});

it('lets nothing through after a failure, one probe after the interval, and all after an answer', () => {
  const circuit = new Circuit({ ...LIMITS, onReady: () => undefined, random: latest });
  expect(circuit.permits).toBe(32);
  circuit.noteFailure('down');
  expect(circuit.permits).toBe(0);
  vi.advanceTimersByTime(250);
  expect(circuit.permits).toBe(1);
  circuit.noteAnswer(false);
  expect(circuit.permits).toBe(16);
});

it('waits as long as an answer demands, and cannot be hurried then', () => {
  const onReady = vi.fn();
  const circuit = new Circuit({ ...LIMITS, onReady, random: latest });
  circuit.noteFailure('a proxy answered 503', 5000);
  expect(circuit.hurry()).toBe(false);
  vi.advanceTimersByTime(4999);
  expect(onReady).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onReady).toHaveBeenCalledOnce();
});

it('waits as long as without Retry-After when that is shorter', () => {
  const onReady = vi.fn();
  const circuit = new Circuit({ ...LIMITS, onReady, random: latest });
  circuit.noteFailure('a proxy answered 503', 0);
  vi.advanceTimersByTime(249);
  expect(onReady).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(onReady).toHaveBeenCalledOnce();
});

it('can be hurried', () => {
  const onReady = vi.fn();
  const circuit = new Circuit({ ...LIMITS, onReady, random: latest });
  circuit.hurry();
  expect(onReady).not.toHaveBeenCalled();
  circuit.noteFailure('down');
  circuit.hurry();
  expect(onReady).toHaveBeenCalledOnce();
  vi.advanceTimersByTime(1000);
  expect(onReady).toHaveBeenCalledOnce();
});

it('the destination is lost after three failures in a row, and for a flush that has waited for three seconds', () => {
  const circuit = new Circuit({ ...LIMITS, onReady: () => circuit.noteFailure('down'), random: latest });
  const begin = performance.now();
  circuit.noteFailure('down');
  vi.advanceTimersByTime(250);
  expect(circuit.isLostSince(begin)).toBe(false);
  expect(circuit.isLostSince(begin - 3000)).toBe(true);
  vi.advanceTimersByTime(500);
  expect(circuit.isLostSince(begin)).toBe(true);
});
