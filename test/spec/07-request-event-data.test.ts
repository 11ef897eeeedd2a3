import { describe, expect, it } from 'vitest';
import { captureEvent, type RequestEventData } from '../../src/index.js';
import { sendEvent } from './send.js';

describe('RequestEventData', () => {
  it.each<[title: string, request: RequestEventData]>([
    ['url is sent', { url: 'https://shop.test/cart' }],
    ['method is sent', { method: 'PUT' }],
    ['headers are a map', { headers: { accept: 'text/html', 'x-request-id': '7' } }],
    ['query_string is sent', { query_string: 'page=2&sort=price' }],
    ['data is the request body', { data: { items: ['a', 'b'], total: 2 } }],
    ['cookies are a map', { cookies: { theme: 'dark' } }],
    [
      'env is a map, for example of the remote address and the server name',
      { env: { REMOTE_ADDR: '192.0.2.1', SERVER_NAME: 'web-7' } },
    ],
  ])('%s', async (_, request) => {
    const event = await sendEvent(() => captureEvent({ message: 'm', request }));
    expect(event.request).toEqual(request);
  });
});
