import { context, diag, propagation, trace } from '@opentelemetry/api';
import { expect } from 'vitest';
import { processWide, resetProcessWide } from '../../src/context/process-wide.js';
import {
  type Client,
  type ClientOptions,
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  init,
} from '../../src/index.js';
import { expectConservation } from './conservation.js';
import { type Receiver, startReceiver } from './receiver.js';

/** What a story plays with. */
export interface Stage {
  readonly client: Client;
  readonly receiver: Receiver;
}

/** A busy machine is no reason to give a request up and to send its event again. */
const PATIENCE_MILLIS = 60_000;

/**
 * Tells a story through the public entry: starts a receiver, calls `init` with its DSN, lets the story happen, flushes,
 * and expects that everything captured was delivered or discarded, that what was discarded was reported, and that a
 * strict server would have objected to nothing. Afterwards the process is as it was.
 *
 * @param told what to expect of the receiver once everything has arrived
 */
export async function tell(
  options: ClientOptions,
  story: (stage: Stage) => unknown,
  told: (stage: Stage) => unknown = () => undefined,
): Promise<void> {
  const receiver = await startReceiver();
  const transportOptions = { timeoutMillis: PATIENCE_MILLIS, ...options.transportOptions };
  const client = init({ dsn: receiver.dsn, ...options, transportOptions });
  try {
    await story({ client, receiver });
    await client.flush(PATIENCE_MILLIS);
    await expectConservation(client, receiver);
    expect(receiver.violations).toEqual([]);
    await told({ client, receiver });
  } finally {
    await client.close(1000);
    await receiver.close();
    resetOpenTelemetry();
  }
}

/** Takes back everything that `init` registers for the process. */
export function resetOpenTelemetry(): void {
  trace.disable();
  context.disable();
  propagation.disable();
  diag.disable();
  getGlobalScope().setClient(undefined);
  for (const scope of [getGlobalScope(), getIsolationScope(), getCurrentScope()]) scope.clear();
}

/** Lets the SDK forget what has happened in the process, as if it had just been loaded. Parts that were made stay parts. */
export function resetSdk(): void {
  resetOpenTelemetry();
  resetProcessWide();
  processWide().partKinds.clear();
}
