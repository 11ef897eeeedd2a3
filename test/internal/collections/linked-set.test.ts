import { expect, it } from 'vitest';
import { type Linkable, LinkedSet } from '../../../src/internal/collections/linked-set.js';

class Item implements Linkable<Item> {
  link: Linkable<Item>['link'];
  constructor(readonly name: string) {}
}
const createItems = () => [...'abcd'].map((name) => new Item(name)) as [Item, Item, Item, Item];
const namesIn = (set: LinkedSet<Item>) => Array.from(set, ({ name }) => name).join('');

it('keeps the order of insertion, whoever leaves', () => {
  const set = new LinkedSet<Item>();
  const [a, b, c, d] = createItems();
  for (const item of [a, b, c, d, a]) set.add(item);
  expect([namesIn(set), set.size, set.first]).toEqual(['abcd', 4, a]);
  expect([set.delete(b), set.delete(b), set.delete(a), set.delete(d)]).toEqual([true, false, true, true]);
  expect([namesIn(set), set.size, set.first]).toEqual(['c', 1, c]);
  set.add(a);
  expect([namesIn(set), set.has(a), set.has(b)]).toEqual(['ca', true, false]);
});

it('an item that left can be in another set', () => {
  const [first, second] = [new LinkedSet<Item>(), new LinkedSet<Item>()];
  const [a] = createItems();
  first.add(a);
  expect([first.delete(a), second.delete(a)]).toEqual([true, false]);
  second.add(a);
  expect([namesIn(first), namesIn(second), first.has(a), first.size, first.first]).toEqual([
    '',
    'a',
    false,
    0,
    undefined,
  ]);
});

it('leaves out what is deleted or added while it is read', () => {
  const set = new LinkedSet<Item>();
  const [a, b, c, d] = createItems();
  for (const item of [a, b, c]) set.add(item);
  const read: string[] = [];
  for (const item of set) {
    read.push(item.name);
    set.delete(a);
    set.delete(b);
    set.add(d);
  }
  expect([read.join(''), namesIn(set)]).toEqual(['ac', 'cd']);
});
