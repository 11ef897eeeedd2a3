import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Normalizer, normalize } from '../../../src/internal/values/normalize.js';
import fc from '../../support/fast-check.js';

const MAX_BREADTH = 1000;

class Animal {
  name = 'cat';
  #secret = 1;
  get secret(): number {
    return this.#secret;
  }
}

function revokedProxy(target: object = {}): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function throwError(): never {
  throw new Error('no');
}

/** Makes each of the values anew, so that printing a title does not touch them. */
const rows: [what: string, make: () => unknown, expected: unknown][] = [
  ['a text', () => 'x', 'x'],
  ['a number', () => 1.5, 1.5],
  ['a boolean', () => false, false],
  ['null', () => null, null],
  ['undefined', () => undefined, undefined],
  ['NaN', () => Number.NaN, '[NaN]'],
  ['infinity', () => Number.POSITIVE_INFINITY, '[Infinity]'],
  ['negative infinity', () => Number.NEGATIVE_INFINITY, '[-Infinity]'],
  ['a bigint', () => 12n, '[BigInt: 12]'],
  ['a bigint that would take long to print', () => 1n << 1_000_000n, '[BigInt: too large]'],
  ['a symbol', () => Symbol('desc'), '[Symbol(desc)]'],
  ['a symbol with a long description', () => Symbol('x'.repeat(1e6)), `[Symbol(${'x'.repeat(100)}...)]`],
  ['a function', () => throwError, '[Function: throwError]'],
  ['a function without a name', () => () => undefined, '[Function: <anonymous>]'],
  [
    'a function whose name throws',
    () => Object.defineProperty(() => 1, 'name', { get: throwError }),
    '[Function: <anonymous>]',
  ],
  ['a revoked proxy of a function', () => revokedProxy(() => 1), '[Function: <anonymous>]'],
  ['a class', () => Animal, '[Function: Animal]'],
  ['the global object', () => globalThis, '[Global]'],
  ['a date', () => new Date(0), '1970-01-01T00:00:00.000Z'],
  ['an invalid date', () => new Date(Number.NaN), null],
  ['a Map', () => new Map([[1, 2]]), {}],
  ['a Set', () => new Set([1]), {}],
  ['a pattern', () => /x/g, {}],
  ['a promise', () => Promise.resolve(1), {}],
  ['an instance of a class', () => new Animal(), { name: 'cat' }],
  ['an object without a prototype', () => Object.assign(Object.create(null), { a: 1 }), { a: 1 }],
  ['a text as an object', () => Object('abc'), 'abc'],
  ['a typed array', () => new Float64Array([1.5, Number.NaN]), [1.5, '[NaN]']],
  ['a typed array of bigints', () => new BigInt64Array([5n]), ['[BigInt: 5]']],
  ['a buffer', () => Buffer.from([1, 2]), [1, 2]],
  ['an ArrayBuffer', () => new ArrayBuffer(8), {}],
  ['a sparse array', () => Object.assign(new Array(3), { 0: 1, 2: 3 }), [1, undefined, 3]],
  ['an array of another realm', () => runInNewContext('[1, [2]]'), [1, [2]]],
  ['what toJSON returns', () => ({ toJSON: () => ({ a: 1n }) }), { a: '[BigInt: 1]' }],
  [
    'an object whose toJSON returns itself',
    () =>
      new (class {
        a = 1;
        toJSON() {
          return this;
        }
      })(),
    { a: 1 },
  ],
  ['an object whose toJSON throws', () => ({ a: 1, toJSON: throwError }), { a: 1, toJSON: '[Function: throwError]' }],
  [
    'an object whose toJSON cannot be read',
    () => Object.defineProperty({ a: 1 }, 'toJSON', { get: throwError, enumerable: true }),
    { a: 1, toJSON: '**non-serializable** (no)' },
  ],
  [
    'an object whose toJSON never ends',
    () => {
      const endless = { a: 1, toJSON: (): unknown => endless.toJSON() };
      return endless;
    },
    { a: 1, toJSON: '[Function: toJSON]' },
  ],
  [
    'an object whose toJSON returns its parent',
    () => {
      const one = { toJSON: () => ({ one }) };
      return one;
    },
    { one: '[Circular ~]' },
  ],
  [
    'a property that throws',
    () => ({
      a: 1,
      get b() {
        return throwError();
      },
      c: 3,
    }),
    { a: 1, b: '**non-serializable** (no)', c: 3 },
  ],
  [
    'a property that throws a text',
    () => ({
      get b() {
        throw 'text';
      },
    }),
    { b: '**non-serializable** (text)' },
  ],
  [
    'a property that throws nothing',
    () => ({
      get b() {
        throw undefined;
      },
    }),
    { b: '**non-serializable** (undefined)' },
  ],
  [
    'a property that throws a revoked proxy',
    () => ({
      get b() {
        throw revokedProxy();
      },
    }),
    { b: '**non-serializable** (object)' },
  ],
  [
    'a property that recurses without end',
    () => {
      const endless = {
        a: 1,
        get b(): unknown {
          return endless.b;
        },
      };
      return endless;
    },
    { a: 1, b: '**non-serializable** (Maximum call stack size exceeded)' },
  ],
  [
    'a revoked proxy',
    () => ({ a: revokedProxy() }),
    { a: expect.stringMatching(/^\*\*non-serializable\*\* \(.*revoked\)$/) },
  ],
  ['a revoked proxy of an array', () => [revokedProxy([])], [expect.stringContaining('**non-serializable**')]],
  ['a proxy', () => new Proxy({ a: 1n }, {}), { a: '[BigInt: 1]' }],
  [
    'a proxy that lists no keys',
    () => ({ a: new Proxy({}, { ownKeys: throwError }) }),
    { a: '**non-serializable** (no)' },
  ],
  [
    'a proxy without a prototype',
    () => ({ a: new Proxy({}, { getPrototypeOf: throwError }) }),
    { a: '**non-serializable** (no)' },
  ],
  [
    'a key that is the prototype',
    () => JSON.parse('{"__proto__": {"a": [null]}, "b": {}}'),
    JSON.parse('{"__proto__": {"a": [null]}, "b": {}}'),
  ],
  ['a key that is a symbol, which is left out', () => ({ [Symbol('a')]: 1, b: 1n }), { b: '[BigInt: 1]' }],
  ['a long key', () => ({ ['k'.repeat(2000)]: 1 }), { [`${'k'.repeat(1024)}...`]: 1 }],
];

