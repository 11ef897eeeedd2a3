import { describe, expect, it } from 'vitest';
import { estimateEventBytes } from '../../src/pipeline/event-size.js';

const TEXT = 'x'.repeat(100_000);

describe('the size of an event', () => {
  it.each<[what: string, value: unknown]>([
    ['a string', { message: TEXT }],
    ['a string deep inside', { contexts: { a: { b: [{ c: TEXT }] } } }],
    ['bytes', { attachments: [{ data: Buffer.alloc(100_000) }] }],
    ['an ArrayBuffer', { data: new ArrayBuffer(100_000) }],
    ['many strings', Array.from({ length: 1000 }, () => 'x'.repeat(100))],
    ['many objects', Array.from({ length: 10_000 }, () => ({ text: 'x'.repeat(10) }))],
  ])('counts %s', (_, value) => {
    expect(estimateEventBytes(value)).toBeGreaterThan(90_000);
    expect(estimateEventBytes(value)).toBeLessThan(1_000_000);
  });

  it('calls no getter and no proxy, and ends at a circle', () => {
    const fail = () => {
      throw new Error('called');
    };
    const hostile: Record<string, unknown> = { proxy: new Proxy({}, { get: fail, ownKeys: fail }) };
    Object.defineProperty(hostile, 'getter', { enumerable: true, get: fail });
    hostile['self'] = hostile;
    expect(estimateEventBytes(hostile)).toBeLessThan(100_000);
  });
});
