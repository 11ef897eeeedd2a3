import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';
import { setupConnectErrorHandler } from '../../src/frameworks/connect.js';
import { tell } from '../support/story.js';

/** Connect keeps its layers so, and calls `handle` for each request. */
function createApp(routes: readonly string[], route?: string) {
  return {
    stack: routes.map((one) => ({ route: one, handle: () => undefined })),
    use: () => undefined,
    handle: (request: http.IncomingMessage, response: http.ServerResponse) => {
      if (route !== undefined) Object.assign(request, { route: { path: route } });
      response.end();
    },
  };
}

/** The names of the transactions of requests for these paths. */
async function nameRequests(app: ReturnType<typeof createApp>, paths: readonly string[]): Promise<string[]> {
  let names: string[] = [];
  await tell(
    { tracesSampleRate: 1 },
    async () => {
      setupConnectErrorHandler(app);
      const server = http.createServer((request, response) => app.handle(request, response)).listen(0, '127.0.0.1');
      await once(server, 'listening');
      const { port } = server.address() as AddressInfo;
      for (const path of paths) {
        const request = http.get({ port, path, host: '127.0.0.1', agent: false });
        const [response] = await once(request, 'response');
        response.resume();
        await once(response, 'close');
      }
      server.close();
      await once(server, 'close');
    },
    ({ receiver }) => {
      names = receiver.transactions.map(({ transaction }) => transaction);
    },
  );
  return names;
}

it('a request has the longest path at which middleware for it is mounted as its name', async () => {
  const app = createApp(['', '/api', '/api/users', '/users', '/Files']);
  const paths = ['/users/7?a=1', '/users', '/api/users/7', '/api/x', '/files/a.css', '/users.json'];
  expect(await nameRequests(app, paths)).toEqual(
    ['/users', '/users', '/api/users', '/api', '/Files', '/users'].map((path) => `GET ${path}`),
  );
});

it('a request whose client writes a host before the path has the same name', async () => {
  expect(await nameRequests(createApp(['/users']), ['http://any.example/users/7'])).toEqual(['GET /users']);
});

it('a request for which nothing is mounted has its path as its name', async () => {
  expect(await nameRequests(createApp(['', '/users']), ['/usersx', '/', '/x'])).toEqual([
    'GET /usersx',
    'GET /',
    'GET /x',
  ]);
});

it('errors of an application that lets nothing be replaced are captured', async () => {
  const stack: { route: string; handle: unknown }[] = [];
  const app = { stack, use: (handle: unknown) => stack.push({ route: '', handle }), handle: () => undefined };
  await tell(
    {},
    () => {
      setupConnectErrorHandler(Object.freeze(app));
      const handle = stack.at(-1)!.handle as (...args: unknown[]) => void;
      const response = { statusCode: 200 };
      handle(new Error('from a route'), {}, response, () => undefined);
    },
    ({ receiver }) => expect(receiver.events).toMatchObject([{ exception: { values: [{ value: 'from a route' }] } }]),
  );
});

it('a router that sets a route names the request', async () => {
  const paths = ['/users/7'];
  expect(await nameRequests(createApp(['', '/users'], '/users/:id'), paths)).toEqual(['GET /users/:id']);
});
