import { afterEach, expect, it } from 'vitest';
import { type ClientOptions, captureMessage, getGlobalScope, init, type SpanJSON, startSpan } from '../../src/index.js';
import { resetOpenTelemetry } from '../support/story.js';

afterEach(async () => {
  await getGlobalScope().getClient()?.close(1);
  resetOpenTelemetry();
});

const returnsNothing = (() => undefined) as unknown as () => null;
const throws = () => {
  throw new Error('no');
};

it.each<[name: string, options: ClientOptions, problem: string]>([
  ['beforeSend', { beforeSend: returnsNothing }, 'beforeSend must return null or an event, but returned undefined'],
  ['beforeSend', { beforeSend: () => Promise.reject(new Error('later')) }, 'beforeSend rejected: Error: later'],
  ['beforeSendTransaction', { beforeSendTransaction: throws }, 'beforeSendTransaction threw: Error: no'],
  [
    'beforeSendSpan',
    { beforeSendSpan: returnsNothing as unknown as (span: SpanJSON) => SpanJSON },
    'beforeSendSpan must return a span, but returned undefined',
  ],
])('a %s that fails is a problem of the setup until it is corrected', async (name, options, problem) => {
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    tracesSampleRate: 1,
    quiet: true,
    defaultIntegrations: false,
    ...options,
  });
  startSpan({ name: 'root' }, () => void captureMessage('lost'));
  await client.flush(2000);
  const [found, ...others] = client.openTelemetryStatus().problems;
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: 'hook-fails', message: expect.stringContaining(`${problem}.`) });
  expect(found?.remedy).toBe(`init({ ...options, ${name}: (data) => data });`);
});

it('a hook that drops an event on purpose is no problem', async () => {
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    quiet: true,
    defaultIntegrations: false,
    beforeSend: () => null,
  });
  captureMessage('dropped');
  await client.flush(2000);
  expect(client.openTelemetryStatus().problems).toEqual([]);
});

it.each([
  ['that rejects', () => Promise.reject(new Error('late'))],
  ['that returns nothing', async () => undefined as unknown as null],
])('a hook %s after its client was replaced is no problem of the new client', async (_, answer) => {
  const options: ClientOptions = { dsn: 'http://key@127.0.0.1:1/1', quiet: true, defaultIntegrations: false };
  const replaced = init({ ...options, beforeSend: answer });
  captureMessage('waits');
  const client = init(options);
  await replaced.close(1);
  expect(client.openTelemetryStatus().problems).toEqual([]);
});
