import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getClient, init } from '../../../src/index.js';
import { raiseStackTraceLimit } from '../../../src/internal/node/stack-trace-limit.js';

const before = Error.stackTraceLimit;

beforeEach(() => {
  Error.stackTraceLimit = 10;
});
afterEach(() => {
  Error.stackTraceLimit = before;
});

describe('the limit of stack traces', () => {
  it('is raised by init, and restored by close', async () => {
    const client = init();
    expect(Error.stackTraceLimit).toBe(50);
    await client.close();
    expect(Error.stackTraceLimit).toBe(10);
  });

  it('is never lowered', async () => {
    Error.stackTraceLimit = 100;
    const client = init({ stackTraceLimit: 60 });
    expect(Error.stackTraceLimit).toBe(100);
    await client.close();
    expect(Error.stackTraceLimit).toBe(100);
  });

  it('is left alone by a limit of 0, and by a client that is not enabled', async () => {
    for (const options of [{ stackTraceLimit: 0 }, { enabled: false }]) {
      const client = init(options);
      expect(Error.stackTraceLimit).toBe(10);
      await client.close();
    }
  });

  it('is left alone by close if the application has changed it', async () => {
    const client = init();
    Error.stackTraceLimit = 7;
    await client.close();
    expect(Error.stackTraceLimit).toBe(7);
  });

  it('holds for the second client when the first is closed after it, and returns to what it was', async () => {
    const first = init();
    const second = init({ stackTraceLimit: 60 });
    await first.close();
    expect(Error.stackTraceLimit).toBe(60);
    await second.close();
    expect(Error.stackTraceLimit).toBe(10);
    expect(getClient()).toBe(second);
  });

  it('that the application sets between two clients is the one to restore', () => {
    raiseStackTraceLimit(50)();
    Error.stackTraceLimit = 20;
    const forgotten = raiseStackTraceLimit(50);
    Error.stackTraceLimit = 30;
    const undo = raiseStackTraceLimit(50);
    forgotten();
    expect(Error.stackTraceLimit).toBe(50);
    undo();
    expect(Error.stackTraceLimit).toBe(30);
  });

  it('that does not exist is not created', () => {
    Reflect.deleteProperty(Error, 'stackTraceLimit');
    raiseStackTraceLimit(50)();
    expect(Error.stackTraceLimit).toBeUndefined();
  });

  it('that nobody may change breaks nothing', () => {
    Object.defineProperty(Error, 'stackTraceLimit', { value: 10, writable: false, configurable: true });
    raiseStackTraceLimit(50)();
    expect(Error.stackTraceLimit).toBe(10);
    Object.defineProperty(Error, 'stackTraceLimit', { value: 10, writable: true });
  });
});