describe('normalize', () => {
  it.each(rows)('takes %s', (_, make, expected) => {
    const normalized = normalize(make(), 3, MAX_BREADTH);
    expect(normalized).toEqual(expected);
    expect(() => JSON.stringify(normalized)).not.toThrow();
  });

  it('takes errors with message, name, stack and what else they hold', () => {
    const error = Object.assign(new TypeError('boom'), { code: 'E_BOOM', size: 5n });
    expect(normalize({ error }, 3, MAX_BREADTH)).toEqual({
      error: { message: 'boom', name: 'TypeError', stack: error.stack, code: 'E_BOOM', size: '[BigInt: 5]' },
    });
  });

  describe('at its last level', () => {
    it.each<[string, () => object]>([
      ['[Object]', () => ({ a: 1 })],
      ['[Array]', () => [1]],
      ['[Date]', () => new Date()],
      ['[Map]', () => new Map()],
      ['[TypeError]', () => new TypeError('x')],
      ['[Animal]', () => new Animal()],
      ['[null prototype]', () => Object.create(null)],
      ['[Object]', () => Object.create({ constructor: undefined })],
      ['[Object]', () => Object.create({ constructor: { name: 5 } })],
    ])('writes %s', (expected, make) => {
      expect(normalize({ a: make() }, 1, MAX_BREADTH)).toEqual({ a: expected });
    });

    it('keeps what is no object', () => {
      expect(normalize({ a: 'x', b: 1, c: null, d: 5n }, 1, MAX_BREADTH)).toEqual({
        a: 'x',
        b: 1,
        c: null,
        d: '[BigInt: 5]',
      });
    });
  });

  it.each([
    [1, { a: '[Object]' }],
    [2, { a: { b: '[Object]' } }],
    [3, { a: { b: { c: '[Object]' } } }],
    [4, { a: { b: { c: { d: 1 } } } }],
  ])('keeps %i levels', (depth, expected) => {
    expect(normalize({ a: { b: { c: { d: 1 } } } }, depth, MAX_BREADTH)).toEqual(expected);
  });

  it('counts what toJSON returns as a level', () => {
    const value = { toJSON: () => ({ b: { c: {} } }) };
    expect(normalize({ a: value }, 3, MAX_BREADTH)).toEqual({ a: { b: '[Object]' } });
  });

  it('ends at 256 levels, whatever is asked for', () => {
    let value: unknown = 'end';
    for (let i = 0; i < 100_000; i++) value = [value];
    expect(JSON.stringify(normalize(value, Number.POSITIVE_INFINITY, MAX_BREADTH))).toBe(
      `${'['.repeat(256)}"[Array]"${']'.repeat(256)}`,
    );
  });

  it('cuts circles, and repeats what merely comes twice', () => {
    const shared = { list: [1], at: new Date(0) };
    const value: Record<string, unknown> = { one: shared, two: shared };
    value['self'] = value;
    value['list'] = [value];
    const expected = { list: [1], at: '1970-01-01T00:00:00.000Z' };
    expect(normalize(value, 4, MAX_BREADTH)).toEqual({
      one: expected,
      two: expected,
      self: '[Circular ~]',
      list: ['[Circular ~]'],
    });
  });

  it('keeps as many properties and elements as allowed, and says that there were more', () => {
    expect(normalize({ a: 1, b: 2, c: 3, d: 4 }, 3, 2)).toEqual({ a: 1, b: 2, c: '[MaxProperties ~]' });
    expect(normalize([1, 2, 3, 4], 3, 2)).toEqual([1, 2, '[MaxProperties ~]']);
    expect(normalize(new Uint8Array(4), 3, 2)).toEqual([0, 0, '[MaxProperties ~]']);
    expect(normalize({ a: 1, b: 2 }, 3, 2)).toEqual({ a: 1, b: 2 });
    expect(normalize([1, 2], 3, 2)).toEqual([1, 2]);
  });

  it.each<[string, () => unknown]>([
    ['an array of 10 million elements', () => new Array(10_000_000).fill(1)],
    ['an empty array of that length', () => new Array(2 ** 32 - 1)],
    ['a buffer of 100 MB', () => Buffer.alloc(100_000_000)],
    ['a proxy that claims such a length', () => new Proxy([], { get: (_, key) => (key === 'length' ? 1e12 : 1) })],
    ['a text of 100 MB', () => 'x'.repeat(100_000_000)],
    ['a text of 100 MB as an object', () => Object('x'.repeat(100_000_000))],
    ['many wide objects in one another', () => wide(5)],
    ['a wide object that comes often', () => ({ list: new Array(1000).fill(wide(1)) })],
    ['an error with a message of 100 MB', () => new Error('x'.repeat(100_000_000))],
  ])('makes a value of bounded size of %s', (_, make) => {
    const normalized = normalize({ value: make() }, 100, MAX_BREADTH);
    expect(JSON.stringify(normalized).length).toBeLessThan(1024 * 1024);
  });

  it('says where it stopped for size', () => {
    const normalizer = new Normalizer({ maxBreadth: MAX_BREADTH, maxSize: 100 });
    expect(normalizer.normalize({ a: 'x'.repeat(60), b: { c: 1 }, d: { e: 1 }, f: 1 }, 3)).toEqual({
      a: 'x'.repeat(60),
      b: { c: 1 },
      d: { e: '[MaxSize ~]' },
      f: '[MaxSize ~]',
    });
    expect(normalizer.normalize([1], 3)).toEqual(['[MaxSize ~]']);
  });

  it('cuts texts after 16384 characters', () => {
    expect(normalize(['x'.repeat(16_385), 'x'.repeat(16_384)], 3, MAX_BREADTH)).toEqual([
      `${'x'.repeat(16_384)}...`,
      'x'.repeat(16_384),
    ]);
  });

  it.each<[string, object]>([
    ['a flat object', { a: 1, b: 'x', c: null, d: undefined, e: true }],
    ['nested objects and arrays', { a: { b: { c: 1 } }, d: [1, ['x']] }],
    ['an empty object', {}],
    ['an empty array', []],
  ])('returns %s itself, as there is nothing to do', (_, value) => {
    expect(normalize(value, 4, MAX_BREADTH)).toBe(value);
    expect(normalize(Object.freeze(value), 4, MAX_BREADTH)).toBe(value);
  });

  it('returns the parts that needed no change themselves', () => {
    const good = { a: 1 };
    const normalized = normalize({ good, bad: 1n }, 3, MAX_BREADTH) as Record<string, unknown>;
    expect(normalized['good']).toBe(good);
  });

  it('never returns a proxy, which might say something else the next time', () => {
    const proxy = new Proxy({ a: 1 }, {});
    const normalized = normalize(proxy, 3, MAX_BREADTH);
    expect(normalized).toEqual({ a: 1 });
    expect(normalized).not.toBe(proxy);
  });

  it('returns copies all the way down when asked to', () => {
    const value = { a: { b: [1] } };
    const normalized = new Normalizer({ maxBreadth: MAX_BREADTH, copy: true }).normalize(value, 4) as typeof value;
    expect(normalized).toEqual(value);
    expect(normalized).not.toBe(value);
    expect(normalized.a).not.toBe(value.a);
    expect(normalized.a.b).not.toBe(value.a.b);
  });

  it.each([
    ['toJSON', { toJSON: async () => Promise.reject(new Error('lazy')) }],
    ['a getter', Object.defineProperty({}, 'lazy', { enumerable: true, get: () => Promise.reject(new Error('lazy')) })],
  ])('leaves no rejection of a promise unhandled that %s has made', async (_, value) => {
    const rejections: unknown[] = [];
    const note = (reason: unknown) => rejections.push(reason);
    process.on('unhandledRejection', note);
    normalize({ value }, 5, 10);
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(rejections).toEqual([]);
  });

  it('changes nothing that it was given', () => {
    const value = { a: 1n, b: { c: new Date(0) }, d: ['x'.repeat(20_000)] };
    const copy = { a: 1n, b: { c: value.b.c }, d: [...value.d] };
    normalize(value, 3, 1);
    expect(value).toEqual(copy);
  });
});

