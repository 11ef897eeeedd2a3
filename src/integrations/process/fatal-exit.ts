import { inspect } from 'node:util';
import { settlesWithin } from '../../internal/deadline.js';
import { guard } from '../../internal/guard.js';
import { runDetached } from '../../internal/run-detached.js';
import type { Client } from '../../model/contracts.js';

const FAILURE = 1;
/** How much later than the client's own deadline the process ends when the client does not keep it. */
const GRACE_MILLIS = 100;

/** Writes an error that ends the process to stderr, as Node does where nobody catches one. */
export function printFatal(error: unknown): void {
  print(`${printError(error)}\n\nNode.js ${process.version}\n`);
}

/** Writes a warning about an unhandled rejection to stderr, as Node does with `--unhandled-rejections=warn`. */
export function printRejectionWarning(reason: unknown): void {
  print(`(node:${process.pid}) UnhandledPromiseRejectionWarning: ${printError(reason)}\n`);
}

/**
 * Ends the process with status 1 once the client has closed, or when its `shutdownTimeout` is over. What is captured
 * meanwhile is sent too, as far as time permits.
 */
export function exitAfterClose(client: Client): void {
  const { shutdownTimeout } = client.settings;
  const exit = () => process.exit(FAILURE);
  // Nothing else may end the process with success while the client is closing.
  process.exitCode = FAILURE;
  const closed = settlesWithin(closeWithin(client, shutdownTimeout), shutdownTimeout + GRACE_MILLIS);
  runDetached('the exit after a fatal error', closed.then(exit));
}

async function closeWithin(client: Client, timeoutMillis: number): Promise<void> {
  const deadline = performance.now() + timeoutMillis;
  await client.flush(Math.max(timeoutMillis, 1));
  await client.close(Math.max(deadline - performance.now(), 1));
}

function printError(value: unknown): string {
  if (typeof value === 'string') return value;
  const colors = process.stderr.isTTY === true && process.stderr.hasColors();
  return guard('inspection of a fatal error', () => inspect(value, { colors }), '[unprintable]');
}

function print(text: string): void {
  guard('writing to stderr', () => process.stderr.write(text), false);
}
