import type { Client } from '../model/contracts.js';

const FLUSH_TIMEOUT_MILLIS = 10_000;

/** `forceFlush` of our OTel parts: waits for the destination, 10 seconds at most. @returns whether all was delivered */
export async function flushClient(client: Client | undefined): Promise<boolean> {
  return (await client?.flush(FLUSH_TIMEOUT_MILLIS)) ?? true;
}

/**
 * `shutdown` of our OTel parts: waits for the destination, `shutdownTimeout` at most, because applications exit once their
 * provider has shut down. The client stays open.
 */
export async function flushClientAtShutdown(client: Client | undefined): Promise<boolean> {
  return (await client?.flush(client.settings.shutdownTimeout)) ?? true;
}
