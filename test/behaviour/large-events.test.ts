import { afterEach, expect, it } from 'vitest';
import { captureEvent, captureMessage, close, createTransport, flush, init } from '../../src/index.js';
import { resetOpenTelemetry, tell } from '../support/story.js';

/** An event of a megabyte leaves in several turns of the event loop, and nothing else is different about it. */

const BODY = 'name;amount\n'.repeat(80_000);
const createLargeEvent = (message: string) => ({
  message,
  request: { url: 'http://localhost/import', data: BODY },
  extra: { rows: Array.from({ length: 400 }, (_, index) => ({ index, text: 'x'.repeat(500) })) },
});

afterEach(async () => {
  await close();
  resetOpenTelemetry();
});

it('large events arrive whole, in the order of their captures', async () => {
  await tell(
    { defaultIntegrations: false },
    async ({ client }) => {
      captureMessage('first');
      captureEvent(createLargeEvent('second'));
      captureMessage('third');
      captureEvent(createLargeEvent('fourth'));
      expect(client.ledger.balance()['error']).toMatchObject({ captured: 4, queued: 4, delivered: 0 });
    },
    ({ receiver: { events } }) => {
      expect(events.map(({ message }) => message).sort()).toEqual(['first', 'fourth', 'second', 'third']);
      const large = events.find(({ message }) => message === 'second')!;
      expect(large.request.data).toBe(BODY);
      expect(large.extra.rows).toEqual(createLargeEvent('').extra.rows);
    },
  );
});

it('a large event leaves in several turns, and what comes later behind it', async () => {
  const messages: string[] = [];
  let turns = 0;
  let turnsOfLarge = 0;
  init({
    dsn: 'http://key@127.0.0.1/1',
    defaultIntegrations: false,
    transport: (options) =>
      createTransport(options, async ({ body }) => {
        const message = /"message":"(\w+)"/.exec(Buffer.from(body as string).toString())?.[1] ?? '';
        if (message === 'large') turnsOfLarge = turns;
        messages.push(message);
        return { statusCode: 200 };
      }),
  });
  const event = createLargeEvent('large');
  captureMessage('before');
  captureEvent(event);
  captureMessage('after');
  event.extra.rows[0]!.text = 'changed later';
  expect(messages).toEqual(['before']);
  const count = () => {
    turns += 1;
    if (messages.length < 3) setImmediate(count);
  };
  setImmediate(count);
  expect(await flush()).toBe(true);
  expect(messages).toEqual(['before', 'large', 'after']);
  expect(turnsOfLarge).toBeGreaterThanOrEqual(10);
});
