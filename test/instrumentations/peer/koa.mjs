import Router from '@koa/router';
import * as Sentry from '@sentry/node';
import Koa from 'koa';

const app = new Koa();
app.silent = true;

Sentry.setupKoaErrorHandler(app);

const router = new Router();
router.get('/users/:id', async (ctx) => {
  Sentry.getIsolationScope().setUser({ id: ctx.params.id });
  ctx.body = await Sentry.startSpan({ op: 'db', name: 'load user' }, async () => ({ name: 'Ada' }));
});
router.get('/caught', (ctx) => {
  Sentry.captureException(new Error('caught in Koa'), (scope) => scope.setTag('step', 'checkout'));
  ctx.body = { ok: true };
});
router.get('/debug-sentry', () => {
  throw new Error('My first Sentry error!');
});
router.get('/missing', (ctx) => ctx.throw(404, 'not found'));
app.use(router.routes()).use(router.allowedMethods());

Sentry.withMonitor('nightly', () => undefined, { schedule: { type: 'crontab', value: '0 0 * * *' } });

app.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
