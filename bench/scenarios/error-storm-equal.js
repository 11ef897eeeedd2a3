// The same storm of equal errors, of which a system may send some only.

import * as errorStorm from './error-storm.js';

export const { script, setup, systems, operations } = errorStorm;

export function createError() {
  return new Error('the order is lost');
}
