import { diag } from '@opentelemetry/api';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import * as Sentry from '../../../src/sentry/sentry.js';
import { recordEvents, reset } from '../../../src/testing/testing.js';

const warn = vi.fn<(...parts: unknown[]) => void>();

beforeEach(async () => {
  // Names that were used without a client wait for one.
  recordEvents();
  await reset();
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, { suppressOverrideMessage: true });
});

afterEach(async () => {
  warn.mockClear();
  await reset();
});

function namesOfMissing(): string[] {
  return warn.mock.calls.flatMap((parts) => /(\S+) has no effect/.exec(parts.join(' '))?.[1] ?? []);
}

it('withMonitor gives back what its callback returns, resolves with, throws and rejects with', async () => {
  recordEvents();
  const schedule = { schedule: { type: 'crontab', value: '* * * * *' } };
  expect(Sentry.withMonitor('job', () => 3, schedule)).toBe(3);
  await expect(Sentry.withMonitor('job', async () => 4)).resolves.toBe(4);
  const error = new Error('broken');
  const fail = (): never => {
    throw error;
  };
  expect(() => Sentry.withMonitor('job', fail)).toThrow(error);
  await expect(Sentry.withMonitor('job', () => Promise.reject(error))).rejects.toBe(error);
  expect(namesOfMissing()).toEqual(['withMonitor']);
});

it('withMonitor has an isolation scope of its own', async () => {
  const sent = recordEvents();
  Sentry.withMonitor('job', () => {
    Sentry.setTag('job', 'clean-up');
    Sentry.captureMessage('in the job');
  });
  Sentry.captureMessage('outside');
  await sent.flush();
  expect(sent.messages.map(({ message, tags }) => [message, tags])).toEqual([
    ['in the job', { job: 'clean-up' }],
    ['outside', undefined],
  ]);
});

it('captureCheckIn returns an id, which the next call may name', () => {
  recordEvents();
  const checkInId = Sentry.captureCheckIn({ monitorSlug: 'job', status: 'in_progress' }, { checkinMargin: 1 });
  expect(checkInId).toMatch(/^[0-9a-f]{32}$/);
  Sentry.captureCheckIn({ checkInId, monitorSlug: 'job', status: 'ok', duration: 3 });
  expect(namesOfMissing()).toEqual(['captureCheckIn']);
});

it('logs, metrics and profiles are dropped, and each function says so once', () => {
  recordEvents();
  const { logger, metrics, profiler } = Sentry;
  for (let round = 0; round < 2; round += 1) {
    for (const level of ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const) logger[level]('hello', { a: 1 });
    logger.info(logger.fmt`user ${7}`);
    metrics.count('orders', 1, { unit: 'none' });
    metrics.gauge('queue', 7);
    metrics.distribution('latency', 3, { unit: 'millisecond', attributes: { route: '/' } });
    profiler.startProfiler();
    profiler.stopProfiler();
  }
  expect(namesOfMissing()).toEqual([
    'logger.trace',
    'logger.debug',
    'logger.info',
    'logger.warn',
    'logger.error',
    'logger.fatal',
    'metrics.count',
    'metrics.gauge',
    'metrics.distribution',
    'profiler.startProfiler',
    'profiler.stopProfiler',
  ]);
});

it('sessions are no stubs', async () => {
  const sent = recordEvents({ release: 'shop@1' });
  Sentry.startSession();
  Sentry.captureSession();
  Sentry.endSession();
  await sent.flush();
  expect(sent.sessions.map(({ status }) => status)).toEqual(['ok', 'exited']);
  expect(namesOfMissing()).toEqual([]);
});
