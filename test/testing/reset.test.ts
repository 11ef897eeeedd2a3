import { context, diag, propagation, trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  captureException,
  getClient,
  getCurrentScope,
  getGlobalScope,
  setTag,
  startSpan,
  zodErrorsIntegration,
} from '../../src/index.js';
import { fakeClock, recordEvents, reset } from '../../src/testing/testing.js';
import { readApiGlobals } from '../../src/tracing/setup/api-globals.js';

afterEach(reset);

describe('reset', () => {
  it('removes the client, what the scopes hold, and what init has registered with OpenTelemetry', async () => {
    recordEvents({ debug: true });
    setTag('isolation', 1);
    getCurrentScope().setTag('current', 1);
    getGlobalScope().setTag('global', 1);
    await reset();
    expect(getClient()).toBeUndefined();
    expect(readApiGlobals()).toMatchObject({ context: undefined, propagation: undefined, diag: undefined });
    expect(trace.getTracer('test').startSpan('any').isRecording()).toBe(false);
    const sent = recordEvents();
    captureException(new Error('broken'));
    expect((await sent.next('error')).tags).toBeUndefined();
  });

  it('keeps what the application has registered with OpenTelemetry', async () => {
    const provider = new BasicTracerProvider();
    const logger = { error() {}, warn() {}, info() {}, debug() {}, verbose() {} };
    trace.setGlobalTracerProvider(provider);
    diag.setLogger(logger);
    recordEvents({ skipOpenTelemetrySetup: true });
    await reset();
    expect(trace.getTracer('test').startSpan('any').isRecording()).toBe(true);
    expect(readApiGlobals().diag).toBeDefined();
    for (const api of [trace, context, propagation, diag]) api.disable();
  });

  it('may be called hundreds of times, and each test begins alike', async () => {
    for (let i = 0; i < 200; i++) {
      const sent = recordEvents();
      startSpan({ name: `job ${i}` }, () => setTag('round', i));
      expect((await sent.next('transaction')).tags).toEqual({ round: `${i}` });
      await reset();
    }
  });

  it('restores the clock', async () => {
    fakeClock('2001-01-01');
    await reset();
    expect(new Date().getFullYear()).toBeGreaterThan(2001);
    expect(Object.hasOwn(performance, 'now')).toBe(false);
  });

  it('forgets mistakes that no client has reported', async () => {
    zodErrorsIntegration({ limits: 3 } as never);
    await reset();
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    recordEvents();
    expect(write).not.toHaveBeenCalled();
    write.mockRestore();
  });
});
