import fastify from 'fastify';
import { captureException } from 'faultline';
import { announceServer, failToLoad, loadUser } from './users.mjs';

const app = fastify();

app.get('/users/:id', function getUser({ params }) {
  return loadUser(params.id);
});
app.get('/users/:id/broken', ({ params }) => failToLoad(params.id));

app.setErrorHandler((error, _request, reply) => {
  captureException(error);
  return reply.status(500).send({ error: error.message });
});

await app.listen({ port: 0, host: '127.0.0.1' });
announceServer(app.server);
