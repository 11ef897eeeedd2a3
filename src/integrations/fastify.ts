import { type FastifyApp, type FastifyErrorHandlerOptions, setupFastifyErrorHandler } from '../frameworks/fastify.js';
import { observeChannel } from '../internal/node/diagnostics-channel.js';
import type { Integration } from '../model/contracts.js';

/**
 * Captures the errors of each Fastify instance created after `init`; Fastify publishes new instances on a channel.
 * `setupFastifyErrorHandler(app, options)` replaces the options for one instance.
 */
export function fastifyIntegration(options?: FastifyErrorHandlerOptions): Integration {
  return {
    name: 'Fastify',
    setup: () =>
      observeChannel<{ fastify: FastifyApp }>('fastify.initialization', ({ fastify }) =>
        setupFastifyErrorHandler(fastify, options),
      ),
  };
}
