import { isMainThread } from 'node:worker_threads';
import { getClient, getIsolationScope } from '../../context/current-scopes.js';
import { startSession } from '../../context/sessions.js';
import type { Integration } from '../../model/contracts.js';
import { closeSession } from '../../model/session.js';

const EVENT = 'beforeExit';

/**
 * Makes one session of the run of the process, where a release is known: it has errors after the first error event, has
 * crashed with the first one that nobody handled, and has exited when the process or the client comes to a good end.
 */
export function processSessionIntegration(): Integration {
  return {
    name: 'ProcessSession',
    setup(client) {
      // Worker threads with an SDK of their own are part of the same run.
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
        // The event of what makes a process fail may have been discarded; such an end is no good one.
        if (!process.exitCode) end();
      };
    },
  };
}
