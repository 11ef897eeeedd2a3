import Hapi from '@hapi/hapi';
import * as Sentry from '@sentry/node';

const server = Hapi.server({ port: process.env.PORT, host: '127.0.0.1', debug: false });

server.route({
  method: 'GET',
  path: '/users/{id}',
  handler: (request) => {
    Sentry.setUser({ id: request.params.id });
    return Sentry.startSpanManual({ op: 'db', name: 'load user' }, (span, finish) => {
      finish();
      span.end();
      return { name: 'Ada' };
    });
  },
});
server.route({
  method: 'GET',
  path: '/caught',
  handler: () => {
    Sentry.getCurrentScope().setTag('step', 'checkout');
    return { eventId: Sentry.captureException(new Error('caught in Hapi')) };
  },
});
server.route({
  method: 'GET',
  path: '/debug-sentry',
  handler: () => {
    throw new Error('My first Sentry error!');
  },
});

await Sentry.setupHapiErrorHandler(server);
Sentry.addIntegration(Sentry.prismaIntegration());

await server.start();
console.log('listening');
