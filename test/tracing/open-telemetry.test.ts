import { BasicTracerProvider, InMemorySpanExporter } from '@opentelemetry/sdk-trace-base';
import { afterEach, expect, it, vi } from 'vitest';
import { openTelemetry, startSpan } from '../../src/index.js';
import { tell } from '../support/story.js';

afterEach(() => vi.unstubAllEnvs());

it.each([
  ['', 'node'],
  ['shop', 'shop'],
])(
  'the service is named by OTEL_SERVICE_NAME (%j), else `node`, whatever the executable is',
  async (name, expected) => {
    vi.stubEnv('OTEL_SERVICE_NAME', name);
    await tell(
      { tracesSampleRate: 1 },
      () => startSpan({ name: 'x' }, () => undefined),
      ({ receiver }) => {
        expect(receiver.transactions[0]?.contexts['otel']).toMatchObject({ resource: { 'service.name': expected } });
      },
    );
  },
);

it('an exporter that is passed to openTelemetry gets what NodeSDK would have given it', async () => {
  const exporter = new InMemorySpanExporter();
  const { spanProcessors, sampler } = openTelemetry({ traceExporter: exporter });
  const provider = new BasicTracerProvider({ spanProcessors, sampler });
  provider.getTracer('test').startSpan('exported').end();
  await provider.forceFlush();
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual(['exported']);
  await provider.shutdown();
});
