import { describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  type Breadcrumb,
  type BreadcrumbHint,
  type ClientOptions,
  captureEvent,
  captureException,
  captureMessage,
  type Event,
  type EventHint,
  type SamplingData,
  startSpan,
} from '../../src/index.js';
import { send, sendEvent, sendTransaction, TRACE_ID, UUID } from './send.js';

const TRANSACTION = { type: 'transaction', transaction: 'GET /cart', start_timestamp: 1, timestamp: 2.5 } as const;
const SPAN = { trace_id: '0af7651916cd43dd8448eb211c80319c', span_id: 'b7ad6b7169203331', data: {} };

/** One event of each kind, under a hook that notes what it is called with. */
async function callsOf(hook: 'beforeSend' | 'beforeSendTransaction') {
  const calls: [Event, EventHint][] = [];
  const note = (event: Event, hint: EventHint) => {
    calls.push([event, hint]);
    return event;
  };
  await send(
    () => {
      captureMessage('error');
      captureEvent({ ...TRANSACTION });
      captureEvent({ type: 'profile' });
      captureEvent({ type: 'replay_event' });
      captureEvent({ type: 'feedback', contexts: { feedback: { message: 'nice' } } });
    },
    { [hook]: note },
  );
  return calls;
}

describe('Events', () => {
  it.each<[title: string, event: Event, item: string]>([
    ['of type undefined are error events', { message: 'm' }, 'event'],
    ['of type transaction are transactions', TRANSACTION, 'transaction'],
    ['of type profile are profiles', { type: 'profile', platform: 'node' }, 'profile'],
    ['of type replay_event are replay events', { type: 'replay_event', tags: { a: '1' } }, 'replay_event'],
    ['of type feedback are feedback', { type: 'feedback', contexts: { feedback: { message: 'nice' } } }, 'feedback'],
  ])('%s', async (_, event, item) => {
    const receiver = await send(() => captureEvent(event));
    expect(receiver.envelopes).toHaveLength(1);
    expect(receiver.items().map(({ headers, json }) => [headers.type, json?.['type']])).toEqual([[item, event.type]]);
    expect(receiver.items()[0]?.json).toMatchObject(event);
  });

  it('captureEvent with type undefined emits an error event', async () => {
    const event = await sendEvent(() => captureEvent({ message: 'm', tags: { a: '1' } }));
    expect(event).toMatchObject({ message: 'm', tags: { a: '1' } });
  });

  it('captureEvent with type transaction emits a transaction with its name and times', async () => {
    const transaction = await sendTransaction(() => captureEvent({ ...TRANSACTION }));
    expect(transaction).toMatchObject(TRANSACTION);
  });

  it('captureEvent with type transaction takes optional spans and measurements', async () => {
    const span = { ...SPAN, start_timestamp: 1, timestamp: 2 };
    const measurements = { ttfb: { value: 1, unit: 'millisecond' } };
    const contexts = { trace: { trace_id: SPAN.trace_id, span_id: 'c7ad6b7169203331' } };
    const receiver = await send(() => captureEvent({ ...TRANSACTION, contexts, spans: [span], measurements }));
    expect(receiver.transactions).toMatchObject([{ spans: [span], measurements }]);
    expect(receiver.counts()).toEqual({ transaction: 1, span: 2 });
  });

  it('beforeSend is called before an error event is sent, with event and hint, and for no other kind', async () => {
    expect(await callsOf('beforeSend')).toEqual([
      [
        expect.objectContaining({ message: 'error' }),
        expect.objectContaining({ event_id: expect.stringMatching(UUID) }),
      ],
    ]);
  });

  it('beforeSend drops by null, and sends the event that it returns, modified or not', async () => {
    const receiver = await send(
      () => {
        for (const text of ['drop', 'modify', 'keep']) captureMessage(text);
      },
      {
        beforeSend: (event) => {
          if (event.message === 'drop') return null;
          if (event.message === 'modify') event.message = 'modified';
          return event;
        },
      },
    );
    expect(receiver.events.map(({ message }) => message).sort()).toEqual(['keep', 'modified']);
    expect(receiver.discards()).toEqual([{ reason: 'before_send', category: 'error', quantity: 1 }]);
  });

  it('beforeSendTransaction is called before a transaction is sent, with event and hint, and for no other kind', async () => {
    expect(await callsOf('beforeSendTransaction')).toEqual([
      [expect.objectContaining(TRANSACTION), expect.any(Object)],
    ]);
  });

  it('beforeSendTransaction drops by null, and sends the event that it returns, modified or not', async () => {
    const receiver = await send(() => ['drop', 'modify', 'keep'].map((name) => startSpan({ name }, () => undefined)), {
      tracesSampleRate: 1,
      beforeSendTransaction: (event) => {
        if (event.transaction === 'drop') return null;
        if (event.transaction === 'modify') event.transaction = 'modified';
        return event;
      },
    });
    expect(receiver.transactions.map(({ transaction }) => transaction).sort()).toEqual(['keep', 'modified']);
    expect(receiver.discardedTotal('before_send', 'transaction')).toBe(1);
  });

  it('beforeBreadcrumb is called before a breadcrumb is added, with breadcrumb and hint, and decides like beforeSend', async () => {
    const calls: [Breadcrumb, BreadcrumbHint][] = [];
    const options: ClientOptions = {
      beforeBreadcrumb: (breadcrumb, hint) => {
        calls.push([{ ...breadcrumb }, hint]);
        if (breadcrumb.message === 'drop') return null;
        if (breadcrumb.message === 'modify') breadcrumb.message = 'modified';
        return breadcrumb;
      },
    };
    const event = await sendEvent(() => {
      for (const message of ['drop', 'modify', 'keep']) addBreadcrumb({ message }, { of: message });
      captureMessage('m');
    }, options);
    expect(calls).toEqual(
      ['drop', 'modify', 'keep'].map((message) => [expect.objectContaining({ message }), { of: message }]),
    );
    expect(event.breadcrumbs?.map(({ message }) => message)).toEqual(['modified', 'keep']);
  });

  it('beforeSampling is called before the sampling decision runs, with a spanName and a boolean decision', async () => {
    const order: unknown[] = [];
    await send(
      ({ client }) => {
        client.on('beforeSampling', ({ spanName }: SamplingData, { decision }) =>
          order.push([spanName, typeof decision]),
        );
        startSpan({ name: 'work' }, () => startSpan({ name: 'child' }, () => undefined));
      },
      { tracesSampler: ({ name }) => order.push(name) > 0 },
    );
    expect(order).toEqual([['work', 'boolean'], 'work']);
  });

  it('beforeSampling forces the span to be sampled by setting decision to true', async () => {
    const transaction = await sendTransaction(
      ({ client }) => {
        client.on('beforeSampling', ({ spanName }, samplingDecision) => {
          if (spanName === 'forced') samplingDecision.decision = true;
        });
        startSpan({ name: 'other' }, (span) => expect(span.isRecording()).toBe(false));
        startSpan({ name: 'forced' }, (span) => expect(span.isRecording()).toBe(true));
      },
      { tracesSampleRate: 0 },
    );
    expect(transaction.transaction).toBe('forced');
  });

  it('beforeSampling leaves the decision to others when it sets nothing', async () => {
    const handled = async (tracesSampleRate: number) => {
      const receiver = await send(
        ({ client }) => {
          client.on('beforeSampling', () => undefined);
          startSpan({ name: 'work' }, () => undefined);
        },
        { tracesSampleRate },
      );
      return receiver.transactions.length;
    };
    expect([await handled(1), await handled(0)]).toEqual([1, 0]);
  });

  it('leave one by one, each in an envelope with its id, the time and its trace', async () => {
    const receiver = await send(() => {
      captureException(new Error('no'));
      captureMessage('m');
    });
    expect(receiver.envelopes).toHaveLength(2);
    for (const { headers, items } of receiver.envelopes) {
      expect(headers).toMatchObject({
        event_id: items[0]?.json?.['event_id'],
        sent_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        trace: { trace_id: expect.stringMatching(TRACE_ID) },
      });
      expect(items.map((item) => [item.headers.type, item.headers.length])).toEqual([
        ['event', items[0]?.payload.length],
      ]);
    }
  });
});
