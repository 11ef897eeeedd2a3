import { describe, expect, it } from 'vitest';
import { Discard } from '../../../src/model/delivery/outcome.js';
import type { Event } from '../../../src/model/event/event.js';
import type { StackFrame } from '../../../src/model/event/exception.js';
import { sanitizeEvent } from '../../../src/pipeline/sanitize/sanitize-event.js';
import type { StepContext } from '../../../src/pipeline/step.js';
import { createFilterEvents } from '../../../src/pipeline/steps/filter-events.js';

const NOTHING = { ignoreErrors: [], ignoreTransactions: [], allowUrls: [], denyUrls: [] };
const CONTEXT = {} as StepContext;

const errorOf = (type: string, value: string, frames?: StackFrame[]): Event => ({
  exception: { values: [{ type, value, ...(frames && { stacktrace: { frames } }) }] },
});
const thrownFrom = (...filenames: string[]): Event =>
  errorOf(
    'Error',
    'boom',
    filenames.map((filename) => ({ filename })),
  );

function isDiscarded(event: Event, settings: Partial<Parameters<typeof createFilterEvents>[0]> = {}): boolean {
  const result = createFilterEvents({ ...NOTHING, ...settings })(event, CONTEXT);
  if (result instanceof Discard) expect(result.reason).toBe('event_processor');
  else expect(result).toBe(event);
  return result instanceof Discard;
}

describe('ignoreErrors', () => {
  const chain: Event = {
    exception: {
      values: [
        { type: 'Error', value: 'the cause' },
        { type: 'Outer', value: 'boom' },
      ],
    },
  };
  it.each<[string, Event, (string | RegExp)[], boolean]>([
    ['the message', { message: 'job failed' }, ['failed'], true],
    ['the message, by a pattern', { message: 'job failed' }, [/^job/], true],
    ['the value of the exception', errorOf('TypeError', 'boom'), [/^boom$/], true],
    ['its type and value', errorOf('TypeError', 'boom'), ['TypeError: boom'], true],
    ['its type', errorOf('TypeError', 'boom'), [/^TypeError$/], true],
    ['its type, where there is nothing else', errorOf('TypeError', ''), ['TypeError'], true],
    ['the message before its parameters are filled in', { logentry: { message: 'job %s failed' } }, ['failed'], true],
    ['not what is something else', errorOf('TypeError', 'boom'), ['RangeError', /^x/], false],
    ['not the cause', chain, ['the cause'], false],
    ['the exception with a cause', chain, ['Outer: boom'], true],
    ['not a transaction', { type: 'transaction', transaction: 'boom', message: 'boom' }, ['boom'], false],
    ['not feedback', { type: 'feedback', message: 'boom' }, ['boom'], false],
  ])('matches %s', (_, event, ignoreErrors, expected) => {
    expect(isDiscarded(event, { ignoreErrors })).toBe(expected);
  });

  it('gives every event the same answer, also with a pattern that has a state', () => {
    const filter = createFilterEvents({ ...NOTHING, ignoreErrors: [/boom/g] });
    const results = [1, 2, 3].map(() => filter(errorOf('Error', 'boom'), CONTEXT) instanceof Discard);
    expect(results).toEqual([true, true, true]);
  });

  it('looks at the first 16384 characters', () => {
    expect(isDiscarded({ message: `${'x'.repeat(16_384)}boom` }, { ignoreErrors: ['boom'] })).toBe(false);
  });
});

describe('ignoreTransactions', () => {
  it.each<[string, Event, boolean]>([
    ['the name', { type: 'transaction', transaction: 'GET /health' }, true],
    ['not another', { type: 'transaction', transaction: 'GET /' }, false],
    ['not one without a name', { type: 'transaction' }, false],
    ['not an error in it', { ...errorOf('Error', 'boom'), transaction: 'GET /health' }, false],
  ])('matches %s', (_, event, expected) => {
    expect(isDiscarded(event, { ignoreTransactions: ['/health'] })).toBe(expected);
  });
});

