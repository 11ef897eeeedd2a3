import { threadMemory } from '../internal/node/thread-memory.js';
import type { NoticeCode } from '../model/notice.js';

const KEY = 'faultline.notices';
/** More than any process writes; further notices are not written. */
const MAX_NOTICES = 256;

/** Used where threads can share no memory. */
const own = new Set<NoticeCode>();

/** The hashes of the notices that were written. `init` calls this before the application starts threads. */
export function shareNotices(): Int32Array | undefined {
  return threadMemory(KEY, MAX_NOTICES);
}

/** Claims a notice. @returns true for the first thread that asks */
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
