import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Priority } from '../../src/model/delivery/item-types.js';
import { Discard } from '../../src/model/delivery/outcome.js';
import type { StepResult } from '../../src/pipeline/step.js';
import { WaitingEvents } from '../../src/pipeline/waiting-events.js';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

function setUp() {
  const waiting = new WaitingEvents();
  const sent: string[] = [];
  const settle = (name: string) => (result: StepResult) =>
    void sent.push(result instanceof Discard ? `${name} ${result.reason}` : name);
  /** An event whose result comes when the test says so. */
  const addSlow = (name: string, held: unknown = undefined, priority: Priority = 0): (() => Promise<unknown>) => {
    let finish: (result: StepResult) => void = () => undefined;
    const result = new Promise<StepResult>((resolve) => {
      finish = resolve;
    });
    waiting.add(result, priority, held, () => new Discard('event_processor', 'held'), settle(name));
    return () => {
      finish({});
      return vi.advanceTimersByTimeAsync(0);
    };
  };
  const addReady = (name: string) => waiting.add({}, 0, undefined, () => ({}), settle(name));
  return { waiting, sent, addSlow, addReady };
}

describe('events that wait', () => {
  it('are sent in the order of their capture, ready ones behind slow ones', async () => {
    const { sent, addSlow, addReady } = setUp();
    addReady('first');
    expect(sent).toEqual(['first']);
    const [finishA, finishB] = [addSlow('a'), addSlow('b')];
    addReady('c');
    await finishB();
    expect(sent).toEqual(['first']);
    await finishA();
    expect(sent).toEqual(['first', 'a', 'b', 'c']);
    addReady('d');
    expect(sent.at(-1)).toBe('d');
  });

  it('are overtaken at once when that is asked for, and keep the order among themselves later', async () => {
    const { waiting, sent, addSlow, addReady } = setUp();
    const finish = addSlow('slow');
    addReady('a');
    waiting.overtake();
    expect(sent).toEqual(['a']);
    const finishB = addSlow('b');
    addReady('c');
    await finishB();
    expect(sent).toEqual(['a', 'b', 'c']);
    await finish();
    expect(sent).toEqual(['a', 'b', 'c', 'slow']);
  });

  it('are awaited together, however often', async () => {
    const { waiting, addSlow } = setUp();
    const finish = addSlow('slow');
    let settled = 0;
    for (let i = 0; i < 3; i++) void waiting.settled().then(() => settled++);
    await vi.advanceTimersByTimeAsync(0);
    expect(settled).toBe(0);
    await finish();
    expect(settled).toBe(3);
  });

  it('are overtaken when they take two seconds, and are sent when they are ready', async () => {
    const { sent, addSlow, addReady } = setUp();
    const finish = addSlow('slow');
    addReady('a');
    await vi.advanceTimersByTimeAsync(1999);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(2);
    expect(sent).toEqual(['a']);
    addReady('b');
    await finish();
    expect(sent).toEqual(['a', 'b', 'slow']);
  });

  it('keep the async context of their capture', async () => {
    const storage = new AsyncLocalStorage<string>();
    const waiting = new WaitingEvents();
    const contexts: unknown[] = [];
    const note = () => contexts.push(storage.getStore());
    const slow = Promise.resolve({});
    storage.run('a', () => waiting.add(slow, 0, undefined, () => ({}), note));
    storage.run('b', () => waiting.add({}, 0, undefined, () => ({}), note));
    await vi.advanceTimersByTimeAsync(0);
    expect(contexts).toEqual(['a', 'b']);
  });

  it('are bounded by their size', () => {
    const { waiting, addSlow } = setUp();
    let count = 0;
    while (!waiting.isFull(0) && count < 5000) addSlow(`${count++}`, { text: 'x'.repeat(1_000_000) });
    expect(count).toBeGreaterThan(100);
    expect(count).toBeLessThan(130);
  });

  it('are bounded by their number', () => {
    const { waiting, addSlow } = setUp();
    for (let i = 0; i < 4999; i++) addSlow(`${i}`);
    expect(waiting.isFull(0)).toBe(false);
    addSlow('last');
    expect(waiting.isFull(0)).toBe(true);
  });

  it('leave room for errors, whatever waits beside them', () => {
    const { waiting, addSlow } = setUp();
    for (let i = 0; i < 5000; i++) addSlow(`transaction ${i}`, undefined, 1);
    expect([waiting.isFull(0), waiting.isFull(1)]).toEqual([false, true]);
    let count = 0;
    while (!waiting.isFull(1)) addSlow(`${count++}`, { text: 'x'.repeat(1_000_000) }, 1);
    expect(waiting.isFull(0)).toBe(false);
  });

  it('are settled once and in order when the process ends', async () => {
    const { waiting, sent, addSlow, addReady } = setUp();
    const finish = addSlow('slow');
    addReady('ready');
    waiting.finish();
    expect(sent).toEqual(['slow event_processor', 'ready']);
    await finish();
    expect(sent).toHaveLength(2);
    await waiting.settled();
  });

  it('are settled once when they are finished, in the line or not', async () => {
    const { waiting, sent, addSlow, addReady } = setUp();
    const finish = addSlow('overtaken');
    addReady('a');
    await vi.advanceTimersByTimeAsync(3000);
    const finishOther = addSlow('slow');
    addReady('ready');
    waiting.finish();
    expect(sent).toEqual(['a', 'overtaken event_processor', 'slow event_processor', 'ready']);
    await finish();
    await finishOther();
    expect(sent).toHaveLength(4);
    await waiting.settled();
  });
});
