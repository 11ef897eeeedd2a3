import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Discard, type DiscardReason } from '../../src/model/delivery/outcome.js';
import type { Settings } from '../../src/model/options.js';
import { HOOK_DEADLINE_MILLIS, runHook as run } from '../../src/pipeline/run-hook.js';
import { sanitizeEvent } from '../../src/pipeline/sanitize/sanitize-event.js';

const runHook = (what: string, reason: DiscardReason, call: () => unknown) =>
  run({ what, reason, settings: { quiet: true } as Settings }, {}, call, sanitizeEvent);

afterEach(() => void vi.useRealTimers());

const never = new Promise(() => undefined);

describe('a hook whose promise never settles', () => {
  beforeEach(() => vi.useFakeTimers());

  it('loses its event under its own reason once the deadline is over, and not before', async () => {
    const result = runHook('beforeSend', 'before_send', () => never) as Promise<unknown>;
    const settled = vi.fn();
    void result.then(settled);
    await vi.advanceTimersByTimeAsync(HOOK_DEADLINE_MILLIS - 1);
    expect(settled).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    expect(settled).toHaveBeenCalledWith(expect.any(Discard));
    expect(await result).toMatchObject({ reason: 'before_send', detail: expect.stringContaining('not settled') });
  });

  it('leaves no timer behind when it does settle', async () => {
    await runHook('beforeSend', 'before_send', () => Promise.resolve({}));
    expect(vi.getTimerCount()).toBe(0);
  });
});

it('a hook whose answer has arrived while the event loop was blocked for longer than the deadline keeps its event', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // Timers run before what has arrived on sockets is read.
  const answer = new Promise((resolve) => setImmediate(resolve, { message: 'answered' }));
  const result = runHook('beforeSend', 'before_send', () => answer);
  vi.advanceTimersByTime(HOOK_DEADLINE_MILLIS + 1000);
  expect(await result).toMatchObject({ message: 'answered' });
});

describe('what a hook returns', () => {
  it.each([[undefined], [1], ['event'], [true], [[]], [() => 1], [Symbol('s')]])(
    'is no event when it is %s',
    (value) => {
      expect(runHook('beforeSend', 'before_send', () => value)).toBeInstanceOf(Discard);
    },
  );

  it('is read even from a thenable that lies about itself', () => {
    const liar = {
      // biome-ignore lint/suspicious/noThenProperty: this is what applications hand in
      get then(): never {
        throw new Error('no');
      },
    };
    expect(runHook('beforeSend', 'before_send', () => liar)).toEqual({});
  });
});
