import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, expect, it } from 'vitest';

/**
 * Memory that the hot paths allocate. Unlike time, it is the same on a busy machine: runs differ by some percent. A change
 * that exceeds a budget has to say why; one that stays far below lowers it.
 */

/**
 * Bytes for each operation; a trace is a root with ten children, a request has its span only, a line of the console is in no
 * event. Measured with Node 20, plus a tenth.
 */
const BUDGETS = {
  sampledTrace: 70_000,
  unsampledTrace: 6_800,
  traceWithoutTracing: 5_700,
  exception: 38_500,
  message: 25_500,
  sampledRequest: 49_000,
  unsampledRequest: 8_500,
  consoleLine: 2_400,
} as const;

const SEMI_SPACE_MIB = 256;
/** On a busy machine, code that is compiled in the background comes later, and code that waits for it allocates more. */
const COMPILES_AT_ONCE = '--no-concurrent-recompilation';
const SPACES = ['--min-semi-space-size', '--max-semi-space-size'].map((option) => `${option}=${SEMI_SPACE_MIB}`);

let allocated: Record<string, number>;
beforeAll(async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', COMPILES_AT_ONCE, ...SPACES, 'test/support/count-allocations.mjs'],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );
  allocated = JSON.parse(stdout) as Record<string, number>;
}, 60_000);

it.each(Object.entries(BUDGETS))('%s allocates %i bytes at most', (operation, budget) => {
  expect(allocated[operation]).toBeLessThanOrEqual(budget);
  // Otherwise something was not measured, or the memory was collected in between.
  expect(allocated[operation]).toBeGreaterThan(budget / 2);
});

it('what was measured arrived', () => {
  expect(allocated['requests']).toBe(10_000);
});

/** Bytes of a sampled trace that outlive young collections: the figures that clients keep, and little else. */
const MAX_SURVIVING_BYTES = 2500;

it('what a trace allocates is freed by the next collections of the young generation', async () => {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--expose-gc', COMPILES_AT_ONCE, '--initial-old-space-size=512', 'test/support/count-survivors.mjs'],
    { env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect(Number(stdout)).toBeLessThanOrEqual(MAX_SURVIVING_BYTES);
}, 60_000);
