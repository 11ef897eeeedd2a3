import { createLogger, describe } from '../internal/diag.js';
import { guard } from '../internal/guard.js';
import { isArray, readList, readString } from '../internal/read.js';
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
    const name = nameOf(one);
    if (name !== undefined) byName.set(name, one);
    else log.warn(`integrations: must be objects with a name, but one is ${describe(one)}; it is ignored`);
  }
  return [...byName.values()];
}

/** A factory that was not called has a name, too. */
function nameOf(one: unknown): string | undefined {
  return typeof one === 'object' ? readString(one, 'name') : undefined;
}
