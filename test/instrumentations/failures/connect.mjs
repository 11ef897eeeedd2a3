import { once } from 'node:events';
import { createServer } from 'node:http';
import { pipeline } from 'node:stream';
import { captureException, startSpan } from 'faultline';
import { brokenStream, enter, later, pooled, withStatus } from './ways.mjs';

export async function start({ default: connect }, faultline, setup) {
  const app = connect();
  if (setup === 'early') faultline?.setupConnectErrorHandler(app);
  const fail = (way, how) => app.use(`/${way}`, how);
  process.env.NODE_ENV = 'test'; // Connect then leaves the console alone
  app.use((request, _response, next) => {
    enter(request.originalUrl);
    next();
  });
  fail('sync', () => {
    throw new Error('sync');
  });
  fail('async', (_request, _response, next) => {
    setTimeout(() => next(new Error('async')), 5);
  });
  fail('pooled', (_request, _response, next) => pooled(() => next(new Error('pooled'))));
  fail('next', (_request, _response, next) => next(new Error('next')));
  fail('string', () => {
    throw 'string';
  });
  fail('object', () => {
    throw { code: 'object' };
  });
  fail('not-found', (_request, _response, next) => next(withStatus('not-found', 404)));
  fail('upstream-404', (_request, _response, next) => next(withStatus('upstream-404', 404)));
  fail('unavailable', (_request, _response, next) => next(withStatus('unavailable', 503)));
  fail('headers-sent', (_request, response, next) => {
    response.write('begun ');
    setTimeout(() => next(new Error('headers-sent')), 5);
  });
  fail('stream', (_request, response, next) => {
    pipeline(brokenStream('stream'), response, (error) => error && next(error));
  });
  fail('span', (_request, _response, next) => {
    startSpan({ name: 'work' }, () => later().then(() => Promise.reject(new Error('span')))).catch(next);
  });
  fail('span-string', (_request, _response, next) => {
    startSpan({ name: 'work' }, () => later().then(() => Promise.reject('span-string'))).catch(next);
  });
  fail('span-not-found', (_request, _response, next) => {
    startSpan({ name: 'work' }, () => Promise.reject(withStatus('span-not-found', 404))).catch(next);
  });
  fail('by-hand', () => {
    const error = new Error('by-hand');
    captureException(error);
    throw error;
  });
  const nested = connect();
  nested.use('/inner', () => {
    throw new Error('nested');
  });
  faultline?.setupConnectErrorHandler(nested);
  app.use('/nested', nested);
  for (const way of ['answered', 'failing-handler', 'passed-on']) {
    fail(way, () => {
      throw new Error(way);
    });
  }
  if (setup !== 'early') faultline?.setupConnectErrorHandler(app);
  app.use((error, _request, response, next) => {
    if (error?.message === 'answered') response.writeHead(418).end('sorry');
    else if (error?.message === 'upstream-404') response.writeHead(502).end('sorry');
    else if (error?.message === 'failing-handler') throw new Error('handler failed');
    else next(error);
  });

  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
