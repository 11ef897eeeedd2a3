import http from 'node:http';
import { expect, it } from 'vitest';
import { request, serve } from '../integrations/http/servers.js';
import { tell } from '../support/story.js';

it('the transaction of a response that was ended and then destroyed with an error is not ok', () =>
  tell(
    { tracesSampleRate: 1 },
    async ({ receiver, client }) => {
      const { url, close } = await serve((_request, response) => {
        response.write('begun');
        response.end('over');
        response.destroy(new RangeError('broken'));
      });
      await request(url).catch(() => undefined);
      await close();
      await expect.poll(async () => (await client.flush(5000)) && receiver.transactions.length).toBe(1);
    },
    ({ receiver }) => {
      expect(receiver.transactions[0]!.contexts.trace.data).toMatchObject({ 'error.type': 'RangeError' });
      expect(receiver.transactions[0]!.contexts.trace.status).not.toBe('ok');
    },
  ));

it.each<[who: string, handle: http.RequestListener]>([
  [
    'the server destroyed and then ended',
    (_request, response) => {
      response.write('begun');
      response.destroy();
      response.end();
    },
  ],
  [
    'the client aborted, and the server then ended',
    (request, response) => {
      request.on('aborted', () => response.end());
      response.write('begun');
    },
  ],
])('the transaction of a response that %s is cancelled', (_, handle) =>
  tell(
    { tracesSampleRate: 1 },
    async ({ receiver, client }) => {
      const { url, close } = await serve(handle);
      await new Promise((resolve) => {
        const aborted = http.get(url, { agent: false }, (response) => {
          response.on('error', () => undefined).on('data', () => aborted.destroy());
        });
        aborted.on('error', () => undefined).on('close', resolve);
      });
      await close();
      await expect.poll(async () => (await client.flush(5000)) && receiver.transactions.length).toBe(1);
    },
    ({ receiver }) => expect(receiver.transactions[0]!.contexts.trace.status).toBe('cancelled'),
  ),
);
