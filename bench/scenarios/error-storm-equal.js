// The same storm of equal errors, of which a system may send some only.

import * as errorStorm from './error-storm.js';

export const title = 'one of 20,000 equal errors in a row';
export const goal = { of: 'figure', max: 10 };
export const { script, setup, systems, operations } = errorStorm;

export function createError() {
  return new Error('the order is lost');
}
