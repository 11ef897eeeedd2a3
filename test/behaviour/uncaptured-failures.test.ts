import type http from 'node:http';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { setupExpressErrorHandler } from '../../src/frameworks/express.js';
import { type Client, captureException, httpServerIntegration, type Integration } from '../../src/index.js';
import { request, serve } from '../integrations/http/servers.js';
import { tell } from '../support/story.js';

const express = createRequire(new URL('../instrumentations/package.json', import.meta.url))('express');

type Listener = (request: http.IncomingMessage, response: http.ServerResponse) => void;

/** Sends requests, and waits until the health report says what is expected of those that failed. */
async function expectFailures(
  listener: Listener,
  paths: readonly string[],
  expected: unknown,
  integrations: Integration[] = [],
): Promise<void> {
  await tell({ integrations }, async ({ client }) => {
    const { url, close } = await serve(listener);
    for (const path of paths) await request(`${url}${path}`);
    await close();
    await expect.poll(() => problemsOf(client)).toEqual(expected);
  });
}

function problemsOf(client: Client): string[] {
  const { problems } = client.openTelemetryStatus();
  return problems.flatMap(({ code, message }) => (code === 'failures-without-errors' ? [message] : []));
}

/** An Express application whose own error handler answers; `setup` may add ours. */
function createApp(setup: (app: never) => void = () => undefined): Listener {
  const app = express();
  app.get('/orders/:id', () => {
    throw new Error('broken');
  });
  setup(app as never);
  app.use((_error: unknown, _request: unknown, response: http.ServerResponse, _next: unknown) => {
    response.statusCode = 500;
    response.end('sorry');
  });
  return app;
}

const answer =
  (status: number): Listener =>
  (_request, response) => {
    response.statusCode = status;
    response.end();
  };

describe('a request that was answered with 5xx', () => {
  it('is named by its route if no error was captured', async () => {
    const expected = [expect.stringContaining('no error was captured: GET /orders/:id (500).')];
    await expectFailures(createApp(), ['/orders/1', '/orders/2'], expected);
  });

  it.each<[string, Listener, Integration?]>([
    ['its error was captured by the error handler', createApp((app) => setupExpressErrorHandler(app))],
    ['its error is not wanted', createApp((app) => setupExpressErrorHandler(app, { shouldHandleError: () => false }))],
    [
      'its error was captured after the answer',
      (_request, response) => {
        response.on('finish', () => setImmediate(() => captureException(new Error('late'))));
        response.statusCode = 500;
        response.end();
      },
    ],
    ['its status is ignored', answer(503), httpServerIntegration({ ignoreStatusCodes: [503] })],
    ['its path is ignored', answer(503), httpServerIntegration({ ignoreRequests: ['/'] })],
    ['it was answered with less', answer(499)],
  ])('is no problem if %s', (_why, listener, integration) =>
    expectFailures(listener, ['/orders/1'], [], integration ? [integration] : []),
  );

  it('is one of ten at most', async () => {
    const paths = Array.from({ length: 12 }, (_, index) => `/orders/${index}`);
    await expectFailures(answer(500), paths, [
      expect.stringMatching(/^[^G]*(GET \/orders\/\d \(500\)(, |\. If)){10}[^G]*$/),
    ]);
  });
});
