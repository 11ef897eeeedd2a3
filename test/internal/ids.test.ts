import { expect, it } from 'vitest';
import { createSpanId, readEventId, uuid4 } from '../../src/internal/ids.js';

const MANY = 5000;

it('span ids are 16 hex characters, and never the same', () => {
  const ids = Array.from({ length: MANY }, createSpanId);
  expect(ids.filter((id) => !/^[0-9a-f]{16}$/.test(id))).toEqual([]);
  expect(new Set(ids).size).toBe(MANY);
});

it('event ids are UUIDs of version 4 without dashes', () => {
  const ids = Array.from({ length: MANY }, uuid4);
  expect(ids.filter((id) => !/^[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}$/.test(id))).toEqual([]);
  expect(ids.map(readEventId)).toEqual(ids);
});
