import vm from 'node:vm';
import { Scope } from '../../src/index.js';

export const fail = (): never => {
  throw new Error('hostile');
};
const EVERY_TRAP_THROWS = new Proxy({}, { get: () => fail });
const HUGE = 'x'.repeat(200_000);

function revoked(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {});
  revoke();
  return proxy;
}

function nested(levels: number): object {
  let value: object = {};
  for (let i = 0; i < levels; i++) value = i % 2 ? [value] : { value };
  return value;
}

export function withGetter<T extends object>(target: T, get: () => unknown, ...keys: PropertyKey[]): T {
  for (const key of keys) Object.defineProperty(target, key, { get, enumerable: true, configurable: true });
  return target;
}

function endless(): object {
  return {
    get left() {
      return endless();
    },
    get right() {
      return endless();
    },
  };
}

function changing(): object {
  let reads = 0;
  return withGetter({}, () => [1, 'two', 3n, fail, undefined, {}][reads++ % 6], 'a', 'b');
}

function selfish(): object {
  const proxy: object = new Proxy(function self() {}, {
    get: (_, key) => (key === Symbol.toPrimitive || key === 'toJSON' || key === 'then' ? undefined : proxy),
    has: () => true,
    apply: () => proxy,
    construct: () => proxy,
  });
  return proxy;
}

function circular(): object {
  const map: Record<string, unknown> = { list: [] };
  map['self'] = map;
  (map['list'] as unknown[]).push(map, map['list']);
  return map;
}

function withCauses(): Error {
  const error = new Error('outer', { cause: new Error('inner') });
  (error.cause as Error).cause = error;
  return new AggregateError([error, revoked({}), undefined, error], 'many', { cause: error });
}

type Settle = (value: unknown) => void;

function thenable(then: (resolve: Settle, reject: Settle) => void): object {
  return Object.defineProperty({}, 'then', { value: then });
}

function sparse(length: number, entries: object): unknown[] {
  return Object.assign(new Array(length), entries);
}

const lyingLength = (length: unknown) =>
  new Proxy(['only'], { get: (target, key) => (key === 'length' ? length : Reflect.get(target, key)) });

