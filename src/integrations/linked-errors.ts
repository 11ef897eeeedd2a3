import { addLinkedErrors } from '../errors/cause-chain.js';
import { readOptions } from '../internal/options/read-options.js';
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
 * Adds the errors that the captured one links to, in front of it: its cause, the cause of that, and the members of
 * aggregate errors. Each error is added once, even if causes form a circle.
 */
export function linkedErrorsIntegration(options?: LinkedErrorsOptions): Integration {
  const { key, limit } = readOptions('linkedErrorsIntegration', options, { key: 'cause', limit: 5 });
  return {
    name: 'LinkedErrors',
    preprocessEvent(event, { originalException }) {
      addLinkedErrors(event, originalException, key, Math.min(limit, MAX_LIMIT) || 0);
    },
  };
}
