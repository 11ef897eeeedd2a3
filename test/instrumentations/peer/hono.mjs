import { serve } from '@hono/node-server';
import * as Sentry from '@sentry/node';
import { Hono } from 'hono';
import { HTTPException } from 'hono/http-exception';

const app = new Hono();
app.use(Sentry.honoMiddleware(app));

app.get('/users/:id', async (context) => {
  Sentry.getIsolationScope().setUser({ id: context.req.param('id') });
  const user = await Sentry.startSpan({ op: 'db', name: 'load user' }, async () => ({ name: 'Ada' }));
  return context.json(user);
});
app.get('/caught', (context) => {
  Sentry.captureException(new Error('caught in Hono'), (scope) => scope.setTag('step', 'checkout'));
  return context.json({ ok: true });
});
app.get('/debug-sentry', () => {
  throw new Error('My first Sentry error!');
});
app.get('/missing', () => {
  throw new HTTPException(404, { message: 'not found' });
});

Sentry.addIntegration(Sentry.nodeCronIntegration());

serve({ fetch: app.fetch, port: Number(process.env.PORT), hostname: '127.0.0.1' }, () => console.log('listening'));
