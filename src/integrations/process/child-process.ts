import type { ChildProcess } from 'node:child_process';
import { type EventEmitter, errorMonitor } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { addBreadcrumb } from '../../capture.js';
import { getClient, getCurrentScope } from '../../context/current-scopes.js';
import { KnownErrors } from '../../context/known-errors.js';
import { observeChannel } from '../../internal/node/diagnostics-channel.js';
import { readOptions } from '../../internal/options/read-options.js';
import { undoAll } from '../../internal/patching/replace-method.js';
import { describe } from '../../internal/values/in-message.js';
import { isObjectOrFunction, readString } from '../../internal/values/read.js';
import type { Integration } from '../../model/contracts.js';
import type { InnerClient } from '../../model/inner-client.js';
import { maskText } from '../../scrubbing/credentials.js';
import { maskJson } from '../../scrubbing/mask-json.js';
import { credentialNames } from '../../scrubbing/sensitive-names.js';
import { isWorkerErrorNoted, shareWorkerErrors } from './worker-errors.js';

/** Options of {@link childProcessIntegration}. */
export interface ChildProcessOptions {
  /** Adds the arguments of child processes to breadcrumbs; they may contain secrets. @default false */
  includeChildProcessArgs?: boolean | undefined;
  /**
   * Captures errors that end worker threads, unless a client in the worker has captured them; `false` adds a breadcrumb
   * instead. @default true
   */
  captureWorkerErrors?: boolean | undefined;
}

/** Adds breadcrumbs for failing child processes, and captures errors that end worker threads. */
export function childProcessIntegration(options?: ChildProcessOptions): Integration {
  const { includeChildProcessArgs, captureWorkerErrors } = readOptions('childProcessIntegration', options, {
    includeChildProcessArgs: false,
    captureWorkerErrors: true,
  });
  return {
    name: 'ChildProcess',
    setup(client: InnerClient) {
      shareWorkerErrors();
      let isStopped = false;
      const isActive = () => !isStopped && getClient() === client;
      const undo = undoAll([
        observeChannel<{ process: ChildProcess }>('child_process', ({ process: child }) =>
          observeChild(child, includeChildProcessArgs, isActive),
        ),
        observeChannel<{ worker: Worker }>('worker_threads', ({ worker }) =>
          observeWorker(worker, captureWorkerErrors ? client : undefined, isActive),
        ),
      ]);
      return () => {
        isStopped = true;
        undo();
      };
    },
  };
}

function observeChild(child: ChildProcess, includeArgs: boolean, isActive: () => boolean): void {
  const leave = (level: 'warning' | 'error', message: string) => {
    if (!isActive()) return;
    const { spawnfile, spawnargs } = child;
    const data = includeArgs
      ? { spawnfile, spawnargs: maskJson(spawnargs, credentialNames(getClient()?.settings.scrubbing)) }
      : { spawnfile };
    addBreadcrumb({ category: 'child_process', level, message, data }, { child });
  };
  child.on('exit', (code, signal) => {
    if (code) leave('warning', `Child process exited with code '${code}'`);
    else if (signal) leave('warning', `Child process exited with signal '${signal}'`);
  });
  onError(child, (error) => leave('error', `Child process errored with '${messageOf(error)}'`));
}

function observeWorker(worker: Worker, capturing: InnerClient | undefined, isActive: () => boolean): void {
  // The id is no longer available once the worker has failed.
  const { threadId } = worker;
  const data = { threadId: String(threadId) };
  onError(worker, (error) => {
    if (!isActive()) return;
    if (!capturing) {
      const message = `Worker thread errored with '${messageOf(error)}'`;
      addBreadcrumb({ category: 'worker_thread', level: 'error', message, data }, { worker });
    } else if (isWorkerErrorNoted(threadId)) {
      // Without a listener for it, the error is raised in this thread.
      if (isObjectOrFunction(error)) capturing.stateOf(KnownErrors).noteObject(error);
    } else {
      const mechanism = { type: 'auto.child_process.worker_thread', handled: false, data };
      capturing.captureException(error, { mechanism }, getCurrentScope());
    }
  });
}

/** Uses the monitor event: a listener for the event itself would count as handling the error. */
function onError(emitter: EventEmitter, observer: (error: unknown) => void): void {
  emitter.on(errorMonitor, observer);
}

function messageOf(error: unknown): string {
  const message = readString(error, 'message');
  return message === undefined ? describe(error) : maskText(message, credentialNames(getClient()?.settings.scrubbing));
}
