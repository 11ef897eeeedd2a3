import type { Client } from '../model/contracts.js';

/** How long `forceFlush` waits for the destination. */
export const FLUSH_TIMEOUT_MILLIS = 10_000;

/** `forceFlush` of our OTel parts: flushes the client, for 10 seconds at most. */
export async function flushClient(client: Client | undefined): Promise<void> {
  await client?.flush(FLUSH_TIMEOUT_MILLIS);
}

/**
 * `shutdown` of our OTel parts: flushes the client, for `shutdownTimeout` at most, because applications exit once their
 * provider has shut down. The client stays open.
 */
export async function flushClientAtShutdown(client: Client | undefined): Promise<void> {
  await client?.flush(client.settings.shutdownTimeout);
}