describe('whatever is given', () => {
  const plain = fc.anything({
    withBigInt: true,
    withDate: true,
    withMap: true,
    withTypedArray: true,
    withSparseArray: true,
  });
  const anything = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'medium' },
      plain,
      fc.constantFrom(...rows).map(([what, make]) => new Maker(what, make)),
      fc.array(tie('tree'), { maxLength: 6 }),
      fc.dictionary(fc.string(), tie('tree'), { maxKeys: 6 }),
    ),
  })).tree;
  const limits = fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 1, max: 10 }));

  it('normalize never throws, and its result is fit for JSON', () => {
    fc.assert(
      fc.property(anything, limits, (tree, [depth, maxBreadth]) => {
        const normalized = normalize(grow(tree), depth, maxBreadth);
        expect(() => JSON.stringify(normalized)).not.toThrow();
      }),
      { numRuns: 1000 },
    );
  });

  it('the result keeps the depth and the breadth', () => {
    fc.assert(
      fc.property(anything, limits, (tree, [depth, maxBreadth]) => {
        const normalized = normalize(grow(tree), depth, maxBreadth);
        expect(depthOf(normalized)).toBeLessThanOrEqual(depth);
        expect(breadthOf(normalized)).toBeLessThanOrEqual(maxBreadth + 1);
      }),
      { numRuns: 1000 },
    );
  });

  it('normalizing the result again changes nothing', () => {
    fc.assert(
      fc.property(anything, limits, (tree, [depth, maxBreadth]) => {
        const normalized = normalize(grow(tree), depth, maxBreadth);
        expect(normalize(normalized, depth, maxBreadth)).toEqual(normalized);
      }),
      { numRuns: 1000 },
    );
  });
});

/** Stands for a hostile value, which the generator itself would stumble over. */
class Maker {
  constructor(
    readonly what: string,
    readonly make: () => unknown,
  ) {}
}

function grow(tree: unknown): unknown {
  if (tree instanceof Maker) return tree.make();
  if (Array.isArray(tree)) return tree.map(grow);
  if (typeof tree !== 'object' || tree === null || Object.getPrototypeOf(tree) !== Object.prototype) return tree;
  return Object.fromEntries(Object.entries(tree).map(([key, value]) => [key, grow(value)]));
}

function wide(depth: number): unknown {
  if (depth === 0) return 'leaf';
  const child = wide(depth - 1);
  return Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`key${index}`, child]));
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

function breadthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return Math.max(Object.keys(value).length, ...Object.values(value).map(breadthOf));
}
