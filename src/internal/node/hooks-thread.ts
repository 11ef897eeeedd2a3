import { isMainThread, parentPort } from 'node:worker_threads';

/**
 * Whether this is the thread in which Node runs hooks of `module.register()`. It runs `--require` preloads, too, but no
 * application. Other worker threads have a parent port.
 */
export const isHooksThread = !isMainThread && parentPort === null;
