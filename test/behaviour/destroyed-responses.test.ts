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
