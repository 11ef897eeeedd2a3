import { Client, getClient as getOwnClient } from '../index.js';
import { createClient } from '../init.js';
import { copyOwn } from '../internal/values/copy-own.js';
import { completeSetup } from './integration.js';
import { type NodeOptions, toOwnOptions } from './options.js';
import { logMissing } from './stubs/missing.js';

/** A client of the peer. */
export interface NodeClient extends Client {
  /** Sets the integrations up. Without effect on the client that the function `init` returns, which has done so. */
  init(): void;
}

/**
 * A further client, for a separate scope: `scope.setClient(new NodeClient(options))`. Reads no variables, and leaves
 * OpenTelemetry alone.
 */
export const NodeClient = new Proxy(Client, {
  construct: (_client, [options]) => createNodeClient(options),
}) as unknown as { new (options?: NodeOptions): NodeClient; readonly prototype: NodeClient };

function createNodeClient(options: NodeOptions = {}): NodeClient {
  const { own, integrations } = toOwnOptions({ ...copyOwn(options), defaultIntegrations: false }, {});
  const { client } = createClient(own, {});
  logMissing();
  let isSetUp = !client.settings.enabled;
  const init = (): void => {
    if (isSetUp) return;
    isSetUp = true;
    client.setupIntegrations();
    completeSetup(integrations, client);
  };
  return Object.assign(client, { init });
}

/** @returns the current client; the caller may name a narrower type of it */
export function getClient<C extends Client = NodeClient>(): C | undefined {
  return getOwnClient() as C | undefined;
}
