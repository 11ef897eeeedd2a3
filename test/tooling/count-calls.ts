import { appendFileSync } from 'node:fs';
import { afterAll, inject, vi } from 'vitest';
import { countCalls, countedCalls } from '../fuzz/calls.js';

type AnyFunction = (...args: unknown[]) => unknown;

// Calls that tests make of the package's functions are counted, and not those that the SDK makes of them. Calls of methods
// are counted by the tests.
vi.mock('../../src/index.js', async (importOriginal) => {
  const exported = Object.entries(await importOriginal<Record<string, unknown>>());
  return Object.fromEntries(exported.map(([name, value]) => [name, isFunction(value) ? counted(value) : value]));
});

afterAll(() => appendFileSync(inject('callsFile'), `${countedCalls()} ${process.resourceUsage().maxRSS}\n`));

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function' && !String(value).startsWith('class');
}

function counted(call: AnyFunction): AnyFunction {
  return (...args) => {
    countCalls(1);
    return call(...args);
  };
}
