import { guard } from '../internal/guard.js';
import { noteMistake } from '../internal/options/mistakes.js';
import { describe } from '../internal/values/in-message.js';
import { isArray, readList, readString } from '../internal/values/read.js';
import type { Integration } from '../model/contracts.js';
import type { Settings } from '../model/options.js';

/**
 * Merges the default and the user's integrations. If names collide, the user's replaces the default one, and a later
 * one of the user's replaces the earlier, in its place.
 */
export function resolveIntegrations(
  { integrations, defaultIntegrations }: Pick<Settings, 'integrations' | 'defaultIntegrations'>,
  createDefaults: () => Integration[],
): Integration[] {
  const defaults = defaultIntegrations === false ? [] : (defaultIntegrations ?? createDefaults());
  const all =
    typeof integrations === 'function'
      ? guard('integrations', () => integrations(defaults), defaults)
      : [...readList(defaults), ...readList(integrations)];
  const byName = new Map<string, Integration>();
  for (const one of readList(isArray(all) ? all : defaults) as Integration[]) {
    const name = nameOf(one);
    if (name !== undefined) byName.set(name, one);
    else {
      const problem = `must be objects with a name, but one is ${describeRefused(one)}; it is ignored`;
      noteMistake({ owner: 'integrations', problem });
    }
  }
  return [...byName.values()];
}

function describeRefused(one: unknown): string {
  if (typeof one !== 'function') return describe(one);
  const name = readString(one, 'name');
  return name ? `the function ${name}, which has to be called: ${name}()` : 'a function, which has to be called';
}

/** Ignores functions: a factory passed uncalled has a name, too. */
function nameOf(one: unknown): string | undefined {
  return typeof one === 'object' ? readString(one, 'name') : undefined;
}
