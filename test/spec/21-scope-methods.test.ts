import { describe, expect, it } from 'vitest';
import { captureMessage, type Event, Scope, withScope } from '../../src/index.js';
import type { ReceivedErrorEvent } from '../support/receiver.js';
import { SPAN_ID, send, sendEvent, TRACE_ID, UPSTREAM } from './send.js';

/** The event of a block whose scope has been prepared. */
function sendFrom(prepare: (scope: Scope) => unknown): Promise<ReceivedErrorEvent> {
  return sendEvent(() =>
    withScope((scope) => {
      prepare(scope);
      captureMessage('m');
    }),
  );
}

/** A scope with something of everything. */
function fullScope(): Scope {
  return new Scope()
    .setUser({ id: '42' })
    .setTag('region', 'eu')
    .setAttribute('shard', 7)
    .setExtra('order', 7)
    .setContext('shop', { name: 'eu' })
    .setLevel('fatal')
    .setFingerprint(['checkout'])
    .setTransactionName('GET /cart')
    .addBreadcrumb({ message: 'a', timestamp: 1 })
    .addEventProcessor((event) => event)
    .addAttachment({ filename: 'a.txt', data: 'x' })
    .setPropagationContext({ traceId: UPSTREAM.traceId, sampleRand: 0.5 })
    .setSDKProcessingMetadata({ mine: 1 });
}

const crumbsOf = (scope: Scope) => scope.getScopeData().breadcrumbs.map(({ message }) => message);

