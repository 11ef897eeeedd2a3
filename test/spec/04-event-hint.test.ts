import { describe, expect, it } from 'vitest';
import { type CaptureContext, captureEvent, captureException, type EventHint, Scope } from '../../src/index.js';
import { send, sendEvent } from './send.js';

/** What `beforeSend` gets as hint for an error captured with the given one. */
async function hintOf(hint: EventHint): Promise<EventHint> {
  let seen: EventHint | undefined;
  await sendEvent(() => captureException(new Error('no'), hint), {
    beforeSend: (event, given) => {
      seen = given;
      return event;
    },
  });
  return seen!;
}

describe('EventHint', () => {
  it('has optional fields only', async () => {
    const event = await sendEvent(() => captureException(new Error('no'), {}));
    expect(event.exception?.values?.[0]).toMatchObject({ value: 'no', mechanism: { type: 'generic', handled: true } });
  });

  it('event_id is the id of the event', async () => {
    const id = 'abcdef0123454789abcdef0123456789';
    let returned = '';
    const event = await sendEvent(() => {
      returned = captureException(new Error('no'), { event_id: id });
    });
    expect([returned, event.event_id]).toEqual([id, id]);
  });

  it.each<[title: string, captureContext: CaptureContext]>([
    ['captureContext may be a Scope', new Scope().setTag('from', 'context').setExtra('more', 1)],
    ['captureContext may be a partial ScopeContext', { tags: { from: 'context' }, extra: { more: 1 } }],
    [
      'captureContext may be a callback that receives the current scope',
      (scope) => scope.setTag('from', 'context').setExtra('more', 1),
    ],
  ])('%s', async (_, captureContext) => {
    const event = await sendEvent(() => captureException(new Error('no'), { captureContext }));
    expect([event.tags, event.extra]).toEqual([{ from: 'context' }, { more: 1 }]);
  });

  it('mechanism is partial, and merged into the exception', async () => {
    const event = await sendEvent(() =>
      captureException(new Error('no'), { mechanism: { handled: false, data: { queue: 'mail' } } }),
    );
    expect(event.exception?.values?.[0]?.mechanism).toMatchObject({
      type: 'generic',
      handled: false,
      data: { queue: 'mail' },
    });
  });

  it('syntheticException gives its stack to what was thrown without one', async () => {
    function whereItWasCaught() {
      return new Error('synthetic');
    }
    const event = await sendEvent(() => captureException('text', { syntheticException: whereItWasCaught() }));
    const [exception] = event.exception?.values ?? [];
    expect(exception?.value).toBe('text');
    expect(exception?.stacktrace?.frames?.at(-1)?.function).toBe('whereItWasCaught');
  });

  it('syntheticException may be null, which leaves such an exception without a stack', async () => {
    const event = await sendEvent(() => captureException('text', { syntheticException: null }));
    expect(event.exception?.values?.[0]).toMatchObject({ value: 'text' });
    expect(event.exception?.values?.[0]).not.toHaveProperty('stacktrace');
  });

  it('originalException is the original exception object', async () => {
    const error = new Error('no');
    const seen: unknown[] = [];
    await send(() => void captureException(error), {
      beforeSend: (event, { originalException }) => {
        seen.push(originalException);
        return event;
      },
    });
    expect(seen).toEqual([error]);
    expect(seen[0]).toBe(error);
  });

  it('attachments leave with the event', async () => {
    const attachments = [
      { filename: 'a.txt', data: 'one' },
      { filename: 'b.bin', data: new Uint8Array([0, 255]) },
    ];
    const receiver = await send(() => captureEvent({ message: 'm' }, { attachments }));
    expect(
      receiver.envelopes[0]?.items.map(({ headers, payload }) => [headers.type, headers.filename, payload]),
    ).toEqual([
      ['event', undefined, expect.anything()],
      ['attachment', 'a.txt', Buffer.from('one')],
      ['attachment', 'b.bin', Buffer.from([0, 255])],
    ]);
  });

  it('data is anything, and reaches hooks', async () => {
    const data = { request: Symbol('any') };
    expect((await hintOf({ data })).data).toBe(data);
  });

  it('integrations are the names of those that took part', async () => {
    const event = await sendEvent(() => captureException(new Error('no'), { integrations: ['shop.checkout'] }));
    expect(event.sdk.integrations).toContain('shop.checkout');
  });
});
