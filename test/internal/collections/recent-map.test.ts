import { describe, expect, it } from 'vitest';
import { RecentMap } from '../../../src/internal/collections/recent-map.js';

describe('a recent map of 100', () => {
  function filled(size: number): RecentMap<number, string> {
    const map = new RecentMap<number, string>(100);
    for (let key = 0; key < size; key++) map.set(key, String(key));
    return map;
  }

  it('knows the last 100 keys', () => {
    const map = filled(1234);
    for (let key = 1134; key < 1234; key++) expect(map.get(key)).toBe(String(key));
  });

  it('has forgotten all but the last 200', () => {
    const map = filled(1234);
    for (let key = 0; key < 1034; key++) expect(map.get(key)).toBeUndefined();
  });

  it('does not forget what is asked for', () => {
    const map = filled(100);
    for (let key = 100; key < 1000; key++) {
      map.set(key, String(key));
      if (key % 50 === 0) expect(map.get(7)).toBe('7');
    }
    expect(map.get(7)).toBe('7');
    expect(map.get(8)).toBeUndefined();
  });

  it('keeps copies of keys, also of one that is asked for when its generation is about to go', () => {
    const copied: string[] = [];
    const map = new RecentMap<string, number>(1, (key) => {
      copied.push(key);
      return key;
    });
    map.set('a', 1);
    map.set('b', 2);
    expect(map.get('a')).toBe(1);
    expect(copied).toEqual(['a', 'b', 'a']);
  });
});