describe('Scope methods', () => {
  it('clone() returns a new scope with copied data', () => {
    const scope = fullScope();
    const clone = scope.clone();
    expect(clone).toBeInstanceOf(Scope);
    expect(clone).not.toBe(scope);
    expect(clone.getScopeData()).toEqual(scope.getScopeData());
  });

  it('clone() makes scopes of which neither sees what the other is told later', () => {
    const scope = fullScope();
    const clone = scope.clone();
    clone.setTag('only', 'clone').setUser({ id: '7' }).addBreadcrumb({ message: 'b' }).setContext('shop', null);
    scope.setTag('only', 'original').setExtra('order', 8).setLevel('debug');
    expect(scope.getScopeData()).toMatchObject({
      tags: { region: 'eu', only: 'original' },
      user: { id: '42' },
      extra: { order: 8 },
      level: 'debug',
      contexts: { shop: { name: 'eu' } },
    });
    expect(clone.getScopeData()).toMatchObject({
      tags: { region: 'eu', only: 'clone' },
      user: { id: '7' },
      extra: { order: 7 },
      level: 'fatal',
      contexts: {},
    });
    expect([crumbsOf(scope), crumbsOf(clone)]).toEqual([['a'], ['a', 'b']]);
  });

  it('setUser(user) sets the user', async () => {
    expect((await sendFrom((scope) => scope.setUser({ id: '42' }))).user).toEqual({ id: '42' });
  });

  it('setUser(null) unsets the user', async () => {
    const event = await sendFrom((scope) => scope.setUser({ id: '42' }).setUser(null));
    expect(event).not.toHaveProperty('user');
  });

  it('getUser() returns the user, or undefined', () => {
    const scope = new Scope();
    expect(scope.getUser()).toBeUndefined();
    expect(scope.setUser({ id: '42' }).getUser()).toEqual({ id: '42' });
    expect(scope.setUser(null).getUser()).toBeUndefined();
  });

  it.each<[title: string, prepare: (scope: Scope) => unknown, sent: Partial<Event>]>([
    [
      'setTag(key, value) sets one tag',
      (scope) => scope.setTag('a', '1').setTag('b', 'x').setTag('a', '2'),
      { tags: { a: '2', b: 'x' } },
    ],
    [
      'setTags(tags) sets many tags, beside those that are there',
      (scope) => scope.setTags({ a: '1', b: '1' }).setTags({ b: '2', c: '3' }),
      { tags: { a: '1', b: '2', c: '3' } },
    ],
    [
      'setExtra(key, extra) sets any value',
      (scope) => scope.setExtra('a', ['x', { b: 1 }]),
      { extra: { a: ['x', { b: 1 }] } },
    ],
    [
      'setExtras(extras) sets many, beside those that are there',
      (scope) => scope.setExtras({ a: 1, b: 1 }).setExtras({ b: [2] }),
      { extra: { a: 1, b: [2] } },
    ],
    [
      'setContext(key, context) sets a context',
      (scope) => scope.setContext('shop', { name: 'eu' }),
      { contexts: { shop: { name: 'eu' } } },
    ],
    [
      'setContexts(contexts) sets many, beside those that are there',
      (scope) => scope.setContext('a', { x: 1 }).setContexts({ b: { x: 2 }, c: { x: 3 } }),
      { contexts: { a: { x: 1 }, b: { x: 2 }, c: { x: 3 } } },
    ],
    ['setLevel(level) sets the level', (scope) => scope.setLevel('warning'), { level: 'warning' }],
    [
      'setFingerprint(fingerprint) sets the fingerprint',
      (scope) => scope.setFingerprint(['a']).setFingerprint(['b', 'c']),
      { fingerprint: ['b', 'c'] },
    ],
  ])('%s', async (_, prepare, sent) => {
    const event = await sendFrom(prepare);
    expect(event).toMatchObject(sent);
    for (const member of ['tags', 'extra'] as const) expect(event[member]).toEqual(sent[member]);
  });

  it('setContext(key, null) removes the context', async () => {
    const event = await sendFrom((scope) =>
      scope.setContexts({ shop: { a: 1 }, cart: { b: 2 } }).setContext('shop', null),
    );
    expect(event.contexts).not.toHaveProperty('shop');
    expect(event.contexts).toMatchObject({ cart: { b: 2 } });
  });

  it('addBreadcrumb(breadcrumb) appends a breadcrumb', async () => {
    const event = await sendFrom((scope) => scope.addBreadcrumb({ message: 'a' }).addBreadcrumb({ message: 'b' }));
    expect(event.breadcrumbs?.map(({ message }) => message)).toEqual(['a', 'b']);
  });

  it('addBreadcrumb(breadcrumb, maxBreadcrumbs) keeps the newest of that number', async () => {
    const event = await sendFrom((scope) => {
      for (const message of ['a', 'b', 'c', 'd']) scope.addBreadcrumb({ message }, 2);
    });
    expect(event.breadcrumbs?.map(({ message }) => message)).toEqual(['c', 'd']);
  });

  it('addBreadcrumb(breadcrumb) keeps 100 by default', async () => {
    const event = await sendFrom((scope) => {
      for (let i = 1; i <= 101; i++) scope.addBreadcrumb({ message: String(i) });
    });
    expect(event.breadcrumbs).toHaveLength(100);
    expect([event.breadcrumbs?.[0]?.message, event.breadcrumbs?.[99]?.message]).toEqual(['2', '101']);
  });

  it('getLastBreadcrumb() returns the most recent one, or undefined', () => {
    const scope = new Scope();
    expect(scope.getLastBreadcrumb()).toBeUndefined();
    scope.addBreadcrumb({ message: 'a' }).addBreadcrumb({ message: 'b' });
    expect(scope.getLastBreadcrumb()).toMatchObject({ message: 'b' });
  });

  it('clearBreadcrumbs() takes all breadcrumbs away, and nothing else', async () => {
    const event = await sendFrom((scope) => scope.setTag('a', '1').addBreadcrumb({ message: 'a' }).clearBreadcrumbs());
    expect(event).not.toHaveProperty('breadcrumbs');
    expect(event.tags).toEqual({ a: '1' });
  });

  it('addEventProcessor(callback) runs the callback on events before they are sent', async () => {
    const event = await sendFrom((scope) =>
      scope
        .addEventProcessor((given) => ({ ...given, message: `${given.message} 1` }))
        .addEventProcessor(async (given) => ({ ...given, message: `${given.message} 2` })),
    );
    expect(event.message).toBe('m 1 2');
  });

  it('addAttachment(attachment) sends the attachment with events', async () => {
    const receiver = await send(() =>
      withScope((scope) => {
        scope.addAttachment({ filename: 'a.txt', data: 'x' }).addAttachment({ filename: 'b.txt', data: 'y' });
        captureMessage('m');
      }),
    );
    expect(receiver.attachments.map(({ headers, payload }) => [headers.filename, payload.toString()])).toEqual([
      ['a.txt', 'x'],
      ['b.txt', 'y'],
    ]);
  });

  it('clear() clears all scope data', async () => {
    const scope = fullScope();
    const { propagationContext: old } = scope.getScopeData();
    expect(scope.clear().getScopeData()).toEqual({
      ...new Scope().getScopeData(),
      propagationContext: expect.objectContaining({ traceId: expect.stringMatching(TRACE_ID) }),
    });
    expect(scope.getPropagationContext().traceId).not.toBe(old.traceId);
    const event = await sendFrom((current) => current.setTag('a', '1').setUser({ id: '42' }).clear());
    expect(event).not.toHaveProperty('tags');
    expect(event).not.toHaveProperty('user');
  });

  it('getPropagationContext() returns the trace and span ids that events carry', async () => {
    let ids: { traceId: string; spanId?: string } | undefined;
    const event = await sendFrom((scope) => {
      ids = scope.getPropagationContext();
    });
    expect(ids).toMatchObject({ traceId: expect.stringMatching(TRACE_ID), spanId: expect.stringMatching(SPAN_ID) });
    expect(event.contexts.trace).toMatchObject({ trace_id: ids?.traceId, span_id: ids?.spanId });
  });

  it('setPropagationContext(context) gives events other trace and span ids', async () => {
    const context = { ...UPSTREAM, sampleRand: 0.5 };
    const event = await sendFrom((scope) => {
      scope.setPropagationContext(context);
      expect(scope.getPropagationContext()).toMatchObject(context);
    });
    expect(event.contexts.trace).toMatchObject({ trace_id: UPSTREAM.traceId, span_id: UPSTREAM.spanId });
  });
});
