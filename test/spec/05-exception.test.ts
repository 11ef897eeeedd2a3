import { describe, expect, it } from 'vitest';
import { captureEvent, captureException, type Exception } from '../../src/index.js';
import { sendEvent } from './send.js';

async function sendException(exception: Exception): Promise<Exception | undefined> {
  const event = await sendEvent(() => captureEvent({ message: 'm', exception: { values: [exception] } }));
  expect(event.exception?.values).toHaveLength(1);
  return event.exception?.values?.[0];
}

describe('Exception', () => {
  it.each<[title: string, exception: Exception]>([
    ['has optional fields only: a value alone is enough', { value: 'no such order' }],
    ['type is a string', { type: 'OrderError' }],
    ['value is a string', { type: 'OrderError', value: 'no such order' }],
    ['mechanism is a Mechanism', { type: 'OrderError', mechanism: { type: 'queue', handled: false } }],
    ['module is a string', { type: 'OrderError', module: 'shop.orders' }],
    ['thread_id is a number', { type: 'OrderError', thread_id: 7 }],
    [
      'stacktrace is an object with frames of filename, function, lineno and colno',
      {
        type: 'OrderError',
        stacktrace: {
          frames: [
            { filename: '/srv/shop/main.js', function: 'main', lineno: 10, colno: 3 },
            { filename: '/srv/shop/orders.js', function: 'find', lineno: 20, colno: 5 },
          ],
        },
      },
    ],
  ])('%s', async (_, exception) => {
    expect(await sendException(exception)).toMatchObject(exception);
  });

  it('is made from a thrown error: its type, its value, and a frame where it was thrown', async () => {
    function thrower(): never {
      throw new RangeError('too many');
    }
    const event = await sendEvent(() => {
      try {
        thrower();
      } catch (error) {
        captureException(error);
      }
    });
    const exception = event.exception?.values?.[0];
    expect(exception).toMatchObject({ type: 'RangeError', value: 'too many' });
    expect(exception?.stacktrace?.frames?.at(-1)).toMatchObject({
      filename: expect.stringMatching(/05-exception\.test\.ts$/),
      function: 'thrower',
      lineno: expect.any(Number),
      colno: expect.any(Number),
    });
  });
});
