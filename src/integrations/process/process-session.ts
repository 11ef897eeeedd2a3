import { isMainThread } from 'node:worker_threads';
import { getClient, getIsolationScope } from '../../context/current-scopes.js';
import { startSession } from '../../context/sessions.js';
import type { Integration } from '../../model/contracts.js';
import { closeSession } from '../../model/session.js';

const EVENT = 'beforeExit';

/**
 * Tracks one session for the process if the release is known. It has errors from the first error event on, is crashed at
 * the first unhandled error, and exited when the process or the client ends normally.
 */
export function processSessionIntegration(): Integration {
  return {
    name: 'ProcessSession',
    setup(client) {
      // Worker threads with their own SDK belong to the same session.
      if (!isMainThread || !client.settings.release) return undefined;
      const isolation = getIsolationScope();
      startSession();
      const end = () => {
        const session = isolation.getSession();
        if (session?.status !== 'ok') return;
        closeSession(session);
        client.captureSession(session);
        isolation.setSession();
      };
      const onExit = () => {
        if (getClient() === client) end();
      };
      process.on(EVENT, onExit);
      return () => {
        process.off(EVENT, onExit);
        // The event of the fatal error may have been discarded; the session must still not end as healthy.
        if (!process.exitCode) end();
      };
    },
  };
}
