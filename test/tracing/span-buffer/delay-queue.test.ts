import { describe, expect, it } from 'vitest';
import { type Delayed, DelayQueue } from '../../../src/tracing/span-buffer/delay-queue.js';
import fc from '../../support/fast-check.js';

interface Item extends Delayed<Item> {}

const createItem = (): Item => ({ dueMillis: 0 });

describe('a delay queue', () => {
  it('gives out an item once it has waited long enough, and until it is deleted', () => {
    const queue = new DelayQueue<Item>(100);
    const item = createItem();
    queue.add(item, 1000);
    expect(queue.first(1099)).toBeUndefined();
    expect(queue.first(1100)).toBe(item);
    expect(queue.first()).toBe(item);
    queue.delete(item);
    expect(queue.first()).toBeUndefined();
  });

  it('keeps the order in which items came, whichever of them are deleted or move to another queue', () => {
    const action = fc.record({ what: fc.constantFrom('add', 'delete', 'move'), item: fc.nat(9), queue: fc.nat(1) });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 60 }), (actions) => {
        const queues = [new DelayQueue<Item>(1), new DelayQueue<Item>(1)] as const;
        const items = Array.from({ length: 10 }, () => createItem());
        const expected: [Item[], Item[]] = [[], []];
        const remove = (list: Item[], item: Item) => {
          if (list.includes(item)) list.splice(list.indexOf(item), 1);
        };
        for (const { what, item: index, queue } of actions) {
          const item = items[index]!;
          const isQueued = expected.flat().includes(item);
          if (what !== 'add') {
            queues[queue as 0 | 1].delete(item);
            remove(expected[queue as 0 | 1], item);
          }
          if (what !== 'delete' && !expected.flat().includes(item)) {
            const target = (what === 'move' && isQueued ? 1 - queue : queue) as 0 | 1;
            queues[target].add(item, 0);
            expected[target].push(item);
          }
        }
        expect(queues.map(drain)).toEqual(expected);
      }),
    );
  });
});

function drain(queue: DelayQueue<Item>): Item[] {
  const drained: Item[] = [];
  for (let item = queue.first(); item; item = queue.first()) {
    queue.delete(item);
    drained.push(item);
  }
  return drained;
}
