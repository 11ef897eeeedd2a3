import { createLogger } from '../internal/diag.js';
import { guard } from '../internal/guard.js';
import { isArray, readList, readProperty } from '../internal/read.js';
import type { Integration } from '../model/contracts.js';
import type { Settings } from '../model/options.js';

const log = createLogger('integrations');

/**
 * The integrations in use: the default ones, then the user's. Of two with the same name the user's is used, and of two
 * of the user's the later; it takes the place of the first.
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
    const name: unknown = readProperty(one, 'name');
    if (typeof name === 'string') byName.set(name, one);
    else log.warn('integrations: an entry without a name is ignored');
  }
  return [...byName.values()];
}
