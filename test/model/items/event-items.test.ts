import { describe, expect, it } from 'vitest';
import { stringify } from '../../../src/internal/json.js';
import type { Event } from '../../../src/model/event.js';
import { createEventItems } from '../../../src/model/items/event-items.js';
import type { OutgoingItem } from '../../../src/model/outbox.js';

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
