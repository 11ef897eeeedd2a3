import type { Integration } from '../model/contracts.js';
import type { Settings } from '../model/options.js';
import { childProcessIntegration } from './child-process.js';
import { consoleIntegration } from './console.js';
import { contextLinesIntegration } from './context-lines.js';
import { conversationIdIntegration } from './conversation-id.js';
import { fetchIntegration } from './fetch.js';
import { functionToStringIntegration } from './function-to-string.js';
import { httpClientIntegration } from './http-client.js';
import { httpServerIntegration } from './http-server.js';
import { linkedErrorsIntegration } from './linked-errors.js';
import { modulesIntegration } from './modules.js';
import { nodeContextIntegration } from './node-context.js';
import { processExitIntegration } from './process-exit.js';
import { processSessionIntegration } from './process-session.js';
import { requestDataIntegration } from './request-data.js';
import { systemErrorIntegration } from './system-error.js';
import { onUncaughtExceptionIntegration } from './uncaught-exception.js';
import { onUnhandledRejectionIntegration } from './unhandled-rejection.js';

/** The integrations that are on without asking, in the order in which they see events. */
export function getDefaultIntegrations({ maxBreadcrumbs }: Pick<Settings, 'maxBreadcrumbs'>): Integration[] {
  const leavingBreadcrumbs = maxBreadcrumbs > 0 ? [consoleIntegration()] : [];
  return [
    functionToStringIntegration(),
    linkedErrorsIntegration(),
    requestDataIntegration(),
    systemErrorIntegration(),
    conversationIdIntegration(),
    ...leavingBreadcrumbs,
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
    processExitIntegration(),
  ];
}
