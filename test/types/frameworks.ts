import type { IncomingMessage } from 'node:http';
import { setupExpressErrorHandler } from 'faultline/express';
import { type FastifyApp, setupFastifyErrorHandler } from 'faultline/fastify';
import { type HapiServer, setupHapiErrorHandler } from 'faultline/hapi';
import { type HonoApp, setupHonoErrorHandler } from 'faultline/hono';
import { type KoaApp, setupKoaErrorHandler } from 'faultline/koa';
import { setupExpressErrorHandler as setupExpressHandlerOfPeer } from 'faultline/sentry';

{
  interface ExpressRequest extends IncomingMessage {
    readonly path: string;
  }
  const app = {} as Parameters<typeof setupExpressErrorHandler>[0];
  setupExpressErrorHandler(app, { shouldHandleError: (_error, request: ExpressRequest) => request.path !== '/health' });
  setupExpressErrorHandler(app, { shouldHandleError: (error: Error) => error.name !== 'AbortError' });
  setupExpressHandlerOfPeer(app, { shouldHandleError: (error) => Number(error.status) >= 500 });
  // @ts-expect-error the request is no text
  setupExpressErrorHandler(app, { shouldHandleError: (_error, request: string) => request !== '/health' });
}

{
  const app = {} as FastifyApp;
  setupFastifyErrorHandler(app, { shouldHandleError: (_error, request, _reply) => request.url !== '/health' });
  setupFastifyErrorHandler(app, {
    shouldHandleError: (_error, { method, headers }, reply) =>
      method === 'GET' && !headers.host && reply.statusCode > 499,
  });
  // @ts-expect-error the request has no `urls`
  setupFastifyErrorHandler(app, { shouldHandleError: (_error, request) => request.urls !== '/health' });
}

{
  const app = {} as KoaApp;
  setupKoaErrorHandler(app, { shouldHandleError: (_error, context) => context?.path !== '/health' });
  // @ts-expect-error the context may be undefined
  setupKoaErrorHandler(app, { shouldHandleError: (_error, context) => context.path !== '/health' });
}

{
  const app = {} as HonoApp;
  setupHonoErrorHandler(app, { shouldHandleError: (_error, context) => context.req.path !== '/health' });
  setupHonoErrorHandler(app, { shouldHandleError: (_error, { req }) => req.header('x-probe') === undefined });
  // @ts-expect-error the context has no `path` of its own: `req` has one
  setupHonoErrorHandler(app, { shouldHandleError: (_error, context) => context.path !== '/health' });
}

{
  const server = {} as HapiServer;
  setupHapiErrorHandler(server, { shouldHandleError: (_error, { method, path }) => method === 'get' && path !== '/' });
  // @ts-expect-error `url` is a URL, not a string
  setupHapiErrorHandler(server, { shouldHandleError: (_error, request) => request.url !== '/health' });
}
