import { once } from 'node:events';
import { createServer } from 'node:http';
import { resolvers, typeDefs } from './apollo.mjs';
import { enter } from './ways.mjs';

export async function start({ createSchema, createYoga }, faultline) {
  const yoga = createYoga({
    schema: createSchema({ typeDefs, resolvers }),
    graphqlEndpoint: '/:way/1',
    logging: false,
    context({ request }) {
      if (request.url.includes('/context/')) throw new Error('context');
      return {};
    },
    plugins: faultline ? [faultline.createYogaErrorPlugin()] : [],
  });
  const server = createServer((request, response) => {
    enter(request.url);
    return yoga(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