describe('the file that threw', () => {
  const settings: [string, Event, denied: boolean, notAllowed: boolean][] = [
    ['is that of the last frame', thrownFrom('/app/vendor/a.js', '/app/src/b.js'), false, true],
    ['is that of the last frame, and matches', thrownFrom('/app/src/b.js', '/app/vendor/a.js'), true, false],
    ['is not anonymous', thrownFrom('/app/vendor/a.js', '<anonymous>', '[native code]'), true, false],
    ['may be unknown', errorOf('Error', 'boom'), false, false],
    ['may be anonymous throughout', thrownFrom('<anonymous>'), false, false],
    ['of a message is unknown', { message: 'x' }, false, false],
    [
      'is that of the exception that was caught, not of a linked one',
      {
        exception: {
          values: [
            { value: 'caught', stacktrace: { frames: [{ filename: '/app/vendor/a.js' }] } },
            {
              value: 'linked',
              mechanism: { type: 'chained', parent_id: 0 },
              stacktrace: { frames: [{ filename: '/app/src/b.js' }] },
            },
          ],
        },
      },
      true,
      false,
    ],
  ];
  it.each(settings)('%s', (_, event, denied, notAllowed) => {
    expect(isDiscarded(event, { denyUrls: ['/vendor/'] })).toBe(denied);
    expect(isDiscarded(event, { allowUrls: [/vendor/] })).toBe(notAllowed);
  });

  it('must be allowed and not denied', () => {
    const both = { allowUrls: ['/app/'], denyUrls: ['/vendor/'] };
    expect(isDiscarded(thrownFrom('/app/src/a.js'), both)).toBe(false);
    expect(isDiscarded(thrownFrom('/app/vendor/a.js'), both)).toBe(true);
    expect(isDiscarded(thrownFrom('/lib/a.js'), both)).toBe(true);
  });
});

describe('an event that says nothing', () => {
  it.each<[string, Event, boolean]>([
    ['an exception without anything', { exception: { values: [{}] } }, true],
    ['an error without message and stack', errorOf('Error', ''), true],
    ['several of them', { exception: { values: [{}, { type: 'Error' }] } }, true],
    ['one that has a type', errorOf('TypeError', ''), false],
    ['one that has a value', errorOf('', 'boom'), false],
    ['one that has a stack', errorOf('Error', '', []), false],
    ['one of several that says something', { exception: { values: [{}, { value: 'boom' }] } }, false],
    ['a message beside it', { message: 'x', exception: { values: [{}] } }, false],
    ['an event without exceptions', { tags: { a: 'b' } }, false],
    ['an empty list of exceptions', { exception: { values: [] } }, false],
    ['a transaction', { type: 'transaction', exception: { values: [{}] } }, false],
  ])('is discarded or not: %s', (_, event, expected) => {
    expect(isDiscarded(event)).toBe(expected);
  });
});

it('exceptions of which nothing remains are discarded, and one with only a stack keeps it', () => {
  const stacktrace = { frames: [{ filename: 'a.js', lineno: 1 }] };
  for (const value of [{}, { value: { a: 1 } }, { stacktrace: { frames: 5 } }, { mechanism: { handled: false } }]) {
    expect(isDiscarded(sanitizeEvent({ exception: { values: [value] } })), JSON.stringify(value)).toBe(true);
  }
  const kept = sanitizeEvent({ exception: { values: [{ stacktrace }] } });
  expect(isDiscarded(kept)).toBe(false);
  expect(kept.exception?.values).toEqual([{ type: 'Error', stacktrace }]);
});

it.each<[string, unknown]>([
  ['exceptions that are no list', { exception: { values: 'x' } }],
  ['exceptions that are none', { exception: { values: [null, 1] } }],
  ['a frame that is none', { exception: { values: [{ stacktrace: { frames: [null] } }] } }],
  ['a message that is no text', { message: 5 }],
])('an event with %s goes on', (_, event) => {
  const all = { ignoreErrors: ['x'], denyUrls: ['x'], allowUrls: ['x'], ignoreTransactions: ['x'] };
  expect(isDiscarded(sanitizeEvent(event), all)).toBe(false);
});
