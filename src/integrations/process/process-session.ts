import { isMainThread } from 'node:worker_threads';
import { getClient, getIsolationScope } from '../../context/current-scopes.js';
import { takeErrorsOfThreads } from '../../context/main-thread.js';
import { startSession } from '../../context/sessions.js';
import { listenToProcess } from '../../internal/node/own-listeners.js';
import { undoAll } from '../../internal/patching/replace-method.js';
import type { Integration } from '../../model/contracts.js';
import { closeSession, noteError } from '../../model/session.js';

/**
 * Tracks one session for the process if the release is known. It has errors from the first error event on, is crashed at
 * the first unhandled error, and exited when the process or the client ends normally.
 */
export function processSessionIntegration(): Integration {
  return {
    name: 'ProcessSession',
    setup(client) {
      // Worker threads with their own SDK belong to the same session, to which their errors are added at its end.
      if (!isMainThread || !client.settings.release) return undefined;
      const isolation = getIsolationScope();
      startSession();
      const end = () => {
        const session = isolation.getSession();
        if (session?.status !== 'ok') return;
        if (takeErrorsOfThreads()) noteError(session, false);
        closeSession(session);
        client.captureSession(session);
        isolation.setSession();
      };
      const onEmpty = () => {
        if (getClient() === client && !process.exitCode) end();
      };
      // The event of a fatal error may have been discarded; the session must still not end as healthy.
      const onExit = (code: number) => {
        if (code === 0) onEmpty();
      };
      const stop = undoAll([listenToProcess('beforeExit', onEmpty), listenToProcess('exit', onExit)]);
      return () => {
        stop();
        if (!process.exitCode) end();
      };
    },
  };
}
