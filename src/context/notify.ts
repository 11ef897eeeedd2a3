import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';
import { writeToStderr } from '../internal/node/stderr.js';
import { isArray } from '../internal/values/read.js';
import type { NoticeCode, Notify } from '../model/notice.js';
import { processWide } from './process-wide.js';

/** Worker threads have a `globalThis` of their own; they inherit what was written before they started. */
const WRITTEN_KEY = 'faultline.notices';

/**
 * Writes a mistake to stderr, once per process. With `debug: true` it is not written again, because what is logged to
 * `diag` gets there already.
 */
export const notify: Notify = (code, message, { quiet }) => {
  const { notices, writesDiag } = processWide();
  if (quiet || writesDiag || notices.has(code) || inherited().includes(code)) return;
  notices.add(code);
  setEnvironmentData(WRITTEN_KEY, [...inherited(), code]);
  writeToStderr(`faultline: ${message}\n`);
};

function inherited(): readonly NoticeCode[] {
  const written: unknown = getEnvironmentData(WRITTEN_KEY);
  return isArray(written) ? (written as NoticeCode[]) : [];
}
