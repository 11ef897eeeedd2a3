import { describe, expect, it } from 'vitest';
import { stringify } from '../../../src/internal/values/json.js';

it('what JSON can hold is written as JSON.stringify writes it', () => {
  const value = {
    a: [1, 'two', null, undefined, { b: true }],
    date: new Date(0),
    text: 'a\nb\u2028"ü😀',
    gone: undefined,
  };
  expect(stringify(value)).toBe(JSON.stringify(value));
});

describe('what JSON cannot hold is replaced in its place:', () => {
  const circular: Record<string, unknown> = { name: 'loop' };
  circular['self'] = circular;
  const throwing = {
    get broken(): never {
      throw new Error('getter');
    },
    fine: 1,
  };
  const revoked = Proxy.revocable({}, {});
  revoked.revoke();
  const endless = (): object => ({ toJSON: () => ({ next: endless() }) });
  const rows: [what: string, value: unknown, expected: unknown][] = [
    ['a BigInt', { id: 12n, other: 'x' }, { id: '[BigInt: 12]', other: 'x' }],
    ['a cycle', { circular, other: 'x' }, { circular: { name: 'loop', self: '[Circular ~]' }, other: 'x' }],
    ['a getter that throws', { throwing, big: 1n }, { throwing: { fine: 1 }, big: '[BigInt: 1]' }],
    ['a toJSON that throws', { toJSON: failing, kept: 'x', in: { toJSON: failing } }, { kept: 'x', in: {} }],
    ['a revoked proxy', { revoked: revoked.proxy, other: 'x' }, { revoked: '**non-serializable**', other: 'x' }],
    ['undefined in an array', [undefined, 1n, failing], [null, '[BigInt: 1]', null]],
    ['a Date beside a BigInt', [new Date(0), 1n], ['1970-01-01T00:00:00.000Z', '[BigInt: 1]']],
    ['a key named __proto__', JSON.parse('{"__proto__":{"a":1},"b":[2]}'), { b: [2], ['__proto__']: { a: 1 } }],
  ];
  it.each(rows)('%s', (_, value, expected) => {
    expect(JSON.parse(stringify(value))).toEqual(expected);
  });

  it.each([
    ['a\ud800b', 'a\ufffdb'],
    ['\udfff', '\ufffd'],
    ['\\\ud800\udbff', '\\\ufffd\ufffd'],
    ['no half: 😀 \\ud800 \\\\ud800', 'no half: 😀 \\ud800 \\\\ud800'],
  ])('half a character, as in %j', (text, expected) => {
    expect(JSON.parse(stringify({ [text]: [text] }))).toEqual({ [expected]: [expected] });
    expect(JSON.parse(stringify({ text, big: 1n }))).toMatchObject({ text: expected });
    expect(stringify({ text })).not.toMatch(/[^\\](\\\\)*\\ud/);
  });

  it('nesting without end', () => {
    const text = stringify(endless());
    expect(text.startsWith('{"next":{"next":')).toBe(true);
    expect(text).toContain('"[Object]"');
  });

  it('a value that is repeated is no cycle', () => {
    const shared = { a: 1 };
    expect(stringify({ first: shared, second: shared, big: 1n })).toBe(
      '{"first":{"a":1},"second":{"a":1},"big":"[BigInt: 1]"}',
    );
  });

  it.each([
    ['undefined', undefined],
    ['a function', failing],
    ['a symbol', Symbol('x')],
  ])('%s alone is null', (_, value) => {
    expect(stringify(value)).toBe('null');
  });
});

it('a graph that would unfold to billions of nodes is cut', () => {
  let graph: unknown = { leaf: 1n };
  for (let level = 0; level < 40; level++) graph = [graph, graph];
  expect(stringify(graph).length).toBeLessThan(10_000_000);
});

function failing(): never {
  throw new Error('toJSON');
}
