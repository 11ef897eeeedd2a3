import { type DiagLogger, diag } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { guard, guardOwn } from '../../src/internal/guard.js';

const error = vi.fn();
const logger: DiagLogger = { error, warn: error, info: error, debug: error, verbose: error };

beforeEach(() => {
  diag.setLogger(logger, { suppressOverrideMessage: true });
});

afterEach(() => {
  diag.disable();
  vi.resetAllMocks();
});

describe('what throws is named', () => {
  it.each([
    { runs: guard, owner: 'faultline/user-code', message: 'beforeBreadcrumb threw; its result is ignored' },
    { runs: guardOwn, owner: 'faultline/internal', message: 'beforeBreadcrumb failed; its result is missing' },
  ])('as $owner', async ({ runs, owner, message }) => {
    const failure = new Error('no');
    const fail = (): number => {
      throw failure;
    };
    expect(runs('beforeBreadcrumb', fail, 1)).toBe(1);
    await expect(runs('beforeBreadcrumb', () => Promise.reject(failure))).rejects.toBe(failure);
    expect(error.mock.calls).toEqual([
      [owner, message, failure],
      [owner, message, failure],
    ]);
  });
});
