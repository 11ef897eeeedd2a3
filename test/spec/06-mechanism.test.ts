import { describe, expect, it } from 'vitest';
import { captureEvent, captureException, type Mechanism } from '../../src/index.js';
import { sendEvent } from './send.js';

describe('Mechanism', () => {
  it('type is required: it is always sent, as generic when nobody says', async () => {
    const events = [
      await sendEvent(() => captureException(new Error('no'))),
      await sendEvent(() => captureException(new Error('no'), { mechanism: { handled: false } })),
      await sendEvent(() => captureEvent({ exception: { values: [{ type: 'Error', value: 'no' }] } })),
    ];
    expect(events.map((event) => event.exception?.values?.[0]?.mechanism?.type)).toEqual(Array(3).fill('generic'));
  });

  it.each<[title: string, mechanism: Mechanism]>([
    ['type is a string', { type: 'queue.consumer' }],
    ['handled is a boolean', { type: 'queue', handled: false }],
    ['data maps strings to anything', { type: 'queue', data: { attempt: 3, topic: 'mail', nested: { a: true } } }],
    ['synthetic is a boolean', { type: 'queue', synthetic: true }],
    ['help_link is a string', { type: 'queue', help_link: 'https://shop.test/help' }],
    ['meta maps strings to anything', { type: 'queue', meta: { errno: { number: 2, name: 'ENOENT' } } }],
  ])('%s', async (_, mechanism) => {
    const byHint = await sendEvent(() => captureException(new Error('no'), { mechanism }));
    expect(byHint.exception?.values?.[0]?.mechanism).toMatchObject(mechanism);
    const values = [{ type: 'Error', value: 'no', mechanism }];
    const byEvent = await sendEvent(() => captureEvent({ exception: { values } }));
    expect(byEvent.exception?.values?.[0]?.mechanism).toMatchObject(mechanism);
  });
});
