import type { Client, Integration as OwnIntegration } from '../index.js';
import { guard } from '../internal/guard.js';
import { isObject, readProperty, readString } from '../internal/values/read.js';
import { noteMissing } from './stubs/missing.js';

/** An integration of the peer, which has two methods that ours lack. */
export interface Integration extends OwnIntegration {
  /** Called once in a process for each name. */
  setupOnce?(): void;
  /** Called when all integrations are set up. */
  afterAllSetup?(client: Client): void;
}

/** Key of the options that an integration of the peer stands for: its event filters, and Spotlight. */
export const STANDS_FOR = Symbol('options');

/** Key of the integrations that one of the peer stands for. */
export const PARTS = Symbol('parts');

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

/** Those that one of the peer stands for take its place. */
export function toParts(integrations: readonly Integration[]): Integration[] {
  return integrations.flatMap((one) => (readProperty(one, PARTS) as Integration[] | undefined) ?? [one]);
}

/** Notes an integration that stands for options, where they are fixed already. @param where it was passed */
export function noteLateOptions(integration: unknown, where: string): void {
  if (readProperty(integration, STANDS_FOR) === undefined) return;
  const instead = 'List it in the array integrations of init, or set the options that it stands for';
  noteMissing(`${readString(integration, 'name')} ${where}`, instead);
}
