import { describe, expect, it } from 'vitest';
import {
  captureException,
  captureMessage,
  type Event,
  getClient,
  Scope,
  startSpan,
  withIsolationScope,
  withScope,
} from '../../src/index.js';
import { SPAN_ID, send, sendEvent, TRACE_ID, UPSTREAM } from './send.js';

const SESSION = { sid: UPSTREAM.traceId, init: true, started: 1, timestamp: 1, status: 'ok', errors: 0 } as const;
const BREADCRUMB = { message: 'item added', timestamp: 1 };
const ATTACHMENT = { filename: 'a.txt', data: 'x' };
const PROPAGATION = { ...UPSTREAM, sampleRand: 0.5 };
const processor = (event: Event) => event;

/** The message event of a block in which the scope has been prepared. */
function sendFrom(prepare: (scope: Scope) => unknown) {
  return sendEvent(() =>
    withScope((scope) => {
      prepare(scope);
      captureMessage('m');
    }),
  );
}

describe('Scope', () => {
  it('is created by a constructor without arguments, with default values', () => {
    const scope = new Scope();
    expect(scope.getScopeData()).toEqual({
      eventProcessors: [],
      breadcrumbs: [],
      user: {},
      tags: {},
      attributes: {},
      extra: {},
      contexts: {},
      attachments: [],
      propagationContext: expect.objectContaining({
        traceId: expect.stringMatching(TRACE_ID),
        spanId: expect.stringMatching(SPAN_ID),
      }),
      sdkProcessingMetadata: {},
      fingerprint: [],
    });
    expect(scope.getSession()).toBeUndefined();
    expect(scope.getClient()).toBeUndefined();
    expect(scope.lastEventId()).toBeUndefined();
  });

  it.each<[title: string, prepare: (scope: Scope) => unknown, sent: object]>([
    [
      'eventProcessors run on its events',
      (scope) => scope.addEventProcessor((event) => ({ ...event, logger: 'processed' })),
      { logger: 'processed' },
    ],
    ['breadcrumbs are on its events', (scope) => scope.addBreadcrumb(BREADCRUMB), { breadcrumbs: [BREADCRUMB] }],
    ['user is on its events', (scope) => scope.setUser({ id: '42' }), { user: { id: '42' } }],
    ['tags are on its events', (scope) => scope.setTag('region', 'eu'), { tags: { region: 'eu' } }],
    ['extra is on its events', (scope) => scope.setExtra('order', 7), { extra: { order: 7 } }],
    [
      'contexts are on its events',
      (scope) => scope.setContext('shop', { name: 'eu' }),
      { contexts: { shop: { name: 'eu' } } },
    ],
    [
      'propagationContext gives its events their trace and span ids',
      (scope) => scope.setPropagationContext(PROPAGATION),
      { contexts: { trace: { trace_id: UPSTREAM.traceId, span_id: UPSTREAM.spanId } } },
    ],
    [
      'fingerprint, optional, is on its events',
      (scope) => scope.setFingerprint(['checkout']),
      { fingerprint: ['checkout'] },
    ],
    ['level, optional, is on its events', (scope) => scope.setLevel('fatal'), { level: 'fatal' }],
    [
      'transactionName, optional, names its error events',
      (scope) => scope.setTransactionName('GET /cart'),
      { transaction: 'GET /cart' },
    ],
  ])('%s', async (_, prepare, sent) => {
    expect(await sendFrom(prepare)).toMatchObject(sent);
  });

  it('attachments leave with its events', async () => {
    const receiver = await send(() =>
      withScope((scope) => {
        scope.addAttachment(ATTACHMENT);
        captureMessage('m');
      }),
    );
    expect(receiver.attachments.map(({ headers }) => headers.filename)).toEqual(['a.txt']);
  });

  it('attributes are RawAttributes', () => {
    const scope = new Scope().setAttributes({ region: 'eu', shards: [1, 2] }).setAttribute('primary', true);
    expect(scope.getScopeData().attributes).toEqual({ region: 'eu', shards: [1, 2], primary: true });
  });

  it('sdkProcessingMetadata reaches processors, and is never sent', async () => {
    const seen: unknown[] = [];
    const event = await sendFrom((scope) =>
      scope.setSDKProcessingMetadata({ mine: { a: 1 } }).addEventProcessor((given) => {
        seen.push(given.sdkProcessingMetadata?.['mine']);
        return given;
      }),
    );
    expect(seen).toEqual([{ a: 1 }]);
    expect(event).not.toHaveProperty('sdkProcessingMetadata');
  });

  it('session, optional, is a Session', () => {
    const scope = new Scope().setSession({ ...SESSION });
    expect(scope.getSession()).toMatchObject({ sid: UPSTREAM.traceId, status: 'ok' });
    expect(scope.setSession().getSession()).toBeUndefined();
  });

  it('client, optional, is the one that its block uses', async () => {
    await send(({ client }) => {
      const scope = new Scope().setClient(client);
      expect(scope.getClient()).toBe(client);
      withScope(scope, () => expect(getClient()).toBe(client));
    });
  });

  it('lastEventId, optional, is the id of the last error event', async () => {
    await sendEvent(() =>
      withIsolationScope((isolation) => {
        const id = captureException(new Error('no'));
        expect(isolation.lastEventId()).toBe(id);
      }),
    );
  });

  it('conversationId, optional, is kept', () => {
    expect(new Scope().setConversationId('c-7').getScopeData().conversationId).toBe('c-7');
  });

  it('ScopeData has every member that was set, and no other', () => {
    const scope = new Scope()
      .addEventProcessor(processor)
      .addBreadcrumb(BREADCRUMB)
      .setUser({ id: '42' })
      .setTag('region', 'eu')
      .setAttribute('shard', 7)
      .setExtra('order', 7)
      .setContext('shop', { name: 'eu' })
      .addAttachment(ATTACHMENT)
      .setPropagationContext(PROPAGATION)
      .setSDKProcessingMetadata({ mine: 1 })
      .setFingerprint(['checkout'])
      .setLevel('fatal')
      .setTransactionName('GET /cart')
      .setConversationId('c-7');
    expect(scope.getScopeData()).toStrictEqual({
      eventProcessors: [processor],
      breadcrumbs: [BREADCRUMB],
      user: { id: '42' },
      tags: { region: 'eu' },
      attributes: { shard: 7 },
      extra: { order: 7 },
      contexts: { shop: { name: 'eu' } },
      attachments: [ATTACHMENT],
      propagationContext: PROPAGATION,
      sdkProcessingMetadata: { mine: 1 },
      fingerprint: ['checkout'],
      level: 'fatal',
      transactionName: 'GET /cart',
      conversationId: 'c-7',
    });
  });

  it('ScopeData is a copy: changing it leaves the scope alone', () => {
    const scope = new Scope().setTag('region', 'eu').addBreadcrumb(BREADCRUMB);
    const data = scope.getScopeData();
    data.tags['region'] = 'us';
    data.breadcrumbs.push({ message: 'mine' });
    expect(scope.getScopeData()).toMatchObject({ tags: { region: 'eu' }, breadcrumbs: [BREADCRUMB] });
  });

  it('ScopeData has fingerprint always, empty when none was set', () => {
    expect(new Scope().getScopeData().fingerprint).toEqual([]);
    expect(new Scope().setFingerprint(['checkout']).getScopeData().fingerprint).toEqual(['checkout']);
  });

  it('ScopeData has no span: events of the scope carry the ids of the active one', async () => {
    const { events, transactions } = await send(
      () =>
        startSpan({ name: 'work' }, () =>
          withScope((scope) => {
            expect(scope.setTag('inner', 'true').getScopeData()).not.toHaveProperty('span');
            captureMessage('m');
          }),
        ),
      { tracesSampleRate: 1 },
    );
    const { trace_id, span_id } = transactions[0]!.contexts.trace;
    expect(events[0]).toMatchObject({ tags: { inner: 'true' }, contexts: { trace: { trace_id, span_id } } });
  });
});
