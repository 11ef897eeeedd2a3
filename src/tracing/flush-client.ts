import type { Client } from '../model/contracts.js';

/** How long `forceFlush` waits for the destination. */
const FLUSH_TIMEOUT_MILLIS = 10_000;

/** What `forceFlush` of OTel parts does: sends what there is, and waits for the destination, 10 seconds at most. */
export async function flushClient(client: Client | undefined): Promise<void> {
  await client?.flush(FLUSH_TIMEOUT_MILLIS);
}

/**
 * What `shutdown` of OTel parts does: waits `shutdownTimeout` at most, as hosts end their process when their provider has
 * shut down. The client stays open.
 */
export async function flushClientAtShutdown(client: Client | undefined): Promise<void> {
  // 0 would mean without a limit.
  await client?.flush(Math.max(client.settings.shutdownTimeout, 1));
}
