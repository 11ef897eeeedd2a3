import * as Sentry from '@sentry/node';
import Fastify from 'fastify';

const app = Fastify();

Sentry.setupFastifyErrorHandler(app);

app.get('/users/:id', async (request) => {
  Sentry.setUser({ id: request.params.id });
  return Sentry.startSpan({ op: 'db', name: 'load user' }, async () => ({ name: 'Ada' }));
});

app.get('/caught', async () => {
  Sentry.captureException(new Error('caught in Fastify'), { tags: { step: 'checkout' } });
  Sentry.logger.info('caught', { route: '/caught' });
  return { ok: true };
});

app.get('/debug-sentry', async () => {
  throw new Error('My first Sentry error!');
});

app.get('/missing', async () => {
  throw Object.assign(new Error('not found'), { statusCode: 404 });
});

await app.listen({ port: Number(process.env.PORT), host: '127.0.0.1' });
console.log('listening');
