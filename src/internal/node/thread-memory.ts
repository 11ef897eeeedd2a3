import { types } from 'node:util';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

/**
 * Integers that all threads of the process share. Worker threads have their own `globalThis`, but get the environment
 * data of the thread that starts them: the first call has to come before.
 *
 * @returns `undefined` where hardened JavaScript (SES) has taken shared memory away
 */
export function threadMemory(key: string, length: number): Int32Array | undefined {
  if (typeof SharedArrayBuffer === 'undefined' || typeof Atomics === 'undefined') return undefined;
  const present: unknown = getEnvironmentData(key);
  if (types.isSharedArrayBuffer(present)) return new Int32Array(present);
  const created = new SharedArrayBuffer(length * Int32Array.BYTES_PER_ELEMENT);
  setEnvironmentData(key, created);
  return new Int32Array(created);
}
