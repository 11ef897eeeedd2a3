import type { Client, Integration as OwnIntegration } from '../index.js';
import { guard } from '../internal/guard.js';
import { isObject, readString } from '../internal/values/read.js';

/** An integration of the peer, which has two methods that ours lack. */
export interface Integration extends OwnIntegration {
  /** Called once in a process for each name. */
  setupOnce?(): void;
  /** Called when all integrations are set up. */
  afterAllSetup?(client: Client): void;
}

const setUpOnce = new Set<string>();

/** Calls the methods that our client does not call. What is no integration is passed over, as our client does. */
export function completeSetup(integrations: readonly unknown[], client: Client): void {
  const named = (integrations as readonly Integration[]).flatMap((one) => {
    const name = isObject(one) ? readString(one, 'name') : undefined;
    return name === undefined ? [] : [{ one, name }];
  });
  for (const { one, name } of named) {
    guard(`setupOnce of ${name}`, () => {
      if (typeof one.setupOnce !== 'function' || setUpOnce.has(name)) return;
      setUpOnce.add(name);
      one.setupOnce();
    });
  }
  for (const { one, name } of named) guard(`afterAllSetup of ${name}`, () => one.afterAllSetup?.(client));
}
