import { createRequire } from 'node:module';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { readExpressRoute } from '../../../../src/integrations/http/server/express-route.js';
import { request, serve, type TestServer } from '../servers.js';

const require = createRequire(import.meta.url);
const express = require('express');

let server: TestServer | undefined;
afterEach(() => server?.close());

interface App {
  readonly locals: Record<string, (incoming: never) => unknown>;
  get(...args: unknown[]): App;
  use(...args: unknown[]): App;
}

/** The route of one request, within its handler and after its response. */
async function routesOf(app: App, path: string): Promise<(string | undefined)[]> {
  const routes: (string | undefined)[] = [];
  const pathOf = ({ originalUrl }: { originalUrl: string }) => originalUrl.split('?')[0]!;
  Object.assign(app.locals, {
    note: (incoming: { originalUrl: string }) => routes.push(readExpressRoute(incoming, pathOf(incoming))),
  });
  const closed = new Promise<void>((resolve) => {
    void serve((incoming, response) => {
      response.once('close', () => {
        routes.push(readExpressRoute(incoming, path.split('?')[0]!));
        resolve();
      });
      (app as unknown as (...args: unknown[]) => void)(incoming, response);
    }).then((started) => {
      server = started;
      return request(started.url + path);
    });
  });
  await closed;
  return routes;
}

const answer = (incoming: { app: { locals: { note(one: unknown): void } } }, response: { end(): void }) => {
  incoming.app.locals.note(incoming);
  response.end();
};

describe('the route of a request to Express', () => {
  it.each<[what: string, path: string, route: string, build: (app: App) => void]>([
    ['of the application', '/users/7?a=1', '/users/:id', (app) => app.get('/users/:id', answer)],
    ['of the root', '/', '/', (app) => app.get('/', answer)],
    ['a list', '/b/7', '/a/:id,/b/:id', (app) => app.get(['/a/:id', '/b/:id'], answer)],
    [
      'of a router',
      '/api/users/7',
      '/api/users/:id',
      (app) => app.use('/api', express.Router().get('/users/:id', answer)),
    ],
    ['the root of a router', '/api', '/api', (app) => app.use('/api', express.Router().get('/', answer))],
    [
      'of a router that is mounted with a parameter',
      '/orgs/a%20b/users/7',
      '/orgs/:org/users/:id',
      (app) => app.use('/orgs/:org', express.Router().get('/users/:id', answer)),
    ],
    [
      'of a router that is mounted with a parameter, after a percent sign that encodes nothing',
      '/a%zz/9/users/7',
      '/a%zz/:org/users/:id',
      (app) => app.use('/a%zz/:org', express.Router().get('/users/:id', answer)),
    ],
    [
      'of a router in a router',
      '/v1/orgs/9/users/7',
      '/v1/orgs/:org/users/:id',
      (app) =>
        app.use(
          '/v1',
          express.Router().use('/orgs/:org', express.Router().use(express.Router().get('/users/:id', answer))),
        ),
    ],
    [
      'of a router that is mounted twice',
      '/b/users/7',
      '/b/users/:id',
      (app) => {
        const router = express.Router().get('/users/:id', answer);
        app.use('/a', router).use('/b', router);
      },
    ],
  ])('%s', async (_, path, route, build) => {
    const app: App = express();
    build(app);
    expect(await routesOf(app, path)).toEqual([route, route]);
  });

  it('is known where an error handler answers', async () => {
    const app: App = express();
    const router = express.Router().get('/users/:id', () => {
      throw new Error('failed');
    });
    app.use('/orgs/:org', router);
    app.use((_error: unknown, incoming: never, response: never, _next: unknown) => answer(incoming, response));
    expect(await routesOf(app, '/orgs/9/users/7')).toEqual(['/orgs/:org/users/:id', '/orgs/:org/users/:id']);
  });

  it('is that of an application within another', async () => {
    const app: App = express();
    const inner = express().use('/:org', express.Router().get('/users/:id', answer));
    inner.locals['note'] = (incoming: never) => app.locals['note']?.(incoming);
    app.use('/tenants/:tenant', inner);
    expect((await routesOf(app, '/tenants/5/9/users/7'))[0]).toBe('/tenants/:tenant/:org/users/:id');
  });

  it.each([
    ['its routes', '/tenants/5/users/7', '/tenants/:tenant/users/:id'],
    ['its routers', '/tenants/5/v1/orders/7', '/tenants/:tenant/v1/orders/:id'],
    ['another one mounted below it', '/tenants/5/other/7', '/tenants/:tenant/other/:id'],
  ])('has the parameters of an inner application whose error the outer one answers: %s', async (_, path, route) => {
    const app: App = express();
    const fail = () => {
      throw new Error('failed');
    };
    const inner = express().get('/users/:id', fail).use('/v1', express.Router().get('/orders/:id', fail));
    app.use('/tenants/:tenant', inner);
    app.use('/tenants/:tenant/other', express().get('/:id', fail));
    app.use((_error: unknown, incoming: never, response: never, _next: unknown) => answer(incoming, response));
    expect(await routesOf(app, path)).toEqual([route, route]);
  });

  it('is the text of a regular expression', async () => {
    const app: App = express();
    app.get(/^\/users\/\d+$/, answer);
    expect(await routesOf(app, '/users/7')).toEqual([String.raw`/^\/users\/\d+$/`, String.raw`/^\/users\/\d+$/`]);
  });

  it.each([
    ['a router', '/posts/1/comments', '/comments', '/'],
    ['a route of a router', '/posts/1/comments/7', '/comments/:id', '/:id'],
  ])('is that of the URL that middleware has put in its place: %s', async (_, path, route, pattern) => {
    const rewrite = (incoming: { url: string }, _response: unknown, next: () => void) => {
      incoming.url = incoming.url.replace(/^\/posts\/\d+/, '');
      next();
    };
    const app = express();
    app.use(express.Router().get('/:resource/:id/*rest', rewrite));
    const passOn = (_incoming: unknown, _response: unknown, next: () => void) => next();
    app.use('/comments', express.Router().get(pattern, passOn));
    app.use(answer);
    expect(await routesOf(app, path)).toEqual([route, route]);
  });

  it('has the parameters of a mount in Express 4 that a test runner has loaded in a realm of its own', () => {
    const route = { path: '/users/:id' };
    const regexp = runInNewContext(String.raw`/^\/orgs\/([^/]+?)\/?(?=\/|$)/i`);
    const stack = [{ regexp, keys: [{ name: 'org' }], handle: { stack: [{ route }] } }];
    const incoming = { route, app: { _router: { stack } } };
    expect(readExpressRoute(incoming, '/orgs/9/users/7')).toBe('/orgs/:org/users/:id');
  });

  it('is unknown where nothing matches', async () => {
    expect(await routesOf(express(), '/nothing')).toEqual([undefined]);
  });
});
