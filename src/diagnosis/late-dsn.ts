import { notify } from '../context/notify.js';
import { createLogger } from '../internal/diag.js';
import type { Client } from '../model/contracts.js';
import { callLater } from './call-later.js';

const log = createLogger('init');

/** By then, the modules of an application are loaded. */
const LOADING_MILLIS = 1000;

/** Reports a DSN that came into the environment after an `init` that found none, as when `.env` is read too late. */
export function reportLateDsn(client: Client): void {
  callLater(client, LOADING_MILLIS, () => {
    if (!process.env['FAULTLINE_DSN']) return;
    const message =
      'FAULTLINE_DSN was set after init, which found no DSN: nothing is sent. Load the file with the variables first: import "dotenv/config" before the file that calls init, or node --env-file=.env';
    log.warn(message);
    notify('late-dsn', message, client.settings);
  });
}
