import { addLinkedErrors } from '../errors/cause-chain.js';
import { readOptions } from '../internal/read-options.js';
import type { Integration } from '../model/contracts.js';

/** Options of {@link linkedErrorsIntegration}. */
export interface LinkedErrorsOptions {
  /** The property that leads from an error to its cause. @default 'cause' */
  key?: string | undefined;
  /** Linked errors per event at most, 0 to 100. @default 5 */
  limit?: number | undefined;
}

const MAX_LIMIT = 100;

/**
 * Puts the errors behind the captured one before it into the event: its cause, that one's cause, and the members of
 * aggregate errors. Each error comes once, also where causes go round in a circle.
 */
export function linkedErrorsIntegration(options?: LinkedErrorsOptions): Integration {
  const { key = 'cause', limit = 5 } = readOptions(options, { key: 'string', limit: 'number' });
  return {
    name: 'LinkedErrors',
    preprocessEvent(event, { originalException }) {
      addLinkedErrors(event, originalException, key, Math.min(limit, MAX_LIMIT) || 0);
    },
  };
}
