import { once } from 'node:events';
import Router from '@koa/router';
import { captureException, startSpan } from 'faultline';
import { brokenStream, enter, later, withStatus } from './ways.mjs';

/** What koa-mount does. */
function mount(prefix, middleware) {
  return async (context, next) => {
    const { path } = context;
    if (!path.startsWith(`${prefix}/`)) return next();
    context.mountPath = prefix;
    context.path = path.slice(prefix.length);
    try {
      await middleware(context, next);
    } finally {
      context.path = path;
    }
  };
}

export async function start({ default: Koa }, faultline) {
  const app = new Koa();
  app.silent = true; // Koa then leaves the console alone
  app.use((context, next) => {
    enter(context.originalUrl);
    return next();
  });
  app.use(async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (error?.message === 'translated') context.throw(503, 'translated again');
      if (error?.message === 'failing-handler') throw new Error('handler failed');
      if (error?.message !== 'emitted' && error?.message !== 'upstream-404') throw error;
      context.status = 500;
      context.body = { sorry: true };
      if (error.message === 'emitted') context.app.emit('error', error, context);
    }
  });
  faultline?.setupKoaErrorHandler(app);
  app.use(async (context, next) => {
    if (context.path.startsWith('/middleware/')) throw new Error('middleware');
    await next();
  });
  app.use(async (context, next) => {
    try {
      await next();
    } catch (error) {
      if (error?.message !== 'handled') throw error;
      context.body = 'handled';
    }
  });

  const router = new Router();
  router.get('/sync/:id', () => {
    throw new Error('sync');
  });
  router.get('/rejection/:id', async () => {
    await later();
    throw new Error('rejection');
  });
  router.get('/string/:id', () => {
    throw 'string';
  });
  router.get('/object/:id', () => {
    throw { code: 'object' };
  });
  router.get('/not-found/:id', () => {
    throw withStatus('not-found', 404);
  });
  router.get('/upstream-404/:id', () => {
    throw withStatus('upstream-404', 404);
  });
  router.get('/thrown/:id', (context) => context.throw(500, 'thrown'));
  router.get('/thrown-400/:id', (context) => context.throw(400, 'thrown'));
  router.get('/assert-401/:id', (context) => context.assert(false, 401, 'assert'));
  router.get('/unavailable/:id', () => {
    throw withStatus('unavailable', 503);
  });
  router.get('/missing-file/:id', () => {
    throw Object.assign(new Error('missing-file'), { code: 'ENOENT' });
  });
  router.get('/headers-sent/:id', async (context) => {
    context.respond = false;
    context.res.write('begun ');
    await later();
    context.res.end();
    throw new Error('headers-sent');
  });
  router.get('/stream/:id', (context) => {
    context.body = brokenStream('stream');
  });
  router.get('/span/:id', () => startSpan({ name: 'work' }, () => Promise.reject(new Error('span'))));
  router.get('/span-string/:id', () => startSpan({ name: 'work' }, () => Promise.reject('span-string')));
  router.get('/span-not-found/:id', () =>
    startSpan({ name: 'work' }, () => Promise.reject(withStatus('span-not-found', 404))),
  );
  router.get('/by-hand/:id', () => {
    const error = new Error('by-hand');
    captureException(error);
    throw error;
  });
  for (const way of ['emitted', 'translated', 'failing-handler', 'handled']) {
    router.get(`/${way}/:id`, () => {
      throw new Error(way);
    });
  }
  const nested = new Router();
  nested.get('/inner/:id', () => {
    throw new Error('nested');
  });
  router.use('/nested', nested.routes());
  router.get(/^\/pattern\//, () => {
    throw new Error('pattern');
  });
  const mounted = new Router();
  mounted.get('/:id', () => {
    throw new Error('mounted');
  });
  app.use(mount('/mounted', mount('/inner', mounted.routes())));
  app.use(router.routes());

  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
