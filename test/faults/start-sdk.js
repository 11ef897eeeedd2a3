import { writeSync } from 'node:fs';

export const ERRORS = 3;
export const SHUTDOWN_TIMEOUT_MILLIS = 1000;

/**
 * Starts the SDK if there is a DSN. When the process ends, prints its ledger.
 *
 * @returns {Promise<() => void>} captures some errors and a transaction
 */
export async function startSdk() {
  if (!process.env['FAULTLINE_DSN']) return () => undefined;
  const { captureException, init, startSpan } = await import('faultline');
  const client = init({ tracesSampleRate: 1, quiet: true, shutdownTimeout: SHUTDOWN_TIMEOUT_MILLIS });
  process.on('exit', () => writeSync(1, `ledger ${JSON.stringify(client.ledger.balance())}\n`));
  return () => {
    for (let index = 1; index <= ERRORS; index += 1) captureException(new Error(`error ${index}`));
    startSpan({ name: 'work' }, () => startSpan({ name: 'a part of it' }, () => undefined));
  };
}
