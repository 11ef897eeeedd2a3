import { APPLICATION_PROBLEMS } from './application.js';
import type { Check } from './check.js';
import { INIT_PROBLEMS } from './init.js';
import { PART_PROBLEMS } from './parts.js';
import { REGISTRATION_PROBLEMS } from './registration.js';

/** All problems, in the order in which they are reported: causes stand before their consequences. */
export const PROBLEMS: readonly Check[] = [
  ...INIT_PROBLEMS,
  ...REGISTRATION_PROBLEMS,
  ...APPLICATION_PROBLEMS,
  ...PART_PROBLEMS,
];
