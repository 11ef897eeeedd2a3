import { metrics } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { afterEach, expect, it, vi } from 'vitest';
import { captureMessage, close, flush } from '../../src/index.js';
import { eventually } from '../support/eventually.js';
import { tell } from '../support/story.js';

afterEach(() => metrics.disable());

function setUpMetrics() {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const provider = new MeterProvider({ readers: [new PeriodicExportingMetricReader({ exporter })] });
  metrics.setGlobalMeterProvider(provider);
  /** The points of one collection: `name category[ reason]` and value. */
  return async () => {
    exporter.reset();
    await provider.forceFlush();
    const all = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics);
    const own = all.filter(({ scope }) => scope.name === 'faultline').flatMap((one) => one.metrics);
    return Object.fromEntries(
      own.flatMap(({ descriptor, dataPoints }) =>
        dataPoints.map(({ attributes, value }) => [
          [descriptor.name.replace('faultline.', ''), attributes['category'], attributes['reason']].join(' ').trim(),
          value,
        ]),
      ),
    );
  };
}

it('the ledger is in the metrics of the application, by category and reason', async () => {
  const collect = setUpMetrics();
  await tell({ beforeSend: (event) => (event.message === 'dropped' ? null : event) }, async () => {
    expect(await collect()).toEqual({});
    captureMessage('sent');
    captureMessage('dropped');
    expect(await collect()).toEqual({
      'captured error': 2,
      'delivered error': 0,
      'stored error': 0,
      'queued error': 2,
    });
    await flush(5000);
    expect(await collect()).toEqual({
      'captured error': 2,
      'delivered error': 1,
      'stored error': 0,
      'queued error': 0,
      'discarded error before_send': 1,
    });
    captureMessage('sent, too');
    await flush(5000);
    expect(await collect()).toMatchObject({ 'captured error': 3, 'delivered error': 2, 'queued error': 0 });
  });
});

it('metrics that are set up after init have the ledger, too', async () => {
  await tell({}, async () => {
    captureMessage('early');
    const collect = setUpMetrics();
    await eventually(async () => expect(await collect()).toMatchObject({ 'captured error': 1 }));
  });
});

it('the ledger is not read for metrics once the client is closed', async () => {
  const collect = setUpMetrics();
  await tell({}, async ({ client }) => {
    captureMessage('sent');
    expect(await collect()).toMatchObject({ 'captured error': 1 });
    await close(5000);
    const balance = vi.spyOn(client.ledger, 'balance');
    await collect();
    expect(balance).not.toHaveBeenCalled();
    balance.mockRestore();
  });
});

it('a meter provider that throws does no harm', async () => {
  metrics.setGlobalMeterProvider({
    getMeter: () => {
      throw new Error('broken');
    },
  });
  await tell({}, async ({ receiver }) => {
    captureMessage('sent');
    expect(await flush(5000)).toBe(true);
    expect(receiver.events).toHaveLength(1);
  });
});
