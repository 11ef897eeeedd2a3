import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { captureException, captureMessage, flush, Scope, withScope } from '../../src/index.js';
import { eventually } from '../support/eventually.js';
import { tell } from '../support/story.js';

const readValue = ({ exception }: { exception: { values: { value: string }[] } }) => exception.values.at(-1)!.value;

function captureMany(count: number, create: (index: number) => unknown = () => new Error('no connection')): void {
  for (let i = 0; i < count; i++) {
    const error = create(i);
    withScope((scope) => {
      scope.setTag('index', i);
      captureException(error);
    });
  }
}

describe('a storm of the same error', () => {
  it('sends the first ones and the last one, which says how many were not sent', { timeout: 60_000 }, async () => {
    await tell({}, async ({ receiver, client }) => {
      const begin = performance.now();
      captureMany(20_000);
      const seconds = Math.ceil((performance.now() - begin) / 1000);
      expect(await flush(10_000)).toBe(true);
      const { events } = receiver;
      // A busy machine may need more than one second for them; each second has a last one.
      const counts = events.map(({ extra }) => Number(extra?.['same_errors_not_sent'] ?? 0));
      const notSent = counts.reduce((sum, count) => sum + count, 0);
      expect(events.length + notSent).toBe(20_000);
      expect(events.length).toBeLessThanOrEqual((seconds + 1) * 101);
      const indexes = events.map(({ tags }) => Number(tags['index'])).sort((a, b) => a - b);
      expect(indexes.slice(0, 100)).toEqual(Array.from({ length: 100 }, (_, index) => index));
      const last = events.find(({ tags }) => tags['index'] === '19999');
      expect(last?.extra?.['same_errors_not_sent']).toBeGreaterThan(0);
      expect(client.ledger.balance().error).toMatchObject({ captured: 20_000, delivered: events.length, queued: 0 });
      await receiver.waitFor(() => receiver.discardedTotal('backpressure', 'error') === notSent);
    });
  });

  it('does not hold other errors back', async () => {
    await tell({}, async ({ receiver }) => {
      captureMany(800, (index) => (index % 80 === 7 ? new Error(`rare ${index}`) : new Error('no connection')));
      const elsewhere = () => new Error('no connection');
      captureException(elsewhere());
      withScope((scope) => {
        scope.setFingerprint(['of its own']);
        captureException(new Error('no connection'));
      });
      captureException(new TypeError('no connection'));
      await flush(10_000);
      const rare = receiver.events.filter((event) => readValue(event).startsWith('rare'));
      expect(rare).toHaveLength(10);
      expect(receiver.events.filter(({ fingerprint }) => fingerprint)).toHaveLength(1);
      expect(receiver.events.filter(({ exception }) => exception.values[0]!.type === 'TypeError')).toHaveLength(1);
      const functions = receiver.events.map(
        ({ exception }) => exception.values[0]!.stacktrace?.frames.at(-1)?.function,
      );
      expect(functions.filter((name) => name === 'elsewhere')).toHaveLength(1);
    });
  });

  it('is told apart by the fingerprints of the capture context, also by those of a scope', async () => {
    await tell({ maxSameErrorsPerSecond: 1 }, ({ receiver }) => {
      const create = () => new Error('no connection');
      for (const one of ['a', 'b', 'c']) captureException(create(), { fingerprint: [one] });
      for (const one of ['d', 'e', 'f']) captureException(create(), new Scope().setFingerprint([one]));
      return eventually(() =>
        expect(receiver.events.map(({ fingerprint }) => fingerprint?.[0]).sort()).toEqual([...'abcdef']),
      );
    });
  });

  it('loses none to fingerprints that cannot become a string', async () => {
    await tell(
      { maxSameErrorsPerSecond: 1 },
      () => {
        for (const one of [Symbol('a'), Object.create(null)])
          captureException(new Error(typeof one), { fingerprint: [one, 'b'] as string[] });
      },
      ({ receiver }) => expect(receiver.events.map(({ fingerprint }) => fingerprint)).toEqual([['b'], ['b']]),
    );
  });

  it('ends at the limit of the option', async () => {
    await tell({ maxSameErrorsPerSecond: Number.POSITIVE_INFINITY }, async ({ receiver }) => {
      captureMany(300);
      await flush(10_000);
      expect(receiver.events).toHaveLength(300);
    });
  });

  it('is no longer than the limit and its last one', async () => {
    await tell({ maxSameErrorsPerSecond: 3 }, async ({ receiver }) => {
      captureMany(150);
      await flush(10_000);
      const sent = receiver.events.map(({ tags, extra }) => [tags['index'], extra?.['same_errors_not_sent']]);
      expect(sent).toEqual([
        ['0', undefined],
        ['1', undefined],
        ['2', undefined],
        ['149', 146],
      ]);
    });
  });

  it('is sent by itself when its second is over', async () => {
    await tell({ maxSameErrorsPerSecond: 1 }, async ({ receiver }) => {
      captureMany(5);
      const last = await receiver.waitFor(() => receiver.events.find(({ extra }) => extra?.['same_errors_not_sent']));
      expect(last.tags['index']).toBe('4');
    });
  });
});

