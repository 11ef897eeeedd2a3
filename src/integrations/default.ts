import type { Integration } from '../model/contracts.js';
import type { Settings } from '../model/options.js';
import { consoleIntegration } from './console/console.js';
import { contextLinesIntegration } from './context-lines/context-lines.js';
import { conversationIdIntegration } from './conversation-id.js';
import { fastifyIntegration } from './fastify.js';
import { functionToStringIntegration } from './function-to-string.js';
import { fetchIntegration } from './http/client/fetch.js';
import { httpClientIntegration } from './http/client/http-client.js';
import { httpServerIntegration } from './http/server/http-server.js';
import { requestDataIntegration } from './http/server/request-data.js';
import { linkedErrorsIntegration } from './linked-errors.js';
import { modulesIntegration } from './modules.js';
import { nodeContextIntegration } from './node-context.js';
import { childProcessIntegration } from './process/child-process.js';
import { processExitIntegration } from './process/process-exit.js';
import { processSessionIntegration } from './process/process-session.js';
import { processSignalsIntegration } from './process/process-signals.js';
import { onUncaughtExceptionIntegration } from './process/uncaught-exception.js';
import { onUnhandledRejectionIntegration } from './process/unhandled-rejection.js';
import { systemErrorIntegration } from './system-error.js';

/** The integrations enabled by default, in the order in which they process events. */
export function getDefaultIntegrations({ maxBreadcrumbs }: Pick<Settings, 'maxBreadcrumbs'>): Integration[] {
  const breadcrumbsOnly = maxBreadcrumbs > 0 ? [consoleIntegration()] : [];
  return [
    functionToStringIntegration(),
    linkedErrorsIntegration(),
    requestDataIntegration(),
    systemErrorIntegration(),
    conversationIdIntegration(),
    ...breadcrumbsOnly,
    onUncaughtExceptionIntegration(),
    onUnhandledRejectionIntegration(),
    contextLinesIntegration(),
    nodeContextIntegration(),
    childProcessIntegration(),
    processSessionIntegration(),
    modulesIntegration(),
    httpServerIntegration(),
    httpClientIntegration(),
    fetchIntegration(),
    fastifyIntegration(),
    processExitIntegration(),
    processSignalsIntegration(),
  ];
}
