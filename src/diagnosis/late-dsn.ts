import { notify } from '../context/notify.js';
import { createLogger } from '../internal/diag.js';
import { onBeforeExit } from '../internal/node/before-exit.js';
import { unref } from '../internal/unref.js';
import type { Settings } from '../model/options.js';

const log = createLogger('init');

/** By then, the modules of an application are loaded. */
const LOADING_MILLIS = 1000;

/**
 * Reports a DSN that came into the environment after an `init` that found none, as when `.env` is read too late.
 *
 * @returns stops watching
 */
export function watchLateDsn(settings: Settings): () => void {
  const look = () => {
    stop();
    if (!process.env['FAULTLINE_DSN']) return;
    const message =
      'FAULTLINE_DSN was set after init, which found no DSN: nothing is sent. Load the file with the variables first: import "dotenv/config" before the file that calls init, or node --env-file=.env';
    log.warn(message);
    notify('late-dsn', message, settings);
  };
  const timer = unref(setTimeout(look, LOADING_MILLIS));
  const stopAtEnd = onBeforeExit(look);
  const stop = () => {
    clearTimeout(timer);
    stopAtEnd();
  };
  return stop;
}
