import { readProperty } from '../internal/values/read.js';
import type { Integration } from './contracts.js';

const EVENT_METHODS = ['preprocessEvent', 'processEvent', 'enrichEvent', 'enrichEventSync'] as const;

/** Methods of the default integrations, as the SDK made them. */
const trusted = new WeakSet<object>();

/** Trusts integrations that no user code has seen yet. */
export function trustIntegrations(integrations: readonly Integration[]): void {
  for (const integration of integrations) {
    for (const method of methodsOf(integration)) trusted.add(method as object);
  }
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
