import { once } from 'node:events';
import { serve } from '@hono/node-server';
import { captureException, startSpan } from 'faultline';
import { HTTPException } from 'hono/http-exception';
import { stream, streamSSE } from 'hono/streaming';
import { connect, enter, later, withStatus } from './ways.mjs';

export async function start({ Hono }, faultline) {
  const app = new Hono();
  faultline?.setupHonoErrorHandler(app);
  app.use(async (context, next) => {
    enter(context.req.path);
    await next();
  });
  app.use('/middleware/*', () => {
    throw new Error('middleware');
  });
  app.get('/sync/:id', () => {
    throw new Error('sync');
  });
  app.get('/rejection/:id', async () => {
    await later();
    throw new Error('rejection');
  });
  app.get('/string/:id', () => {
    throw 'string';
  });
  app.get('/object/:id', () => {
    throw { code: 'object' };
  });
  app.get('/not-found/:id', () => {
    throw new HTTPException(404, { message: 'not-found' });
  });
  app.get('/unavailable/:id', () => {
    throw new HTTPException(503, { message: 'unavailable' });
  });
  app.get('/upstream-404/:id', () => {
    throw withStatus('upstream-404', 404); // Hono answers it with 500
  });
  app.get('/after-next/:id', async (_context, next) => {
    await next();
    throw new Error('after-next');
  });
  app.get('/validation/:id', (context) => context.json({ error: 'invalid' }, 422));
  app.get('/span/:id', () => startSpan({ name: 'work' }, () => Promise.reject(new Error('span'))));
  app.get('/span-string/:id', () => startSpan({ name: 'work' }, () => Promise.reject('span-string')));
  app.get('/span-not-found/:id', () =>
    startSpan({ name: 'work' }, () => Promise.reject(new HTTPException(404, { message: 'span-not-found' }))),
  );
  app.get('/span-upstream-404/:id', () =>
    startSpan({ name: 'work' }, () => Promise.reject(withStatus('span-upstream-404', 404))),
  );
  const streams = { 'stream-span': stream, 'sse-span': streamSSE };
  for (const [way, send] of Object.entries(streams)) {
    const work = async (body) => {
      await body.write('first chunk ');
      await later();
      throw new Error(way);
    };
    app.get(`/${way}/:id`, (context) =>
      send(context, (body) => startSpan({ name: 'rows', op: 'stream' }, () => work(body))),
    );
  }
  // Hono catches the errors of streams, and hands them to this function.
  app.get('/stream/:id', (context) =>
    stream(
      context,
      async (body) => {
        await body.write('first chunk ');
        await later();
        throw new Error('stream');
      },
      async (error) => captureException(error),
    ),
  );
  for (const path of ['/cached/:id', '/cached-again/:id']) {
    app.get(path, () => startSpan({ name: 'query' }, () => connect('cached')));
  }
  app.get('/by-hand/:id', () => {
    const error = new Error('by-hand');
    captureException(error);
    throw error;
  });
  app.get('/unfinished/:id', () => undefined);
  app.get('/failing-handler/:id', () => {
    throw new Error('failing-handler');
  });
  app.get('/answered/:id', () => {
    throw new Error('answered');
  });
  const nested = new Hono();
  nested.get('/inner/:id', () => {
    throw new Error('nested');
  });
  const handling = new Hono();
  handling.onError((_error, context) => context.json({ sorry: true }, 500));
  handling.get('/:id', () => {
    throw new Error('own-handler');
  });
  nested.route('/deeper', new Hono());
  app.route('/nested', nested);
  app.route('/own-handler', handling);
  app.all('/all/*', () => {
    throw new Error('all');
  });
  const mounted = new Hono();
  faultline?.setupHonoErrorHandler(mounted);
  mounted.get('/inner/:id', () => {
    throw new Error('mounted');
  });
  mounted.onError((_error, context) => context.text('sorry', 500));
  app.mount('/mounted', mounted.fetch);
  app.onError((error, context) => {
    if (error.message === 'failing-handler') throw new Error('handler failed');
    return error.getResponse?.() ?? context.text('sorry', 500);
  });

  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  if (!server.listening) await once(server, 'listening');
  return server;
}
