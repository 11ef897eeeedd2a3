import { channel } from 'node:diagnostics_channel';
import { afterEach, expect, it } from 'vitest';
import { fastifyIntegration } from '../../src/index.js';
import { recordEvents, reset } from '../../src/testing/testing.js';

type OnError = (request: object, reply: object, error: Error, done: () => void) => void;

afterEach(reset);

/** What Fastify publishes of a new instance. */
function publishInstance(): OnError {
  const hooks = new Map<string, OnError>();
  const fastify = { addHook: (name: string, hook: OnError) => hooks.set(name, hook), setErrorHandler: () => undefined };
  channel('fastify.initialization').publish({ fastify });
  return hooks.get('onError')!;
}

it('shouldHandleError decides for each new instance which errors are captured', async () => {
  const shouldHandleError = (
    _error: unknown,
    { routeOptions }: { routeOptions?: { url?: string | undefined } | undefined },
  ) => routeOptions?.url !== '/quiet';
  const sent = recordEvents({ integrations: [fastifyIntegration({ shouldHandleError })] });
  const onError = publishInstance();
  for (const url of ['/quiet', '/loud'])
    onError({ method: 'GET', routeOptions: { url } }, {}, new Error(url), () => {});
  await sent.next('error', '/loud');
  expect(sent.errors.map(({ transaction }) => transaction)).toEqual(['GET /loud']);
});

it('what Fastify 4 warns of is not read where there is something newer', async () => {
  const sent = recordEvents();
  const onError = publishInstance();
  let isRead = false;
  const request = {
    method: 'GET',
    routeOptions: {},
    get routerPath() {
      isRead = true;
      return '/deprecated';
    },
  };
  onError(request, {}, new Error('of no route'), () => {});
  await sent.next('error', 'of no route');
  expect(isRead).toBe(false);
});
