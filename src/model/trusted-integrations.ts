import { readProperty } from '../internal/values/read.js';
import type { Integration } from './contracts.js';

const EVENT_METHODS = ['preprocessEvent', 'processEvent', 'enrichEvent', 'enrichEventSync'] as const;

/** Methods of the default integrations, as the SDK made them. */
const trusted = new WeakSet<object>();

/** Trusts integrations that no user code has seen yet, and returns them. */
export function trustIntegrations(integrations: Integration[]): Integration[] {
  for (const method of integrations.flatMap(methodsOf)) trusted.add(method as object);
  return integrations;
}

/**
 * Whether an integration only changes events in valid ways. Others may be user code, and so may a default integration
 * whose method somebody has replaced: their events are sanitized.
 */
export function isTrusted(integration: Integration): boolean {
  return methodsOf(integration).every((method) => trusted.has(method as object));
}

function methodsOf(integration: Integration): unknown[] {
  return EVENT_METHODS.map((name) => readProperty(integration, name)).filter((method) => typeof method === 'function');
}
