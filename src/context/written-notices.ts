import { types } from 'node:util';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import type { NoticeCode } from '../model/notice.js';

const KEY = 'faultline.notices';
/** More than one process writes. What comes then is not written. */
const MAX_NOTICES = 256;

/** Used where hardened JavaScript (SES) has taken shared memory away. */
const own = new Set<NoticeCode>();

/**
 * The hashes of the notices that were written, in memory that all threads of the process share. Worker threads have a
 * `globalThis` of their own, but get the environment data of the thread that starts them: `init` calls this before it does.
 */
export function shareNotices(): Int32Array | undefined {
  if (typeof SharedArrayBuffer === 'undefined' || typeof Atomics === 'undefined') return undefined;
  const present: unknown = getEnvironmentData(KEY);
  if (types.isSharedArrayBuffer(present)) return new Int32Array(present);
  const created = new SharedArrayBuffer(MAX_NOTICES * Int32Array.BYTES_PER_ELEMENT);
  setEnvironmentData(KEY, created);
  return new Int32Array(created);
}

/** Whether no thread has written the notice; from now on, one has. */
export function isFirstNotice(code: NoticeCode): boolean {
  const written = shareNotices();
  if (!written) return own.size < own.add(code).size;
  const notice = hash(code);
  for (let place = 0; place < written.length; place++) {
    const present = Atomics.compareExchange(written, place, 0, notice);
    if (present === 0 || present === notice) return present === 0;
  }
  return false;
}

export function forgetNotices(): void {
  shareNotices()?.fill(0);
  own.clear();
}

/** Never 0, which stands for a free place. */
function hash(code: string): number {
  let value = 7;
  for (let i = 0; i < code.length; i++) value = (Math.imul(value, 31) + code.charCodeAt(i)) | 0;
  return value || 1;
}