it('messages that are alike are all sent', async () => {
  await tell({}, async ({ receiver }) => {
    for (let i = 0; i < 300; i++) captureMessage('again');
    await flush(10_000);
    expect(receiver.events).toHaveLength(300);
  });
});

it('1,000 errors and 10,000 spans in one tick lose no error', { timeout: 120_000 }, async () => {
  // In a process of its own, because the receiver of the other tests judges every item, which takes long for so many.
  const program = `
    const { createServer } = require('node:http');
    const { captureException, flush, getClient, init, startInactiveSpan } = require(${JSON.stringify(resolve('dist/index.cjs'))});
    const server = createServer((request, response) => request.resume().on('end', () => response.end('{}')));
    server.listen(0, '127.0.0.1', async () => {
      init({ dsn: 'http://key@127.0.0.1:' + server.address().port + '/1', tracesSampleRate: 1 });
      for (let i = 0; i < 10_000; i++) {
        startInactiveSpan({ name: 'span ' + i, forceTransaction: true }).end();
        if (i % 10 === 0) captureException(new Error('error ' + i));
      }
      await flush(100_000);
      console.log(JSON.stringify(getClient().ledger.balance()));
      process.exit();
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program]);
  const { error, span } = JSON.parse(stdout);
  expect(error).toMatchObject({ captured: 1000, delivered: 1000, discarded: 0 });
  expect(span).toMatchObject({ captured: 10_000, queued: 0 });
});

it('a destination that takes a second for each request gets more at once, and no error is lost', {
  timeout: 120_000,
}, async () => {
  const program = `
    const { createServer } = require('node:http');
    const { captureException, flush, getClient, init, startSpan } = require(${JSON.stringify(resolve('dist/index.cjs'))});
    let open = 0;
    let most = 0;
    const server = createServer((request, response) => {
      most = Math.max(most, ++open);
      request.resume().on('end', () => setTimeout(() => { open -= 1; response.end('{}'); }, 1000));
    });
    server.listen(0, '127.0.0.1', () => {
      init({
        dsn: 'http://key@127.0.0.1:' + server.address().port + '/1',
        tracesSampleRate: 1,
        transportOptions: { bufferSize: 300, store: false },
      });
      let turns = 0;
      const timer = setInterval(async () => {
        for (let i = 0; i < 4; i++) startSpan({ name: 'work' }, () => undefined);
        captureException(new Error('error ' + turns));
        if (++turns < 200) return;
        clearInterval(timer);
        await flush(60_000);
        console.log(JSON.stringify({ most, ...getClient().ledger.balance() }));
        process.exit();
      }, 20);
    });`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--eval', program]);
  const { most, error, transaction } = JSON.parse(stdout);
  expect(error).toMatchObject({ captured: 200, delivered: 200, discarded: 0 });
  expect(transaction).toMatchObject({ captured: 800, queued: 0 });
  expect(most).toBeGreaterThan(32);
});
