import { captureException, startSpan } from 'faultline';
import { brokenStream, enter, later, withStatus } from './ways.mjs';

export async function start({ default: hapi }, faultline) {
  const server = hapi.server({ host: '127.0.0.1', port: 0, debug: false });
  faultline?.setupHapiErrorHandler(server);
  server.ext('onRequest', (request, h) => {
    enter(request.path);
    return h.continue;
  });
  for (const point of ['onPreAuth', 'onPreHandler', 'onPostHandler']) {
    server.ext(point, (request, h) => {
      if (request.path.startsWith(`/${point}/`)) throw new Error(point);
      return h.continue;
    });
    server.route({ method: 'GET', path: `/${point}/{id}`, handler: () => 'fine' });
  }
  server.ext('onPreResponse', (request, h) => {
    if (request.path.startsWith('/failing-handler/')) throw new Error('handler failed');
    if (/^\/(?:answered|upstream-404)\//.test(request.path)) return h.response({ sorry: true }).code(500);
    return h.continue;
  });
  const get = (way, handler, options = {}) =>
    server.route({ method: 'GET', path: `/${way}/{id}`, options: { ...options, handler } });
  get('sync', () => {
    throw new Error('sync');
  });
  get('rejection', async () => {
    await later();
    throw new Error('rejection');
  });
  get('returned', () => new Error('returned'));
  get('string', () => {
    throw 'string';
  });
  get('object', async () => {
    throw { code: 'object' };
  });
  get('nothing', () => undefined);
  get('not-found', async () => {
    const { default: Boom } = await import('@hapi/boom');
    throw Boom.notFound('not-found');
  });
  get('unavailable', async () => {
    const { default: Boom } = await import('@hapi/boom');
    throw Boom.serverUnavailable('unavailable');
  });
  get('status-named', async () => {
    throw withStatus('status-named', 404); // Hapi answers it with 500
  });
  get('validation', () => 'fine', {
    validate: {
      params: () => {
        throw new Error('invalid');
      },
    },
  });
  get('stream', (_request, h) => h.response(brokenStream('stream', false)));
  get('span', () => startSpan({ name: 'work' }, () => Promise.reject(new Error('span'))));
  get('span-string', () => startSpan({ name: 'work' }, () => Promise.reject('span-string')));
  get('upstream-404', async () => {
    const { default: Boom } = await import('@hapi/boom');
    throw Boom.notFound('upstream-404');
  });
  get('span-not-found', async () => {
    const { default: Boom } = await import('@hapi/boom');
    return startSpan({ name: 'work' }, () => Promise.reject(Boom.notFound('span-not-found')));
  });
  // Hapi copies errors of classes like this.
  get('span-type-error', () => startSpan({ name: 'work' }, () => Promise.reject(new TypeError('span-type-error'))));
  get('by-hand-type-error', () => {
    const error = new TypeError('by-hand-type-error');
    captureException(error);
    throw error;
  });
  get('type-error', () => {
    throw new TypeError('type-error');
  });
  get('by-hand', () => {
    const error = new Error('by-hand');
    captureException(error);
    throw error;
  });
  for (const way of ['answered', 'failing-handler']) {
    get(way, () => {
      throw new Error(way);
    });
  }
  get('unserializable', () => {
    const circular = {};
    circular.self = circular;
    return circular;
  });
  await server.register({
    name: 'nested',
    register: (nested) =>
      nested.route({
        method: 'GET',
        path: '/nested/{id}',
        handler: () => {
          throw new Error('nested');
        },
      }),
  });
  await server.start();
  return server.listener;
}
