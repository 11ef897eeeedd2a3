import { wasThrown } from '../context/thrown-primitives.js';
import { KnownErrors } from '../errors/known-errors.js';
import type { Settings } from '../model/options.js';

export type { KnownErrors };

/** For one client; primitives are known by the spans that they are thrown through. */
export function createKnownErrors(settings: Settings): KnownErrors {
  return new KnownErrors(settings, wasThrown);
}