/** Values that nobody expects, each of a kind of its own, made anew each time. */
export const EXOTIC: Record<string, () => unknown> = {
  'a revoked proxy': () => revoked({}),
  'a revoked proxy of an array': () => revoked([]),
  'a revoked proxy of a function': () => revoked(() => undefined),
  'a proxy whose traps all throw': () => new Proxy({}, EVERY_TRAP_THROWS),
  'a function whose traps all throw': () => new Proxy(() => undefined, EVERY_TRAP_THROWS),
  'a list whose traps all throw': () => new Proxy([], EVERY_TRAP_THROWS),
  'a proxy that is itself everywhere': selfish,
  'a list that lies about its length': () => lyingLength(1e6),
  'a list with a text for a length': () => lyingLength('many'),
  'a list with a symbol for a length': () => lyingLength(Symbol('many')),
  'endless getters': endless,
  'getters that change their answer': changing,
  'getters that throw': () => withGetter({}, fail, 'a', 'name', 'message', 'type', 'then', 'toJSON', 'id', 'length'),
  'toJSON throws': () => ({ toJSON: fail, a: 1 }),
  'toJSON is a getter that throws': () => withGetter({ a: 1 }, fail, 'toJSON'),
  'toJSON gives itself': () => ({
    toJSON() {
      return this;
    },
  }),
  'toJSON without end': () => {
    const again = (): object => ({ toJSON: again });
    return again();
  },
  'toJSON gives undefined': () => ({ toJSON: () => undefined }),
  'toJSON gives a BigInt': () => ({ toJSON: () => 1n }),
  'toJSON gives a revoked proxy': () => ({ toJSON: () => revoked({}) }),
  'no conversion to a primitive': () => ({ [Symbol.toPrimitive]: fail, toString: fail, valueOf: fail }),
  'conversion to no primitive': () => ({ [Symbol.toPrimitive]: () => ({}) }),
  'conversion to a symbol': () => ({ [Symbol.toPrimitive]: () => Symbol('converted') }),
  'toStringTag throws': () => withGetter({}, fail, Symbol.toStringTag),
  'constructor throws': () => withGetter({}, fail, 'constructor'),
  'a thenable whose then throws': () => thenable(fail),
  'a thenable that rejects': () => thenable((_, reject) => reject(revoked({}))),
  'a thenable that resolves twice': () =>
    thenable((resolve, reject) => {
      resolve(1);
      resolve(2);
      reject(3);
      fail();
    }),
  'an iterable that throws': () => ({ [Symbol.iterator]: fail, length: 3 }),
  'an object like an array': () => ({ length: 2 ** 32, 0: 'first' }),
  'a BigInt': () => 12n,
  'a huge BigInt': () => 1n << 100_000n,
  'a symbol': () => Symbol('odd'),
  'a symbol without a name': () => Symbol(),
  'a cycle': circular,
  'a deep object': () => nested(20_000),
  'a wide object': () => Object.fromEntries(Array.from({ length: 1500 }, (_, i) => [`key ${i}`, i])),
  'a huge string': () => HUGE,
  'half a character': () => 'half \ud83d',
  'halves in the wrong order': () => '\udc00\ud83d',
  'line ends': () => 'a\nb\r\nc\u2028d\0e',
  'a sparse list': () => sparse(5, { 1: 'one', 3: 'three' }),
  'a long sparse list': () => new Array(100_000),
  'a long list': () => new Array(20_000).fill('entry'),
  'a list with holes, properties and itself': () => {
    const list = sparse(4, { 0: 'first', own: 1 });
    list[2] = list;
    return list;
  },
  'an array of its own class': () => new (class Own extends Array {})(3),
  bytes: () => new Uint8Array([0, 10, 255]),
  'bytes that were transferred': () => {
    const bytes = new Uint8Array(8);
    structuredClone(bytes, { transfer: [bytes.buffer] });
    return bytes;
  },
  'a buffer': () => Buffer.from('\n{}\n'),
  'an ArrayBuffer': () => new ArrayBuffer(4),
  'a DataView': () => new DataView(new ArrayBuffer(4), 1),
  'an invalid date': () => new Date(Number.NaN),
  'a date': () => new Date(0),
  'a map': () => new Map<unknown, unknown>([[{}, revoked({})]]),
  'a set': () => new Set([revoked([]), 1]),
  'a weak map': () => new WeakMap(),
  'a function': () => function named() {},
  'an arrow function': () => () => undefined,
  'an async function': () => async () => undefined,
  'a generator function': () => function* () {},
  'a class': () => class Named {},
  'a function whose name throws': () => withGetter(() => undefined, fail, 'name'),
  'an object without a prototype': () => Object.assign(Object.create(null), { a: 1, __proto__: { b: 1 } }),
  'an object with a key called __proto__': () =>
    JSON.parse('{"__proto__":{"polluted":1},"constructor":{"prototype":1}}'),
  'an object with an odd prototype': () => Object.create(revoked({})),
  'an object with an Error for a prototype': () => Object.create(new Error('prototype')),
  'an instance': () =>
    new (class Instance {
      readonly #secret = 1;
      own = () => this.#secret;
      get name() {
        return fail();
      }
    })(),
  'a frozen object': () => Object.freeze({ a: Object.freeze([]) }),
  'a boxed string': () => new String('boxed'),
  'a boxed symbol': () => Object(Symbol('boxed')),
  'a regular expression': () => Object.freeze(/a+/g),
  'the global object': () => globalThis,
  'a promise': () => Promise.resolve(1),
  'a scope': () => new Scope().setTag('from', 'a scope'),
  'an error': () => new TypeError('an error'),
  'a frozen error': () => Object.freeze(new Error('frozen')),
  'an error of another realm': () => vm.runInNewContext('new RangeError("elsewhere")'),
  'an error with causes in a circle': withCauses,
  'an error whose members throw': () => {
    const error = new Error('gone');
    // The engine makes the stack when it is read first, or replaced, and reads the others for it.
    void error.stack;
    return withGetter(error, fail, 'stack', 'name', 'message', 'cause', 'errors');
  },
  'an error with odd members': () =>
    Object.assign(new Error('odd'), {
      name: 1n,
      message: Symbol('m'),
      stack: { a: 1 },
      cause: null,
      code: revoked({}),
    }),
  'an error with a huge message': () => new Error(`${HUGE}\n    at ${HUGE} (${HUGE}:1:1)`),
  'an error with an odd stack': () =>
    Object.assign(new Error('x'), {
      stack:
        'Error\n at :::\n at a (b:-1:0)\n at (\n at eval at x (y:0:0)\n at async Promise.all (index 0)\n at a (b:1e9:99999999999999999999)',
    }),
  'a proxy of an error': () => new Proxy(new Error('behind a proxy'), {}),
  'a DOMException': () => new DOMException('stopped', 'AbortError'),
  'negative zero': () => -0,
  'not a number': () => Number.NaN,
  infinity: () => Number.POSITIVE_INFINITY,
  'a number beyond all moments': () => 8.64e15 + 1,
  'the smallest number': () => Number.MIN_VALUE,
};
