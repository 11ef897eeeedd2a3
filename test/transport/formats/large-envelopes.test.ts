import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { Envelope, EnvelopeItem } from '../../../src/model/delivery/envelope.js';
import type { TransportResponse } from '../../../src/model/delivery/transport.js';
import { createTransport, type MakeRequest } from '../../../src/transport/create-transport.js';
import { ENVELOPE_FORMAT } from '../../../src/transport/formats/envelope-format.js';

const MEGABYTE = 1024 * 1024;
const OK = async (): Promise<TransportResponse> => ({ statusCode: 200 });

const small = (id: string): Envelope => [{ event_id: id }, [[{ type: 'event' }, { message: id }]]];
const large = (id: string, ...others: EnvelopeItem[]): Envelope => [
  { event_id: id },
  [
    [{ type: 'event' }, { message: id, extra: { a: 'ä'.repeat(MEGABYTE / 2), b: '\n'.repeat(MEGABYTE / 4) } }],
    ...others,
  ],
];

/** A transport, the bodies that it has posted, and how many turns of the event loop had ended before each of them. */
function setUp(answer: MakeRequest = OK) {
  const bodies: (string | Uint8Array)[] = [];
  const turnsBefore: number[] = [];
  let turns = 0;
  const count = () => {
    turns += 1;
    counter = setImmediate(count);
  };
  let counter = setImmediate(count);
  const transport = createTransport({ recordDroppedEvent: () => undefined }, (request) => {
    bodies.push(request.body);
    turnsBefore.push(turns);
    return answer(request);
  });
  const ids = () =>
    bodies.map(
      (body) =>
        JSON.parse(
          Buffer.from(body as string)
            .toString()
            .split('\n')[0]!,
        ).event_id,
    );
  return { transport, bodies, turnsBefore, ids, [Symbol.dispose]: () => clearImmediate(counter) };
}

describe('a large envelope', () => {
  it('is serialized over several turns of the event loop', async () => {
    using made = setUp();
    await made.transport.send(large('a'));
    expect(made.turnsBefore[0]).toBeGreaterThanOrEqual(10);
  });

  it.each<[what: string, others: EnvelopeItem[]]>([
    ['alone', []],
    ['with an attachment of bytes', [[{ type: 'attachment', filename: 'a' }, new Uint8Array([1, 2, 255])]]],
    ['with an attachment of no bytes', [[{ type: 'attachment', filename: 'a' }, new Uint8Array()]]],
    ['with a text', [[{ type: 'attachment', filename: 'ä' }, 'ö\n']]],
    ['with another event', [[{ type: 'feedback' }, { message: 'b' }]]],
  ])('has the same bytes as one that is serialized at once: %s', async (_, others) => {
    using made = setUp();
    await made.transport.send(large('a', ...others));
    expect(Buffer.from(made.bodies[0]!).equals(Buffer.from(ENVELOPE_FORMAT.serialize(large('a', ...others))))).toBe(
      true,
    );
  });

  it('is as it was when it was sent, whatever the application changes later', async () => {
    using made = setUp();
    const bytes = new Uint8Array([1, 2, 3]);
    const envelope = large('a', [{ type: 'attachment', filename: 'a' }, bytes]);
    const expected = Buffer.from(ENVELOPE_FORMAT.serialize(envelope) as Uint8Array);
    const sent = made.transport.send(envelope);
    const [headers, [[itemHeaders, payload]]] = envelope as [
      { event_id: string },
      [[{ type: string }, { extra: object }]],
    ];
    Object.assign(payload.extra, { a: 'changed' });
    Object.assign(payload, { message: 'changed' });
    headers.event_id = 'changed';
    itemHeaders.type = 'changed';
    bytes.fill(0);
    await sent;
    expect(Buffer.from(made.bodies[0]!).equals(expected)).toBe(true);
  });

  it('arrives before the envelopes that come later, which are as they were, too', async () => {
    using made = setUp();
    const { transport, ids } = made;
    const late = small('c');
    const sent = [
      transport.send(small('a')),
      transport.send(large('b')),
      transport.send(late),
      transport.send(large('d')),
    ];
    Object.assign(late[1][0]![1], { message: 'changed' });
    expect(ids()).toEqual(['a']);
    await Promise.all(sent);
    expect(ids()).toEqual(['a', 'b', 'c', 'd']);
    expect(made.bodies[2]).toContain('"message":"c"');
    const last = transport.send(small('e'));
    expect(ids().at(-1)).toBe('e');
    await last;
  });

  it('is waited for by flush', async () => {
    using made = setUp();
    void made.transport.send(large('a'));
    void made.transport.send(small('b'));
    expect(await made.transport.flush(10_000)).toBe(true);
    expect(made.ids()).toEqual(['a', 'b']);
  });

  it('is serialized while the application has replaced setImmediate', async () => {
    using made = setUp();
    const { setImmediate: original } = globalThis;
    globalThis.setImmediate = (() => undefined) as unknown as typeof setImmediate;
    try {
      await made.transport.send(large('a'));
    } finally {
      globalThis.setImmediate = original;
    }
    expect(made.ids()).toEqual(['a']);
  });

  it('waits for its turn as it was', async () => {
    const answers: (() => void)[] = [];
    using made = setUp(() => new Promise((resolve) => answers.push(() => resolve({ statusCode: 200 }))));
    const { transport, ids } = made;
    for (let i = 0; i < 32; i++) void transport.send(small(`${i}`));
    const envelope = large('late');
    const sent = transport.send(envelope);
    Object.assign(envelope[1][0]![1], { message: 'changed' });
    await sleep(20);
    expect(ids()).toHaveLength(32);
    for (const answer of answers.splice(0)) answer();
    while (answers.length === 0) await sleep(1);
    answers[0]!();
    await sent;
    expect(Buffer.from(made.bodies[32]!).equals(Buffer.from(ENVELOPE_FORMAT.serialize(large('late'))))).toBe(true);
  });
});
