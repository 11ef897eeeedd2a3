import { expect, it } from 'vitest';
import { PauseBudget } from '../../../src/integrations/local-variables/pause-budget.js';

it('as many as allowed within a second are free, the next one costs 5 seconds of rest, and twice as much each time', () => {
  let now = 1_000_000;
  const budget = new PauseBudget(2, () => now);
  const spend = (times: number) => Array.from({ length: times }, () => budget.spend());
  expect(spend(3)).toEqual([0, 0, 5000]);
  now += 5000;
  expect(spend(2)).toEqual([0, 0]);
  now += 1000;
  expect(spend(3)).toEqual([0, 0, 10_000]);
  now += 10_000;
  expect(spend(3)).toEqual([0, 0, 20_000]);
});

it('rests a day at most', () => {
  let now = 0;
  const budget = new PauseBudget(0, () => now);
  const rests = Array.from({ length: 20 }, () => {
    now += 1000;
    return budget.spend();
  });
  expect(Math.max(...rests)).toBe(24 * 60 * 60 * 1000);
});

it('goes on when the clock is set back', () => {
  let now = 1_000_000;
  const budget = new PauseBudget(1, () => now);
  expect(budget.spend()).toBe(0);
  now = 0;
  expect(budget.spend()).toBe(0);
});
