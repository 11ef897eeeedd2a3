import Router from '@koa/router';
import { captureException } from 'faultline';
import { setupKoaErrorHandler } from 'faultline/koa';
import Koa from 'koa';
import { announceServer, failToLoad, loadUser } from './users.mjs';

const app = new Koa();
setupKoaErrorHandler(app);
const router = new Router({ prefix: '/users' });

router.get('/:id', async (context) => {
  context.body = await loadUser(context.params.id);
});
router.get('/:id/broken', ({ params }) => failToLoad(params.id));

app.use(router.routes()).use(router.allowedMethods());
app.on('error', (error) => captureException(error));

const server = app.listen(0, '127.0.0.1', () => announceServer(server));
