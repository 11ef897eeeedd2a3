import { serve } from '@hono/node-server';
import { httpInstrumentationMiddleware } from '@hono/otel';
import { captureException } from 'faultline';
import { setupHonoErrorHandler } from 'faultline/hono';
import { Hono } from 'hono';
import { announceServer, failToLoad, loadUser } from './users.mjs';

const app = new Hono();
setupHonoErrorHandler(app);
app.use(httpInstrumentationMiddleware());

app.get('/users/:id', async (context) => context.json(await loadUser(context.req.param('id'))));
app.get('/users/:id/broken', (context) => failToLoad(context.req.param('id')));

app.onError((error, context) => {
  captureException(error);
  return context.json({ error: error.message }, 500);
});

const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, () => announceServer(server));
