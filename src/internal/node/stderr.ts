import { writeSync } from 'node:fs';

const STDERR_FD = 2;
const RETRY_DELAY_MILLIS = 1;
const MAX_RETRIES = 50;

/**
 * Writes to stderr at once. When nobody reads it any more the output is lost and nothing else happens, whereas
 * `process.stderr.write` would emit an `error` event, which is an uncaught exception.
 */
export function writeToStderr(output: string): void {
  if (writeToReplacement(output)) return;
  let rest = Buffer.from(output);
  for (let retries = 0; rest.length > 0 && retries < MAX_RETRIES; ) {
    try {
      rest = rest.subarray(writeSync(STDERR_FD, rest));
    } catch (error) {
      // EAGAIN: the pipe is full, and its reader may catch up.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return;
      retries += 1;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_DELAY_MILLIS);
    }
  }
}

/** Test runners and loggers replace `process.stderr.write` to capture what is written; they get this, too. */
function writeToReplacement(output: string): boolean {
  try {
    if (!Object.hasOwn(process.stderr, 'write')) return false;
    process.stderr.write(output);
    return true;
  } catch {
    return false;
  }
}
