import { once } from 'node:events';
import { createServer } from 'node:http';
import { captureException, startSpan } from 'faultline';
import { enter, later } from './ways.mjs';

export async function start(_framework, faultline, setup) {
  // What Node would end the process with.
  const answers = [];
  for (const event of ['uncaughtException', 'unhandledRejection']) {
    process.on(event, (error) => answers.shift()?.end(`${event} ${error?.message ?? error}`));
  }
  const ways = {
    sync() {
      throw new Error('sync');
    },
    async rejection() {
      await later();
      throw new Error('rejection');
    },
    string() {
      throw 'string';
    },
    async 'headers-sent'(response) {
      response.write('begun ');
      await later();
      throw new Error('headers-sent');
    },
    span: () => startSpan({ name: 'work' }, () => Promise.reject(new Error('span'))),
    'by-hand'() {
      const error = new Error('by-hand');
      captureException(error);
      throw error;
    },
    fine: (response) => response.end('fine'),
  };
  const handler = (request, response) => {
    enter(request.url);
    const way = request.url.split('/')[1];
    if (way !== 'fine') answers.push(response);
    return ways[way](response);
  };
  const server = createServer(faultline && setup ? faultline.wrapRequestHandler(handler) : handler);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}
