import { captureException, startSpan } from 'faultline';
import { brokenStream, connect, enter, later, pooled, withStatus } from './ways.mjs';

export async function start({ default: fastify }, faultline, setup) {
  const app = fastify();
  // `init` alone is enough.
  if (setup !== 'alone') faultline?.setupFastifyErrorHandler(app);
  app.addHook('onRequest', (request, _reply, done) => {
    enter(request.url);
    done();
  });
  // Runs again for the answer to its own error.
  app.addHook('onSend', async (request, reply) => {
    const way = request.url.split('/')[1];
    if (way !== 'onSend-again' && way !== 'onSend-otherwise') return;
    const isOther = way === 'onSend-otherwise' && reply.failed;
    reply.failed = true;
    throw new Error(isOther ? `${way} again` : way);
  });
  app.get('/onSend-again/:id', async () => ({ ok: true }));
  app.get('/onSend-otherwise/:id', async () => ({ ok: true }));
  for (const hook of ['onRequest', 'preParsing', 'preValidation', 'preHandler', 'preSerialization', 'onSend']) {
    app.addHook(hook, async (request, reply) => {
      if (request.url.startsWith(`/${hook}/`) && !reply.failed) {
        reply.failed = true;
        throw new Error(hook);
      }
    });
    app.get(`/${hook}/:id`, async () => ({ ok: true }));
  }
  app.decorateReply('failed', false);
  app.get('/sync/:id', () => {
    throw new Error('sync');
  });
  app.get('/rejection/:id', async () => {
    await later();
    throw new Error('rejection');
  });
  app.get('/pooled/:id', (_request, reply) => {
    pooled(() => reply.send(new Error('pooled')));
  });
  app.get('/sent/:id', (_request, reply) => {
    reply.send(new Error('sent'));
  });
  app.get('/string/:id', () => {
    throw 'string';
  });
  app.get('/object/:id', async () => {
    throw { code: 'object' };
  });
  app.get('/not-found/:id', async () => {
    throw withStatus('not-found', 404);
  });
  app.get('/status-set/:id', async (_request, reply) => {
    reply.code(409);
    throw new Error('status-set');
  });
  app.get('/validation/:id', {
    schema: { params: { type: 'object', properties: { id: { type: 'integer', minimum: 5 } } } },
    handler: async () => 'fine',
  });
  app.get('/unavailable/:id', async () => {
    throw withStatus('unavailable', 503);
  });
  app.get('/unserializable/:id', {
    schema: { response: { 200: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } } } },
    handler: async () => ({}),
  });
  app.get('/stream/:id', (_request, reply) => reply.send(brokenStream('stream')));
  app.get('/after-answer/:id', async (_request, reply) => {
    reply.send('fine');
    await later();
    throw new Error('after-answer');
  });
  app.get('/span/:id', () => startSpan({ name: 'work' }, () => Promise.reject(new Error('span'))));
  app.get('/span-string/:id', () => startSpan({ name: 'work' }, () => Promise.reject('span-string')));
  app.get('/span-not-found/:id', () =>
    startSpan({ name: 'work' }, () => Promise.reject(withStatus('span-not-found', 404))),
  );
  for (const path of ['/cached/:id', '/cached-again/:id']) {
    app.get(path, () => startSpan({ name: 'query' }, () => connect('cached')));
  }
  app.get('/by-hand/:id', async () => {
    const error = new Error('by-hand');
    captureException(error);
    throw error;
  });
  app.register(
    async (nested) => {
      nested.get('/inner/:id', async () => {
        throw new Error('nested');
      });
    },
    { prefix: '/nested' },
  );
  app.register(async (handled) => {
    handled.setErrorHandler((error, _request, reply) => {
      if (error.message === 'failing-handler') throw new Error('handler failed');
      if (error.message === 'rejecting-handler') return later().then(() => Promise.reject(new Error('handler failed')));
      // A status of the error is the one of the answer already.
      if (error.message === 'upstream-404') reply.code(502);
      reply.send({ sorry: true });
    });
    handled.get('/upstream-404/:id', async () => {
      throw withStatus('upstream-404', 404);
    });
    for (const way of ['answered', 'failing-handler', 'rejecting-handler']) {
      handled.get(`/${way}/:id`, async () => {
        throw new Error(way);
      });
    }
  });
  await app.listen({ port: 0, host: '127.0.0.1' });
  return app.server;
}
