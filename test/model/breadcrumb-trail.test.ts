import { describe, expect, it } from 'vitest';
import { BreadcrumbTrail } from '../../src/model/event/breadcrumb-trail.js';

describe('a breadcrumb that is appended late', () => {
  it('is made once, when it is first read, and never if newer ones took its place', () => {
    const made: string[] = [];
    const create = (message: string) => () => {
      made.push(message);
      return { message };
    };
    let trail = BreadcrumbTrail.EMPTY;
    for (let i = 0; i < 1000; i++) trail = trail.appendLate(create(String(i)), 3);
    const fork = trail.append({ message: 'of the fork' }, 3);
    expect(made).toEqual([]);
    expect(trail.toArray()).toEqual([{ message: '997' }, { message: '998' }, { message: '999' }]);
    expect(fork.toArray()[1]).toBe(trail.last);
    expect(made.sort()).toEqual(['997', '998', '999']);
  });

  it('is empty if making it fails', () => {
    const trail = BreadcrumbTrail.EMPTY.appendLate(() => {
      throw new Error('not made');
    }, 3);
    expect([trail.last, trail.last]).toEqual([{}, {}]);
  });
});
