import { describe, expect, it } from 'vitest';
import {
  addEventProcessor,
  type CaptureContext,
  captureEvent,
  captureException,
  type Event,
  type EventHint,
  Scope,
  withIsolationScope,
  withScope,
} from '../../src/index.js';
import { send, sendEvent, UUID } from './send.js';

const FEEDBACK = { type: 'feedback', contexts: { feedback: { message: 'nice' } } } as const;
const TRANSACTION = { type: 'transaction', transaction: 'a', start_timestamp: 1, timestamp: 2 } as const;

describe('Capture', () => {
  it('captureEvent(event) returns the event id, a string', async () => {
    let id = '';
    const event = await sendEvent(() => {
      id = captureEvent({ message: 'm' });
    });
    expect(id).toMatch(UUID);
    expect(event).toMatchObject({ message: 'm', event_id: id });
  });

  it('captureEvent(event) with an event_id keeps it, returns it, and has it in the hint', async () => {
    const given = 'a'.repeat(32);
    const ids: unknown[] = [];
    const beforeSend = (event: Event, { event_id }: EventHint) => {
      ids.push(event_id);
      return event;
    };
    const event = await sendEvent(() => ids.push(captureEvent({ event_id: given, message: 'm' })), { beforeSend });
    expect([...ids, event.event_id]).toEqual([given, given, given]);
  });

  it.each<[title: string, captureContext: CaptureContext]>([
    ['captureEvent(event, captureContext) takes a Scope', new Scope().setTag('a', '1')],
    ['captureEvent(event, captureContext) takes a partial ScopeContext', { tags: { a: '1' } }],
    [
      'captureEvent(event, captureContext) takes a callback that gets the current scope',
      (scope) => scope.setTag('a', '1'),
    ],
  ])('%s', async (_, captureContext) => {
    const { events } = await send(() =>
      withScope((current) => {
        current.setExtra('current', true);
        captureEvent({ message: 'with' }, captureContext);
        captureEvent({ message: 'without' });
      }),
    );
    const sent = events.map(({ message, tags, extra }) => ({ message, tags, extra }));
    expect(sent).toHaveLength(2);
    expect(sent).toContainEqual({ message: 'with', tags: { a: '1' }, extra: { current: true } });
    expect(sent).toContainEqual({ message: 'without', tags: undefined, extra: { current: true } });
  });

  it('client.captureEvent(event, hint, currentScope) returns the event id, and takes that scope', async () => {
    const data = { from: 'hint' };
    const hints: EventHint[] = [];
    let id = '';
    const event = await sendEvent(
      ({ client }) =>
        withScope((current) => {
          current.setTag('current', 'true');
          id = client.captureEvent({ message: 'm' }, { data }, new Scope().setTag('given', 'true'));
        }),
      {
        beforeSend: (given, hint) => {
          hints.push(hint);
          return given;
        },
      },
    );
    expect(id).toMatch(UUID);
    expect(event).toMatchObject({ event_id: id, tags: { given: 'true' } });
    expect(event.tags).not.toHaveProperty('current');
    expect(hints.map((hint) => hint.data)).toEqual([data]);
  });

  it('client.captureEvent(event) does without hint and scope', async () => {
    const event = await sendEvent(({ client }) =>
      withScope((current) => {
        current.setTag('current', 'true');
        client.captureEvent({ message: 'm' });
      }),
    );
    expect(event).toMatchObject({ message: 'm', tags: { current: 'true' } });
  });

  it('a new event id is generated for each call, and placed into the hint', async () => {
    const ids: string[] = [];
    const hinted: unknown[] = [];
    const hint = { data: 1 };
    const event = { message: 'm' };
    const { events } = await send(
      () => {
        for (let i = 0; i < 3; i++) ids.push(captureEvent(event, hint));
      },
      {
        beforeSend: (given, { event_id }) => {
          hinted.push(event_id);
          return given;
        },
      },
    );
    expect(new Set(ids).size).toBe(3);
    expect(hinted).toEqual(ids);
    expect(events.map((one) => one.event_id).sort()).toEqual([...ids].sort());
  });

  it('an event whose originalException was captured before is not processed again, and a new id is returned', async () => {
    const error = new Error('once');
    const ids: string[] = [];
    let processed = 0;
    const { events } = await send(({ client }) =>
      withIsolationScope(() => {
        addEventProcessor((event) => {
          processed++;
          return event;
        });
        ids.push(captureException(error));
        ids.push(captureException(error));
        ids.push(captureEvent({ message: 'again' }, { originalException: error }));
        ids.push(client.captureEvent({ message: 'again' }, { originalException: error }));
      }),
    );
    expect(events.map((event) => event.event_id)).toEqual([ids[0]]);
    expect(processed).toBe(1);
    expect(new Set(ids).size).toBe(4);
    for (const id of ids) expect(id).toMatch(UUID);
  });

  it('another error that only looks the same is processed', async () => {
    const { events } = await send(() => {
      for (let i = 0; i < 2; i++) captureException(new Error('the same'));
    });
    expect(events).toHaveLength(2);
  });

  it('the event is processed asynchronously: the call returns before', async () => {
    const order: string[] = [];
    await sendEvent(() =>
      withScope((scope) => {
        scope.addEventProcessor(async (event) => {
          await new Promise((resolve) => setImmediate(resolve));
          order.push('processed');
          return event;
        });
        captureEvent({ message: 'm' });
        order.push('returned');
      }),
    );
    expect(order).toEqual(['returned', 'processed']);
  });

  it.each<[title: string, event: Event, category: string]>([
    ['the data category of type undefined is error', { message: 'm' }, 'error'],
    ['the data category of type transaction is transaction', { ...TRANSACTION }, 'transaction'],
    ['the data category of type profile is profile', { type: 'profile' }, 'profile'],
    ['the data category of type replay_event is replay', { type: 'replay_event' }, 'replay'],
    ['the data category of type feedback is feedback', { ...FEEDBACK }, 'feedback'],
  ])('%s', async (_, event, category) => {
    const receiver = await send(() =>
      withScope((scope) => {
        captureEvent(event);
        scope.addEventProcessor(() => null);
        captureEvent(event);
      }),
    );
    expect(receiver.counts()).toMatchObject({ [category]: 1 });
    expect(receiver.discards()).toContainEqual({ reason: 'event_processor', category, quantity: 1 });
  });

  it('the data of captureContext is merged with the event: tags are combined, extra is added, attachments go along', async () => {
    const receiver = await send(() =>
      captureEvent(
        { message: 'm', tags: { event: '1', both: 'event' }, extra: { event: 1 } },
        {
          tags: { context: '2', both: 'context' },
          extra: { context: 2 },
          attachments: [{ filename: 'a.txt', data: 'x' }],
        },
      ),
    );
    expect(receiver.events[0]?.tags).toEqual({ event: '1', context: '2', both: 'event' });
    expect(receiver.events[0]?.extra).toEqual({ event: 1, context: 2 });
    expect(receiver.attachments.map(({ headers }) => headers.filename)).toEqual(['a.txt']);
  });

  it('a Scope as captureContext brings its attachments, too', async () => {
    const context = new Scope().setTag('a', '1').addAttachment({ filename: 'a.txt', data: 'x' });
    const receiver = await send(() => captureEvent({ message: 'm' }, context));
    expect(receiver.events.map(({ tags }) => tags)).toEqual([{ a: '1' }]);
    expect(receiver.attachments.map(({ headers }) => headers.filename)).toEqual(['a.txt']);
  });

  it('scopes captured with a span take precedence over the current ones', async () => {
    const sdkProcessingMetadata = {
      capturedSpanScope: new Scope().setTag('who', 'captured').setUser({ id: 'captured' }),
      capturedSpanIsolationScope: new Scope().setTags({ who: 'captured isolation', isolation: 'captured' }),
    };
    const event = await sendEvent(() =>
      withIsolationScope((isolation) => {
        isolation.setTag('isolation', 'current').setUser({ id: 'current' });
        withScope((scope) => {
          scope.setTag('who', 'current');
          captureEvent({ message: 'm', sdkProcessingMetadata });
        });
      }),
    );
    expect(event).toMatchObject({ tags: { who: 'captured', isolation: 'captured' }, user: { id: 'captured' } });
  });

  it('invalid data is normalized rather than rejected', async () => {
    const circular: Record<string, unknown> = { long: 'x'.repeat(10) };
    circular['self'] = circular;
    const event = await sendEvent(() =>
      captureEvent({
        message: 'x'.repeat(10_000),
        exception: { values: [{ type: 'Error', value: 'y'.repeat(10_000) }] },
        extra: { circular, big: 10n, fn: () => 1, symbol: Symbol('s'), nan: Number.NaN },
        contexts: { ring: circular },
        user: circular,
        breadcrumbs: [{ message: 'a', data: circular }],
        level: 'error',
      }),
    );
    expect(event.message).toBe(`${'x'.repeat(250)}...`);
    expect(event.exception?.values?.[0]?.value).toBe(`${'y'.repeat(250)}...`);
    const ring = { long: 'x'.repeat(10), self: '[Circular ~]' };
    expect(event).toMatchObject({
      contexts: { ring },
      user: ring,
      breadcrumbs: [{ data: ring }],
      extra: { circular: ring },
    });
    expect(event.extra).toMatchObject({
      big: expect.any(String),
      fn: expect.any(String),
      symbol: expect.any(String),
      nan: '[NaN]',
    });
  });

  it('the message of a logentry is cut like any message', async () => {
    const event = await sendEvent(() => captureEvent({ logentry: { message: 'x'.repeat(1000), params: ['a'] } }));
    expect(event.logentry).toEqual({ message: `${'x'.repeat(250)}...`, params: ['a'] });
  });
});
