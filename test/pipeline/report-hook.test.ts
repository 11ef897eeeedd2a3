import { afterEach, expect, it } from 'vitest';
import {
  addBreadcrumb,
  type ClientOptions,
  captureMessage,
  getGlobalScope,
  init,
  type SpanJSON,
  startSpan,
} from '../../src/index.js';
import { resetOpenTelemetry, tell } from '../support/story.js';

afterEach(async () => {
  await getGlobalScope().getClient()?.close(1);
  resetOpenTelemetry();
});

const returnsNothing = (() => undefined) as unknown as () => null;
const returnsError = (() => new Error('no')) as unknown as () => null;
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
  [
    'beforeSendTransaction',
    { beforeSendTransaction: returnsError },
    'beforeSendTransaction must return null or an event, but returned an error',
  ],
  [
    'beforeSendSpan',
    { beforeSendSpan: returnsError as never },
    'beforeSendSpan must return a span, but returned an error',
  ],
  ['beforeBreadcrumb', { beforeBreadcrumb: returnsError }, 'beforeBreadcrumb returned an error'],
])('a %s that fails is a problem of the setup until it is corrected', async (name, options, problem) => {
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    tracesSampleRate: 1,
    quiet: true,
    defaultIntegrations: false,
    ...options,
  });
  addBreadcrumb({ message: 'one' });
  startSpan({ name: 'root' }, () => void captureMessage('lost'));
  await client.flush(2000);
  const [found, ...others] = client.openTelemetryStatus().problems;
  expect(others).toEqual([]);
  expect(found).toMatchObject({ code: 'hook-fails', message: expect.stringContaining(`${problem}.`) });
  expect(found?.remedy).toBe(`init({ ...options, ${name}: (data) => data });`);
});

it.each<[returned: unknown, name: string]>([
  [[{ message: 'm' }], 'an array'],
  [new TypeError('m'), 'an error'],
  [new Date(), 'a Date'],
  [new Map([['message', 'm']]), 'a Map'],
  [new Set(['m']), 'a Set'],
  [/m/, 'a RegExp'],
  [new String('m'), 'a boxed primitive'],
  [Buffer.from('m'), 'binary data'],
  [new ArrayBuffer(1), 'binary data'],
])('a beforeSend that returns %o discards the event, and a problem names what it was', async (returned, name) => {
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    quiet: true,
    defaultIntegrations: false,
    beforeSend: () => returned as null,
  });
  captureMessage('lost');
  await client.flush(2000);
  const message = expect.stringContaining(`beforeSend must return null or an event, but returned ${name}.`);
  expect(client.openTelemetryStatus().problems).toMatchObject([{ message }]);
  expect(client.ledger.balance().error).toMatchObject({ captured: 1, discarded: 1 });
});

it('an event processor that returns an error discards the event', async () => {
  const client = init({ dsn: 'http://key@127.0.0.1:1/1', quiet: true, defaultIntegrations: false });
  client.addEventProcessor(() => new Error('no') as never);
  captureMessage('lost');
  await client.flush(2000);
  const message = expect.stringContaining('an event processor must return null or an event, but returned an error.');
  expect(client.openTelemetryStatus().problems).toMatchObject([{ message }]);
  expect(client.ledger.balance().error).toMatchObject({ captured: 1, discarded: 1 });
});

class OwnEvent {
  constructor(readonly message: string) {}
}

it.each<[string, unknown]>([
  ['of a class', new OwnEvent('mine')],
  ['without a prototype', Object.assign(Object.create(null), { message: 'mine' })],
  ['behind a proxy', new Proxy({ message: 'mine' }, {})],
])('an event %s is an event', async (_, event) => {
  await tell(
    { defaultIntegrations: false, beforeSend: () => event as never },
    () => void captureMessage('replaced'),
    ({ receiver }) => expect(receiver.events).toMatchObject([{ message: 'mine' }]),
  );
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
