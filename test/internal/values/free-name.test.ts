import { expect, it } from 'vitest';
import { freeName } from '../../../src/internal/values/free-name.js';

it('names that became the same are numbered without a gap', () => {
  const target: Record<string, number> = { other: 0 };
  for (let i = 0; i < 100; i++) target[freeName(target, 'key')] = i;
  expect(Object.keys(target)).toEqual(['other', 'key', ...Array.from({ length: 99 }, (_, i) => `key ${i + 2}`)]);
});

it('a name that is taken is never given', () => {
  const target = { key: 1, 'key 2': 2, 'key 4': 4, 'key 5': 5 };
  expect(target).not.toHaveProperty([freeName(target, 'key')]);
});

it('asks for few names, however many have become the same', () => {
  const members: Record<string, number> = { key: 1 };
  for (let i = 2; i <= 10_000; i++) members[`key ${i}`] = i;
  let asked = 0;
  const target = new Proxy(members, {
    getOwnPropertyDescriptor(own, name) {
      asked += 1;
      return Reflect.getOwnPropertyDescriptor(own, name);
    },
  });
  expect(freeName(target, 'key')).toBe('key 10001');
  expect(asked).toBeLessThan(50);
});
