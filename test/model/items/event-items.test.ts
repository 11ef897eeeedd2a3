import { describe, expect, it } from 'vitest';
import { stringify } from '../../../src/internal/values/json.js';
import type { OutgoingItem } from '../../../src/model/delivery/outbox.js';
import type { Event, User } from '../../../src/model/event/event.js';
import { createEventItems } from '../../../src/model/items/event-items.js';

const EVENT_ID = '6d1f0b6c8f1b4e0b9a3c2d5e7f901234';

const event = (parts: object = {}): Event => ({ event_id: EVENT_ID, message: 'hello', ...parts }) as Event;
const payloadOf = ([item]: OutgoingItem[]) => JSON.parse(stringify(item!.content[1]));

describe('an event item', () => {
  it.each([
    [undefined, 'event'],
    ['transaction', 'transaction'],
    ['feedback', 'feedback'],
    [null, 'event'],
  ])('of an event of the type %s has the type %s', (type, itemType) => {
    expect(createEventItems(event({ type }), [])[0]!.content[0]).toEqual({ type: itemType });
  });

  it('lacks the data of the SDK, and the level `log`, which the event itself keeps', () => {
    const given = Object.freeze(event({ level: 'log', sdkProcessingMetadata: { secret: 1 } }));
    expect(createEventItems(given, [])[0]!.content[1]).toEqual({
      event_id: EVENT_ID,
      message: 'hello',
      level: 'info',
    });
    expect(given).toMatchObject({ level: 'log', sdkProcessingMetadata: { secret: 1 } });
  });

  it('lacks the data of the SDK also where a member cannot be read', () => {
    const given = event({ sdkProcessingMetadata: { secret: 1 } });
    Object.defineProperty(given, 'extra', {
      enumerable: true,
      get() {
        throw new Error('getter');
      },
    });
    const payload = payloadOf(createEventItems(given, []));
    expect(payload).toMatchObject({ event_id: EVENT_ID, message: 'hello' });
    expect(payload).not.toHaveProperty('sdkProcessingMetadata');
  });

  it('lacks the level `log` in breadcrumbs, too', () => {
    const breadcrumbs = [{ message: 'a', level: 'log' }, { message: 'b', level: 'error' }, null];
    const given = Object.freeze(event({ breadcrumbs: Object.freeze(breadcrumbs) }));
    expect(payloadOf(createEventItems(given, []))).toMatchObject({
      breadcrumbs: [{ message: 'a', level: 'info' }, { message: 'b', level: 'error' }, null],
    });
    expect(breadcrumbs[0]).toEqual({ message: 'a', level: 'log' });
  });

  it('lacks a property that cannot be read', () => {
    const given = event();
    Object.defineProperty(given, 'extra', { enumerable: true, get: failing });
    expect(payloadOf(createEventItems(given, []))).toEqual({ event_id: EVENT_ID, message: 'hello' });
  });

  it('leaves although JSON cannot hold all of it', () => {
    const extra: Record<string, unknown> = { big: 1n, broken: { toJSON: failing } };
    extra['self'] = extra;
    expect(payloadOf(createEventItems(event({ extra }), []))).toEqual({
      event_id: EVENT_ID,
      message: 'hello',
      extra: { big: '[BigInt: 1]', broken: {}, self: '[Circular ~]' },
    });
  });
});

