import { trace } from '@opentelemetry/api';
import { BasicTracerProvider } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, it } from 'vitest';
import { type Client, getGlobalScope, init } from '../../../src/index.js';
import { resetOpenTelemetry } from '../../support/story.js';

const codesOf = (client: Client) => client.openTelemetryStatus().problems.map(({ code }) => code);
const options = { dsn: 'http://key@127.0.0.1:1/1', quiet: true };

afterEach(async () => {
  await getGlobalScope().getClient()?.close(1);
  resetOpenTelemetry();
});

it('a second tracer provider is refused as before, and a problem of the setup', () => {
  const client = init(options);
  expect(trace.setGlobalTracerProvider(new BasicTracerProvider())).toBe(false);
  expect(codesOf(client)).toEqual(['provider-refused']);
});

it('a tracer provider that takes the place of the first is no such problem', () => {
  const client = init(options);
  trace.disable();
  expect(trace.setGlobalTracerProvider(new BasicTracerProvider())).toBe(true);
  expect(codesOf(client)).not.toContain('provider-refused');
});

it('close gives the API its own method back, however often init was called', async () => {
  const { setGlobalTracerProvider } = trace;
  const clients = Array.from({ length: 3 }, () => init(options));
  expect(trace.setGlobalTracerProvider).not.toBe(setGlobalTracerProvider);
  for (const client of clients) await client.close(1);
  expect(trace.setGlobalTracerProvider).toBe(setGlobalTracerProvider);
  expect(Object.hasOwn(trace, 'setGlobalTracerProvider')).toBe(false);
});
