import type { Client, Integration as OwnIntegration } from '../index.js';
import { guard } from '../internal/guard.js';

/** An integration of the peer, which has two methods that ours lack. */
export interface Integration extends OwnIntegration {
  /** Called once in a process for each name. */
  setupOnce?(): void;
  /** Called when all integrations are set up. */
  afterAllSetup?(client: Client): void;
}

const setUpOnce = new Set<string>();

/** Calls the methods that our client does not call. */
export function completeSetup(integrations: readonly Integration[], client: Client): void {
  for (const one of integrations) {
    if (setUpOnce.has(one.name)) continue;
    setUpOnce.add(one.name);
    guard(`setupOnce of ${one.name}`, () => one.setupOnce?.());
  }
  for (const one of integrations) guard(`afterAllSetup of ${one.name}`, () => one.afterAllSetup?.(client));
}