describe('for servers that keep strings only,', () => {
  it('tags and user identifiers become strings; the event keeps its values', () => {
    const tags = { price: 19.99, paid: true, id: 10n, name: 'a', none: null };
    const user = { id: 7, username: true, email: 'a@b', ip_address: null, seats: 2 };
    const given = Object.freeze(event({ tags: Object.freeze(tags), user: Object.freeze(user) }));
    expect(payloadOf(createEventItems(given, []))).toMatchObject({
      tags: { price: '19.99', paid: 'true', id: '10', name: 'a', none: null },
      user: { id: '7', username: 'true', email: 'a@b', ip_address: null, seats: 2 },
    });
    expect(given.tags).toBe(tags);
  });

  it('an object in place of a user identifier becomes its JSON', () => {
    const user = { id: [1, 2], username: { first: 'Ann' }, email: {}, ip_address: 'x', address: { city: 'Ulm' } };
    expect(payloadOf(createEventItems(event({ user: user as unknown as User }), []))).toMatchObject({
      user: { id: '[1,2]', username: '{"first":"Ann"}', email: '{}', address: { city: 'Ulm' } },
    });
  });

  it('such JSON is cut', () => {
    const user = { id: { long: 'x'.repeat(1000) } } as unknown as User;
    expect(JSON.stringify(payloadOf(createEventItems(event({ user }), []))).length).toBeLessThan(500);
  });
});

describe('for servers that refuse long names,', () => {
  it('transaction, release, environment and dist are cut, between characters', () => {
    const long = `${'x'.repeat(199)}😀${'x'.repeat(10_000)}`;
    const labels = { transaction: long, release: long, environment: long, dist: long };
    expect(payloadOf(createEventItems(event(labels), []))).toMatchObject({
      transaction: 'x'.repeat(199),
      release: 'x'.repeat(199),
      environment: 'x'.repeat(64),
      dist: 'x'.repeat(64),
    });
  });

  it('each envelope has a trace header of its own, although events of one trace have the same', () => {
    const dsc = { trace_id: 'a'.repeat(32), public_key: 'ab12' };
    const traceOf = () =>
      createEventItems(event({ sdkProcessingMetadata: { dynamicSamplingContext: dsc } }), [])[0]!.envelopeHeaders!
        .trace!;
    traceOf()['changed'] = 'by a handler';
    expect(traceOf()).toEqual(dsc);
    dsc.public_key = 'cd34';
    expect(traceOf()).toEqual(dsc);
  });

  it('the trace header is cut, and stays below what they accept of the header line', () => {
    const long = '日'.repeat(8000);
    const members = Array.from({ length: 50 }, (_, index) => [`member${index}`, long]);
    const dsc = { ...Object.fromEntries(members), trace_id: 'a'.repeat(32), public_key: 'ab12', sampled: 'true' };
    const given = event({
      sdkProcessingMetadata: { dynamicSamplingContext: { ...dsc, transaction: long, environment: long } },
    });
    const { trace } = createEventItems(given, [])[0]!.envelopeHeaders!;
    expect(trace).toMatchObject({
      trace_id: 'a'.repeat(32),
      public_key: 'ab12',
      sampled: 'true',
      transaction: '日'.repeat(200),
      environment: '日'.repeat(64),
    });
    expect(Buffer.byteLength(JSON.stringify(trace))).toBeLessThan(7000);
  });
});

describe('the headers of its envelope', () => {
  it.each([
    [{ trace_id: 'a'.repeat(32), public_key: 'ab12', sampled: 'true' }, true],
    [{ trace_id: 'a'.repeat(32) }, false],
    [{ public_key: 'ab12' }, false],
    [{}, false],
    [undefined, false],
  ])('name the event, and the trace %j: %s', (dsc, isCarried) => {
    const given = event({ sdkProcessingMetadata: { dynamicSamplingContext: dsc } });
    const trace = isCarried ? { trace: dsc } : {};
    expect(createEventItems(given, [])[0]!.envelopeHeaders).toEqual({ event_id: EVENT_ID, ...trace });
  });

  it('name a new id for an event without one, the same as in the payload', () => {
    const [{ content, envelopeHeaders }] = createEventItems(event({ event_id: undefined }), []) as [OutgoingItem];
    expect(envelopeHeaders!.event_id).toMatch(/^[0-9a-f]{32}$/);
    expect(content[1]).toMatchObject({ event_id: envelopeHeaders!.event_id });
  });
});

function failing(): never {
  throw new Error('toJSON');
}
