import { once } from 'node:events';
import { pipeline } from 'node:stream';
import { captureException, startSpan } from 'faultline';
import { brokenStream, connect, enter, later, pooled, withStatus } from './ways.mjs';

export async function start({ default: express }, faultline, setup) {
  const app = express();
  if (setup === 'early') faultline?.setupExpressErrorHandler(app);
  app.set('env', 'test'); // Express then leaves the console alone
  app.use((request, _response, next) => {
    enter(request.originalUrl);
    next();
  });
  app.use(express.json());
  app.use('/middleware', () => {
    throw new Error('middleware');
  });
  app.get('/sync/:id', () => {
    throw new Error('sync');
  });
  app.get('/async/:id', (_request, _response, next) => {
    setTimeout(() => next(new Error('async')), 5);
  });
  app.get('/rejection/:id', async () => {
    await later();
    throw new Error('rejection');
  });
  app.get('/pooled/:id', (_request, _response, next) => pooled(() => next(new Error('pooled'))));
  app.get('/next/:id', (_request, _response, next) => next(new Error('next')));
  app.get('/string/:id', () => {
    throw 'string';
  });
  app.get('/object/:id', () => {
    throw { code: 'object' };
  });
  app.get('/not-found/:id', () => {
    throw withStatus('not-found', 404);
  });
  app.get('/upstream-404/:id', () => {
    throw withStatus('upstream-404', 404);
  });
  app.get('/status-set/:id', (_request, response) => {
    response.status(409);
    throw new Error('status-set');
  });
  app.get('/unavailable/:id', () => {
    throw withStatus('unavailable', 503);
  });
  app.get('/headers-sent/:id', (_request, response, next) => {
    response.write('begun ');
    setTimeout(() => next(new Error('headers-sent')), 5);
  });
  app.get('/stream/:id', (_request, response, next) => {
    pipeline(brokenStream('stream'), response, (error) => error && next(error));
  });
  app.get('/span/:id', (_request, _response, next) => {
    startSpan({ name: 'work' }, () => later().then(() => Promise.reject(new Error('span')))).catch(next);
  });
  app.get('/span-string/:id', (_request, _response, next) => {
    startSpan({ name: 'work' }, () => later().then(() => Promise.reject('span-string'))).catch(next);
  });
  app.get('/span-not-found/:id', (_request, _response, next) => {
    startSpan({ name: 'work' }, () => Promise.reject(withStatus('span-not-found', 404))).catch(next);
  });
  for (const path of ['/cached/:id', '/cached-again/:id']) {
    app.get(path, (_request, _response, next) => startSpan({ name: 'query' }, () => connect('cached')).catch(next));
  }
  app.get('/by-hand/:id', () => {
    const error = new Error('by-hand');
    captureException(error);
    throw error;
  });
  app.param('broken', (_request, _response, next) => next(new Error('param')));
  app.get('/param/:broken', (_request, response) => response.end());

  const inner = express.Router();
  inner.get('/:id', () => {
    throw new Error('nested');
  });
  const outer = express.Router();
  outer.use('/inner', inner);
  app.use('/nested', outer);

  const mounted = express();
  mounted.set('env', 'test');
  mounted.get('/:id', () => {
    throw new Error('mounted');
  });
  faultline?.setupExpressErrorHandler(mounted);
  app.use('/mounted', mounted);

  for (const way of ['answered', 'failing-handler', 'passed-on']) {
    app.get(`/${way}/:id`, () => {
      throw new Error(way);
    });
  }
  if (setup !== 'early') faultline?.setupExpressErrorHandler(app);
  app.use((error, _request, response, next) => {
    if (error?.message === 'answered') response.status(418).json({ sorry: true });
    else if (error?.message === 'upstream-404') response.status(502).json({ sorry: true });
    else if (error?.message === 'failing-handler') throw new Error('handler failed');
    else next(error);
  });
  app.use('/passed-on', (error, _request, _response, next) => next(Object.assign(error, { status: 502 })));

  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
