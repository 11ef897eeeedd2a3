import { type FastifyApp, setupFastifyErrorHandler } from '../frameworks/fastify.js';
import { observeChannel } from '../internal/diagnostics-channel.js';
import type { Integration } from '../model/contracts.js';

/**
 * Captures the errors of each Fastify instance created after `init`; Fastify publishes new instances on a channel. To
 * select which errors are captured, call `setupFastifyErrorHandler(app, options)`; its options then replace the
 * defaults.
 */
export function fastifyIntegration(): Integration {
  return {
    name: 'Fastify',
    setup: () =>
      observeChannel<{ fastify: FastifyApp }>('fastify.initialization', ({ fastify }) =>
        setupFastifyErrorHandler(fastify),
      ),
  };
}
