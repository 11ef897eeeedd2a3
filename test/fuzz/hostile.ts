import fc, { anyString } from '../support/fast-check.js';
import { EXOTIC, fail, withGetter } from './exotic.js';

/**
 * Makes a value when it is needed. Properties draw makers rather than values: what a case does to a value is then not
 * seen by the next one, and a failure prints how the value is made, also where the value itself cannot be printed.
 */
export type Maker<T = unknown> = (() => T) & { readonly [fc.toStringMethod]: () => string };

export function maker<T>(make: () => T, print: () => string): Maker<T> {
  return Object.assign(make, { [fc.toStringMethod]: print });
}

const exotic: fc.Arbitrary<Maker> = fc
  .constantFrom(...Object.entries(EXOTIC))
  .map(([name, make]) => maker(make, () => `<${name}>`));

/** What is a value of a type may still be an odd one. */
export const primitive: fc.Arbitrary<Maker> = plain(
  fc.oneof(
    anyString({ maxLength: 20 }),
    fc.string({ maxLength: 400 }),
    fc.double(),
    fc.integer(),
    fc.boolean(),
    fc.constantFrom(null, undefined, '', 0, -1, '__proto__', 'constructor', 'toString', '\n'),
  ),
);

/** Makers of what is drawn; for what nobody changes. */
export function plain<T>(values: fc.Arbitrary<T>): fc.Arbitrary<Maker<T>> {
  return values.map((value) =>
    maker(
      () => value,
      () => fc.stringify(value),
    ),
  );
}

/** Anything at all: odd things, primitives, and lists and objects of these. */
export const hostile: fc.Arbitrary<Maker> = fc.letrec<{ any: Maker; list: Maker; object: Maker }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2 },
    { weight: 6, arbitrary: exotic },
    { weight: 3, arbitrary: primitive },
    { weight: 1, arbitrary: tie('list') },
    { weight: 2, arbitrary: tie('object') },
  ),
  list: fc.array(tie('any'), { maxLength: 4 }).map(listOf),
  object: fc.array(fc.tuple(fc.string({ maxLength: 8 }), tie('any')), { maxLength: 4 }).map(objectOf),
})).any;

/** What is drawn, or, less often, anything at all. */
export function mostly<T>(values: fc.Arbitrary<Maker<T>>, weight = 3): fc.Arbitrary<Maker> {
  return fc.oneof({ weight, arbitrary: values as fc.Arbitrary<Maker> }, { weight: 1, arbitrary: hostile });
}

/** A list of what is drawn, or, less often, anything at all. */
export function list(items: fc.Arbitrary<Maker>, maxLength = 3): fc.Arbitrary<Maker> {
  return mostly(fc.array(items, { maxLength }).map(listOf), 4);
}

/**
 * An object with some of the given fields: as drawn, or anything at all, or behind a getter that throws; or, less often,
 * no such object.
 */
export function object(fields: Record<string, fc.Arbitrary<Maker>>): fc.Arbitrary<Maker> {
  const entries = Object.entries(fields).map(([key, value]) =>
    fc.option(fc.tuple(fc.constant(key), mostly(value)), { nil: undefined, freq: 2 }),
  );
  const drawn = fc
    .tuple(fc.tuple(...entries), fc.constantFrom(...Object.values(HOLDERS)), fc.nat())
    .map(([all, hold, which]) => {
      const chosen = all.filter((entry) => entry !== undefined) as [string, Maker][];
      return hold(objectOf(chosen), chosen[which % Math.max(chosen.length, 1)]?.[0] ?? 'a');
    });
  return mostly(drawn, 8);
}

/** Ways for an object to be what it is. */
const HOLDERS: Record<string, (object: Maker, key: string) => Maker> = {
  plain: (inner) => inner,
  alsoPlain: (inner) => inner,
  frozen: (inner) =>
    maker(
      () => Object.freeze(inner()),
      () => `Object.freeze(${print(inner)})`,
    ),
  proxied: (inner) =>
    maker(
      () => new Proxy(inner() as object, {}),
      () => `new Proxy(${print(inner)})`,
    ),
  inherited: (inner) =>
    maker(
      () => Object.create(inner() as object),
      () => `Object.create(${print(inner)})`,
    ),
  throwing: (inner, key) =>
    maker(
      () => withGetter(inner() as object, fail, key),
      () => `${print(inner)} and throwing ${key}`,
    ),
};

function listOf(makers: readonly Maker[]): Maker<unknown[]> {
  return maker(
    () => makers.map((make) => make()),
    () => `[${makers.map(print).join(', ')}]`,
  );
}

export function objectOf(entries: readonly (readonly [string, Maker])[]): Maker<Record<string, unknown>> {
  return maker(
    () => Object.fromEntries(entries.map(([key, make]) => [key, make()])),
    () => `{ ${entries.map(([key, make]) => `${JSON.stringify(key)}: ${print(make)}`).join(', ')} }`,
  );
}

export function print(make: Maker): string {
  return make[fc.toStringMethod]();
}
