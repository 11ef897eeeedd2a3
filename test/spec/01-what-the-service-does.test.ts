import { describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  Client,
  type ClientOptions,
  captureEvent,
  captureException,
  captureMessage,
  getClient,
  getCurrentScope,
  init,
  startSpan,
  withScope,
} from '../../src/index.js';
import { resetOpenTelemetry } from '../support/story.js';
import { send, sendEvent, sendTransaction, UPSTREAM } from './send.js';

describe('What the service does', () => {
  it('captures errors, messages, custom events and transactions, and hands them to a transport', async () => {
    const receiver = await send(
      () => {
        captureException(new Error('an error'));
        captureMessage('a message');
        captureEvent({ message: 'custom', logger: 'audit' });
        startSpan({ name: 'work' }, () => undefined);
      },
      { tracesSampleRate: 1 },
    );
    expect(receiver.events).toHaveLength(3);
    expect(receiver.events).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ exception: { values: [expect.objectContaining({ value: 'an error' })] } }),
        expect.objectContaining({ message: 'a message' }),
        expect.objectContaining({ message: 'custom', logger: 'audit' }),
      ]),
    );
    expect(receiver.transactions).toMatchObject([{ transaction: 'work' }]);
  });

  it('is configured once, through init, which takes an options object', async () => {
    const client = init({ environment: 'staging' });
    expect(client).toBeInstanceOf(Client);
    expect(getClient()).toBe(client);
    expect(client.settings.environment).toBe('staging');
    await client.close();
    resetOpenTelemetry();
  });

  it('sends error events, transactions and other kinds to the destination that dsn names', async () => {
    let key = '';
    const receiver = await send((stage) => {
      key = new URL(stage.receiver.dsn).username;
      captureEvent({ message: 'error' });
      captureEvent({ type: 'transaction', transaction: 'work', start_timestamp: 1, timestamp: 2 });
      captureEvent({ type: 'feedback', contexts: { feedback: { message: 'nice' } } });
    });
    expect(receiver.items().map(({ headers }) => headers.type)).toHaveLength(3);
    expect(new Set(receiver.items().map(({ headers }) => headers.type))).toEqual(
      new Set(['event', 'transaction', 'feedback']),
    );
    for (const { method, path, query } of receiver.requests) {
      expect([method, path]).toEqual(['POST', '/api/1/envelope/']);
      expect(query.get('sentry_key')).toBe(key);
    }
  });

  it('merges everything a scope holds into events', async () => {
    const receiver = await send(() =>
      withScope((scope) => {
        scope
          .setUser({ id: '42' })
          .setTag('tag', 'a')
          .setExtra('extra', 'b')
          .setContext('shop', { name: 'c' })
          .addBreadcrumb({ message: 'd' })
          .addAttachment({ filename: 'e.txt', data: 'f' })
          .addEventProcessor((event) => ({ ...event, logger: 'g' }))
          .setFingerprint(['h'])
          .setLevel('debug')
          .setPropagationContext({ traceId: UPSTREAM.traceId, sampleRand: 0.5 });
        captureEvent({ message: 'm' });
      }),
    );
    expect(receiver.events).toHaveLength(1);
    expect(receiver.events[0]).toMatchObject({
      user: { id: '42' },
      tags: { tag: 'a' },
      extra: { extra: 'b' },
      contexts: { shop: { name: 'c' }, trace: { trace_id: UPSTREAM.traceId } },
      breadcrumbs: [{ message: 'd' }],
      logger: 'g',
      fingerprint: ['h'],
      level: 'debug',
    });
    expect(receiver.attachments.map(({ headers, payload }) => [headers.filename, payload.toString()])).toEqual([
      ['e.txt', 'f'],
    ]);
  });

  it.each<[title: string, tracesSampleRate: number, kept: boolean]>([
    ['lets child spans inherit that their root is sampled', 1, true],
    ['lets child spans inherit that their root is not sampled', 0, false],
  ])('%s', async (_, tracesSampleRate, kept) => {
    const receiver = await send(
      () =>
        startSpan({ name: 'root' }, (root) =>
          startSpan({ name: 'child' }, (child) =>
            startSpan({ name: 'grandchild' }, (grandchild) => {
              const ids = [root, child, grandchild].map((span) => span.spanContext());
              expect(new Set(ids.map(({ traceId }) => traceId)).size).toBe(1);
              expect(ids.map(({ traceFlags }) => traceFlags)).toEqual(Array(3).fill(Number(kept)));
            }),
          ),
        ),
      { tracesSampleRate },
    );
    const names = receiver.transactions.map(({ transaction, spans }) => [
      transaction,
      ...spans.map(({ description }) => description),
    ]);
    expect(names).toEqual(kept ? [['root', expect.stringMatching('child'), expect.stringMatching('child')]] : []);
  });

  const keepAll = { tracesSampleRate: 1 };
  it.each<[title: string, options: ClientOptions, sent: [errors: number, transactions: number, crumbs: number]]>([
    ['lets sampleRate decide which errors leave', { ...keepAll, sampleRate: 0 }, [0, 1, 0]],
    ['lets tracesSampleRate decide which transactions leave', { tracesSampleRate: 0 }, [1, 0, 1]],
    ['lets tracesSampler decide which transactions leave', { tracesSampler: () => 0 }, [1, 0, 1]],
    ['lets beforeSend decide which errors leave', { ...keepAll, beforeSend: () => null }, [0, 1, 0]],
    [
      'lets beforeSendTransaction decide which transactions leave',
      { ...keepAll, beforeSendTransaction: () => null },
      [1, 0, 1],
    ],
    ['lets beforeBreadcrumb decide which breadcrumbs leave', { ...keepAll, beforeBreadcrumb: () => null }, [1, 1, 0]],
    ['lets ignoreErrors decide which errors leave', { ...keepAll, ignoreErrors: ['lost'] }, [0, 1, 0]],
    [
      'lets ignoreTransactions decide which transactions leave',
      { ...keepAll, ignoreTransactions: ['work'] },
      [1, 0, 1],
    ],
    ['lets allowUrls decide which errors leave', { ...keepAll, allowUrls: ['elsewhere'] }, [0, 1, 0]],
    ['lets denyUrls decide which errors leave', { ...keepAll, denyUrls: [/what-the-service-does/] }, [0, 1, 0]],
    ['lets everything leave without sampling below 1, hooks and filters', keepAll, [1, 1, 1]],
  ])('%s', async (_, options, sent) => {
    const { events, transactions } = await send(() => {
      addBreadcrumb({ message: 'crumb' });
      startSpan({ name: 'work' }, () => undefined);
      captureException(new Error('connection lost'));
    }, options);
    const crumbs = events.flatMap(({ breadcrumbs = [] }) => breadcrumbs);
    expect([events.length, transactions.length, crumbs.length]).toEqual(sent);
  });

  it('lets a beforeSampling hook decide which transactions leave', async () => {
    const transaction = await sendTransaction(
      ({ client }) => {
        client.on('beforeSampling', ({ spanName }, samplingDecision) => {
          if (spanName === 'important') samplingDecision.decision = true;
        });
        startSpan({ name: 'important' }, () => undefined);
        startSpan({ name: 'other' }, () => undefined);
      },
      { tracesSampleRate: 0 },
    );
    expect(transaction.transaction).toBe('important');
  });

  it('normalizes events before sending: long strings are cut, circular references are replaced', async () => {
    const circular: Record<string, unknown> = { name: 'ring' };
    circular['self'] = circular;
    const event = await sendEvent(() => {
      getCurrentScope().setExtra('circular', circular);
      captureMessage('x'.repeat(1000));
    });
    expect(event.message).toBe(`${'x'.repeat(250)}...`);
    expect(event.extra).toEqual({ circular: { name: 'ring', self: '[Circular ~]' } });
  });
});
