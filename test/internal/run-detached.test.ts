import { setImmediate } from 'node:timers/promises';
import { type DiagLogger, diag } from '@opentelemetry/api';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { runDetached } from '../../src/internal/run-detached.js';

const onRejection = vi.fn();
const error = vi.fn();
const logger: DiagLogger = { error, warn: error, info: error, debug: error, verbose: error };

beforeEach(() => {
  process.on('unhandledRejection', onRejection);
  diag.setLogger(logger, { suppressOverrideMessage: true });
});

afterEach(() => {
  process.off('unhandledRejection', onRejection);
  diag.disable();
  vi.resetAllMocks();
});

describe('runDetached', () => {
  it('logs a rejection, which does not reach the application', async () => {
    const failure = new Error('no');
    runDetached('the work', Promise.reject(failure));
    await setImmediate();
    expect(error.mock.calls).toEqual([['faultline/internal', 'the work failed', failure]]);
    expect(onRejection).not.toHaveBeenCalled();
  });

  it('owns a thenable whose `then` throws', async () => {
    const hostile = Object.defineProperty({}, 'then', {
      get() {
        throw new Error('no');
      },
    });
    runDetached('the work', hostile as PromiseLike<unknown>);
    await setImmediate();
    expect(error).toHaveBeenCalledTimes(1);
    expect(onRejection).not.toHaveBeenCalled();
  });

  it('stays quiet when the logger of the application throws', async () => {
    error.mockImplementation(() => {
      throw new Error('no');
    });
    runDetached('the work', Promise.reject(new Error('no')));
    await setImmediate();
    expect(error).toHaveBeenCalledTimes(1);
    expect(onRejection).not.toHaveBeenCalled();
  });
});
