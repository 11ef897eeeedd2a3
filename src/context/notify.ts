import { writeToStderr } from '../internal/node/stderr.js';
import type { Notify } from '../model/notice.js';
import { processWide } from './process-wide.js';
import { isFirstNotice } from './written-notices.js';

/**
 * Writes a mistake to stderr, once per process. With `debug: true` it is not written again, because what is logged to
 * `diag` gets there already.
 */
export const notify: Notify = (code, message, { quiet = false, enabled = true }) => {
  // A client that is not enabled has nothing to lose.
  if (quiet || !enabled || processWide().writesDiag || !isFirstNotice(code)) return;
  writeToStderr(`faultline: ${message}\n`);
};
