import http from 'node:http';
import * as Sentry from '@sentry/node';

const handlers = {
  '/users/7': (response) => {
    Sentry.setUser({ id: '7' });
    const span = Sentry.startInactiveSpan({ op: 'db', name: 'load user' });
    span.setAttribute('rows', 1);
    span.end();
    response.end(JSON.stringify({ name: 'Ada' }));
  },
  '/caught': (response) => {
    Sentry.setTag('step', 'checkout');
    Sentry.captureException(new Error('caught in node:http'), { level: 'warning' });
    response.end('{}');
  },
  '/debug-sentry': () => {
    throw new Error('My first Sentry error!');
  },
};

const server = http.createServer((request, response) => {
  try {
    const handle = handlers[request.url];
    if (handle) handle(response);
    else response.writeHead(404).end();
  } catch (error) {
    Sentry.captureException(error);
    response.writeHead(500).end(Sentry.lastEventId());
  }
});

Sentry.metrics.gauge('queue', 1);
server.listen(process.env.PORT, '127.0.0.1', () => console.log('listening'));
