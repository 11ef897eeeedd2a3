import { channel } from 'node:diagnostics_channel';
import http from 'node:http';
import { expect, it } from 'vitest';
import { init } from '../../src/index.js';
import { getDefaultIntegrations } from '../../src/integrations/default.js';
import { resetOpenTelemetry } from '../support/story.js';
import { request, serve } from './http/servers.js';

it('these are on without asking', () => {
  expect(getDefaultIntegrations({ maxBreadcrumbs: 100 }).map(({ name }) => name)).toEqual([
    'FunctionToString',
    'LinkedErrors',
    'RequestData',
    'NodeSystemError',
    'ConversationId',
    'Console',
    'OnUncaughtException',
    'OnUnhandledRejection',
    'ContextLines',
    'Context',
    'ChildProcess',
    'ProcessSession',
    'Modules',
    'HttpServer',
    'Http',
    'NodeFetch',
    'Fastify',
    'ProcessExit',
    'ProcessSignals',
  ]);
});

it('the console is left alone where no breadcrumbs are kept', () => {
  expect(getDefaultIntegrations({ maxBreadcrumbs: 0 }).map(({ name }) => name)).not.toContain('Console');
});

const CHANNELS = [
  'child_process',
  'worker_threads',
  'http.server.request.start',
  'http.client.request.created',
  'http.client.request.error',
  'http.client.response.finish',
  'undici:request:create',
  'undici:request:headers',
  'undici:request:error',
  'fastify.initialization',
];

/** Everything of the process that the integrations may touch. */
const traces = (server: http.Server) => ({
  listeners: Object.fromEntries(process.eventNames().map((name) => [name, process.listeners(name as 'exit')])),
  subscribed: CHANNELS.filter((name) => channel(name).hasSubscribers),
  shadowed: CHANNELS.filter((name) => Object.hasOwn(channel(name), 'subscribe')),
  console: { ...console },
  client: Object.getOwnPropertyDescriptors(http.ClientRequest.prototype),
  module: { ...http },
  server: { emit: server.emit, isOwn: Object.hasOwn(server, 'emit') },
});

it('hundreds of clients, one after the other, leave the process as it was', async () => {
  const { server, url, close } = await serve((_, response) => response.end());
  const before = traces(server);
  for (let i = 0; i < 200; i++) {
    const client = init();
    if (i % 50 === 0) {
      await request(url);
      expect(traces(server)).not.toEqual(before);
    }
    await client.close(1000);
    resetOpenTelemetry();
  }
  expect(traces(server)).toEqual(before);
  await close();
});

it('clients that take over from one another without a close leave no more', async () => {
  const { server, close } = await serve((_, response) => response.end());
  const before = traces(server);
  const clients = Array.from({ length: 20 }, () => init());
  await Promise.all(clients.map((client) => client.close(1000)));
  resetOpenTelemetry();
  expect(traces(server)).toEqual(before);
  await close();
});
