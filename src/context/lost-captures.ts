import { guardOwn } from '../internal/guard.js';
import { uuid4 } from '../internal/ids.js';
import { listenToProcess } from '../internal/node/own-listeners.js';
import { parseFlag } from '../internal/options/parse-flag.js';
import { SDK_VERSION } from '../internal/version.js';
import { isOtherMajorTalking, otherMajorsInUse } from './copies.js';
import { hasClientInMainThread } from './main-thread.js';
import { notify } from './notify.js';
import { processWide } from './process-wide.js';

let isDebugChecked = false;

/**
 * Counts a capture before `init`, which is lost; `init` logs how many there were. If `init` is never called and
 * `FAULTLINE_DEBUG` is set, the number is written when the process ends.
 *
 * @returns an id, as captures do
 */
export function loseCapture(): string {
  processWide().capturesWithoutClient += 1;
  guardOwn('the search for other copies', reportOtherMajor);
  guardOwn('the search for a client of the main thread', reportLostInThread);
  if (!isDebugChecked && parseFlag(process.env['FAULTLINE_DEBUG'])) listenToProcess('exit', reportLostCaptures);
  isDebugChecked = true;
  return uuid4();
}

function reportOtherMajor(): void {
  const others = otherMajorsInUse();
  if (others.length === 0) return;
  const message = `captures in Faultline ${SDK_VERSION} are lost, because init was called in ${others.join(', ')} only. Let all parts of the application use one version: npm dedupe`;
  notify('copy-without-init', message, { quiet: !isOtherMajorTalking() });
}

function reportLostInThread(): void {
  if (!hasClientInMainThread()) return;
  const message =
    'captures in a worker thread are lost, because init was not called in it: call init there, too, before anything is captured';
  notify('no-init-in-thread', message, { quiet: false });
}

function reportLostCaptures(): void {
  const count = processWide().capturesWithoutClient;
  if (count === 0) return;
  const message = `captures without init: ${count}; they are lost. Call init first, or start with --import faultline/register`;
  notify('no-init', message, { quiet: false });
}
