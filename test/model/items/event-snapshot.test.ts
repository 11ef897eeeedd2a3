import { describe, expect, it } from 'vitest';
import { measure, stringify } from '../../../src/internal/values/json.js';
import type { Event } from '../../../src/model/event/event.js';
import { share, shareLarge } from '../../../src/model/event/shared-parts.js';
import { WrittenSpans } from '../../../src/model/event/written-spans.js';
import { stringifyEvent } from '../../../src/model/items/event-json.js';
import { EventSnapshot, PIECE_LENGTH } from '../../../src/model/items/event-snapshot.js';
import fc, { anyString } from '../../support/fast-check.js';

const LONG = 'x'.repeat(PIECE_LENGTH);
const piecesOf = (event: Event) => [...EventSnapshot.take(event)!.pieces()];

describe('a snapshot of a large event', () => {
  it.each<[what: string, event: Event]>([
    ['one long text', { message: LONG.repeat(5) }],
    ['texts that need escapes', { message: '"\n\\\u2028\u0001'.repeat(PIECE_LENGTH) }],
    ['pairs of surrogates at each place', { message: `${'🙂'.repeat(PIECE_LENGTH)}a${'🙂'.repeat(PIECE_LENGTH)}` }],
    ['half pairs of surrogates', { message: `${'\ud83d'.repeat(PIECE_LENGTH + 1)}${'\ude42a'.repeat(PIECE_LENGTH)}` }],
    ['backslashes before half a pair', { message: `${LONG.slice(0, -3)}\\\\\\\\\ud83d\\ud83d`.repeat(3) }],
    ['lists and objects, empty and nested', { message: LONG, extra: { a: [], b: {}, c: [[{ d: LONG }], [], null] } }],
    [
      'what has no JSON, or null',
      { message: LONG, extra: { a: undefined, b: [undefined, LONG], c: Number.NaN, d: -0, e: null } },
    ],
    ['holes', { extra: { list: Object.assign(new Array(5), { 1: LONG, 3: 'a' }) } }],
    [
      'names of methods and prototypes',
      { extra: JSON.parse(`{"__proto__":{"a":"${LONG}"},"toJSON":1,"ü\\"":"${LONG}"}`) },
    ],
    ['many short texts', { breadcrumbs: Array.from({ length: 5000 }, (_, i) => ({ message: `breadcrumb ${i}` })) }],
    [
      'shared parts among others',
      {
        message: LONG,
        contexts: { os: share({ name: 'Linux' }), mine: { text: LONG } },
        exception: {
          values: [
            { type: 'Error', value: 'a', stacktrace: { frames: [share({ filename: 'a' }), { filename: LONG }] } },
          ],
        },
        breadcrumbs: shareLarge([{ message: 'a' }], 1, () => measure('[{"message":"b"}]')),
        modules: share({ a: '1.0.0' }),
      },
    ],
    [
      'a large shared part alone',
      { breadcrumbs: shareLarge([{ message: LONG }], PIECE_LENGTH, () => measure(`["${LONG}"]`)) },
    ],
  ])('has the JSON of the event: %s', (_, event) => {
    const pieces = piecesOf(event);
    expect(pieces.join('')).toBe(stringifyEvent(event));
    expect(pieces.length).toBeGreaterThan(1);
  });

  it('has the JSON of any event', () => {
    const text = fc.oneof(anyString(), fc.constantFrom('\ud83d', '\\ud83d', LONG));
    const data = fc.dictionary(
      anyString(),
      fc.anything({ key: anyString(), values: [text, fc.double(), fc.constant(null)] }),
    );
    fc.assert(
      fc.property(data, data, fc.array(text), (extra, context, messages) => {
        const event: Event = {
          message: LONG,
          extra,
          contexts: { context },
          breadcrumbs: messages.map((message) => ({ message, data: extra })),
        };
        const snapshot = EventSnapshot.take(event)!;
        expect([...snapshot.pieces()].join('')).toBe(stringifyEvent(event));
      }),
    );
  });

  it('is of the moment in which it was taken', () => {
    const event: Event = { message: LONG, extra: { list: [{ a: 1 }], long: { text: LONG } }, tags: { a: 'b' } };
    const before = stringifyEvent(event);
    const snapshot = EventSnapshot.take(event)!;
    (event.extra!['list'] as { a: number }[])[0]!.a = 2;
    (event.extra!['long'] as { text: string }).text = 'changed';
    event.tags!['a'] = 'changed';
    event.message = 'changed';
    expect([...snapshot.pieces()].join('')).toBe(before);
  });

  it('knows about how long it is', () => {
    const event: Event = {
      message: LONG,
      extra: { rows: Array.from({ length: 1000 }, (_, i) => ({ i, text: 'x'.repeat(i) })) },
    };
    const { size } = EventSnapshot.take(event)!;
    expect(Math.abs(size / stringifyEvent(event).length - 1)).toBeLessThan(0.1);
  });

  it('has no piece that is much longer than the limit', () => {
    const row = { text: 'x'.repeat(1000), numbers: Array.from({ length: 20_000 }, () => 1) };
    const event: Event = { request: { data: LONG.repeat(8) }, extra: { rows: Array.from({ length: 50 }, () => row) } };
    const longest = Math.max(...piecesOf(event).map(({ length }) => length));
    expect(longest / PIECE_LENGTH).toBeLessThan(1.1);
  });

  it.each<[what: string, payload: object]>([
    ['not large', { message: 'x'.repeat(PIECE_LENGTH - 100) }],
    ['a transaction whose spans are written', { message: LONG, spans: WrittenSpans.create('[]', 0) }],
    ['one with a bigint', { message: LONG, extra: { a: 1n } }],
    ['one with a method', { message: LONG, extra: { a: () => 1 } }],
    ['one with a symbol', { message: LONG, extra: { a: Symbol('a') } }],
    ['one with a toJSON', { message: LONG, extra: { a: new Date(0) } }],
    ['one with a boxed text', { message: LONG, extra: { a: new String('a') } }],
    ['one with a cycle', { message: LONG, extra: createCycle() }],
    [
      'one with a getter that throws',
      {
        message: LONG,
        extra: {
          get a() {
            throw new Error('no');
          },
        },
      },
    ],
  ])('is not taken of what is serialized at once: %s', (_, payload) => {
    expect(EventSnapshot.take(payload)).toBeUndefined();
    expect(stringify(payload)).toContain('{');
  });
});

function createCycle(): object {
  const cycle: { self?: object } = {};
  cycle.self = cycle;
  return cycle;
}
