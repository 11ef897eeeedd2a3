import { setImmediate as nextTick } from 'node:timers/promises';
import type { Span } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  captureEvent,
  captureException,
  captureMessage,
  continueTrace,
  flush,
  getActiveSpan,
  getCurrentScope,
  getGlobalScope,
  lastEventId,
  setExtra,
  setTag,
  startInactiveSpan,
  startNewTrace,
  startSpan,
  startSpanManual,
  suppressTracing,
  withIsolationScope,
  withScope,
} from '../../src/index.js';
import fc from '../support/fast-check.js';
import { hostile, type Maker } from './hostile.js';
import { breadcrumb } from './resources.js';
import { everyCase, TIMEOUT_MILLIS } from './runs.js';
import { Stage } from './stage.js';

type Tags = Record<string, number>;

/** What a program has done so far, and so what must arrive. */
class Expected {
  readonly global: Tags = {};
  /** By event. */
  readonly tags = new Map<string, Tags>();
  /** Errors that are captured by the SDK itself. */
  thrown = 0;
  readonly endedSpans: string[] = [];
}

/** The scopes that a command runs in, as they ought to be. */
interface Model {
  readonly current: Tags;
  readonly isolation: Tags;
}

type Act = (expected: Expected, model: Model) => unknown;
/** Runs the body in the surroundings that its name says. */
type Wrap = (body: (model: Model) => Promise<void>, model: Model, expected: Expected) => unknown;

const forked = ({ current, isolation }: Model): Model => ({ current: { ...current }, isolation });

function noteCapture(id: string, { global, tags }: Expected, { current, isolation }: Model): void {
  tags.set(id, { ...global, ...isolation, ...current });
  expect(lastEventId()).toBe(id);
  expect(getActiveSpan()?.spanContext().traceId).not.toBe('');
}

function noteEnd(span: Span, expected: Expected): void {
  if (span.isRecording()) expected.endedSpans.push(span.spanContext().spanId);
}

const STEPS: Record<string, Act> = {
  captureMessage: (expected, model) => noteCapture(captureMessage('a message'), expected, model),
  captureException: (expected, model) => noteCapture(captureException(new Error('an error')), expected, model),
  captureEvent: (expected, model) => noteCapture(captureEvent({ message: 'an event' }), expected, model),
  'a span that is not active': (expected) => {
    const span = startInactiveSpan({ name: 'inactive' });
    noteEnd(span, expected);
    span.end();
  },
  'a span that never ends': () => startInactiveSpan({ name: 'endless' }),
  'an attachment': () => getCurrentScope().addAttachment({ filename: 'a.txt', data: 'text' }),
  flush: () => flush(5000),
  pause: () => nextTick(),
};

const WRAPPERS: Record<string, Wrap> = {
  withScope: (body, model) => withScope(() => body(forked(model))),
  withIsolationScope: (body, { current, isolation }) =>
    withIsolationScope(() => body({ current: { ...current }, isolation: { ...isolation } })),
  startSpan: (body, model, expected) => startSpan({ name: 'span' }, (span) => runInSpan(span, body, model, expected)),
  'startSpan as a transaction': (body, model, expected) =>
    startSpan({ name: 'transaction', forceTransaction: true }, (span) => runInSpan(span, body, model, expected)),
  startSpanManual: (body, model, expected) =>
    startSpanManual({ name: 'manual' }, async (span, finish) => {
      await runInSpan(span, body, model, expected);
      finish();
    }),
  'a span that fails': (body, model, expected) => {
    const error = new Error('a failing span');
    const failing = startSpan({ name: 'failing' }, async (span) => {
      await runInSpan(span, body, model, expected);
      expected.thrown++;
      throw error;
    });
    return expect(failing).rejects.toBe(error);
  },
  startNewTrace: (body, model) => startNewTrace(() => body(forked(model))),
  'continueTrace, sampled': (body, model) => continueTrace(headers(1), () => body(forked(model))),
  'continueTrace, not sampled': (body, model) => continueTrace(headers(0), () => body(forked(model))),
  suppressTracing: (body, model) => suppressTracing(() => body(forked(model))),
};

async function runInSpan(
  span: Span,
  body: (model: Model) => Promise<void>,
  model: Model,
  expected: Expected,
): Promise<void> {
  await body(forked(model));
  noteEnd(span, expected);
}

function headers(flag: 0 | 1) {
  return { sentryTrace: `0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-${flag}` };
}

type Command =
  | { readonly step: string }
  | { readonly tag: 'a' | 'b' | 'c'; readonly on: 'global' | 'isolation' | 'current'; readonly value: number }
  | { readonly extra: Maker }
  | { readonly breadcrumb: Maker }
  | { readonly within: string; readonly body: readonly Command[] }
  | { readonly atOnce: readonly (readonly Command[])[] };

const program: fc.Arbitrary<readonly Command[]> = fc.letrec<{ command: Command; body: readonly Command[] }>((tie) => ({
  command: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    { weight: 4, arbitrary: fc.record({ step: fc.constantFrom(...Object.keys(STEPS)) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        tag: fc.constantFrom('a', 'b', 'c'),
        on: fc.constantFrom('global', 'isolation', 'current'),
        value: fc.nat(99),
      }),
    },
    { weight: 1, arbitrary: fc.record({ extra: hostile }) },
    { weight: 1, arbitrary: fc.record({ breadcrumb }) },
    { weight: 5, arbitrary: fc.record({ within: fc.constantFrom(...Object.keys(WRAPPERS)), body: tie('body') }) },
    { weight: 1, arbitrary: fc.record({ atOnce: fc.array(tie('body'), { maxLength: 3 }) }) },
  ) as fc.Arbitrary<Command>,
  body: fc.array(tie('command'), { maxLength: 5 }),
})).body;

async function run(commands: readonly Command[], model: Model, expected: Expected): Promise<void> {
  for (const command of commands) await perform(command, model, expected);
}

async function perform(command: Command, model: Model, expected: Expected): Promise<void> {
  if ('step' in command) {
    await STEPS[command.step]!(expected, model);
  } else if ('tag' in command) {
    setTagOn(command, model, expected);
  } else if ('extra' in command) {
    setExtra('extra', command.extra());
  } else if ('breadcrumb' in command) {
    addBreadcrumb(command.breadcrumb() as never);
  } else if ('within' in command) {
    await WRAPPERS[command.within]!((inner) => run(command.body, inner, expected), model, expected);
  } else {
    await Promise.all(command.atOnce.map((body) => withIsolationScope(() => runAlone(body, model, expected))));
  }
}

/** What runs at once with others does so in scopes of its own, as requests do. */
function runAlone(body: readonly Command[], { current, isolation }: Model, expected: Expected): Promise<void> {
  return run(body, { current: { ...current }, isolation: { ...isolation } }, expected);
}

function setTagOn(
  { tag, on, value }: Extract<Command, { tag: unknown }>,
  { current, isolation }: Model,
  { global }: Expected,
): void {
  if (on === 'isolation') setTag(tag, value);
  else (on === 'global' ? getGlobalScope() : getCurrentScope()).setTag(tag, value);
  ({ global, isolation, current })[on][tag] = value;
}

describe('a program of scopes, spans and captures', () => {
  let stage: Stage;

  beforeAll(async () => {
    // A fast machine captures more equal errors in a second than are sent by default.
    stage = await Stage.open({ tracesSampleRate: 1, maxSameErrorsPerSecond: Number.POSITIVE_INFINITY });
  });
  afterAll(() => stage.close());

  it('sends each event once with the tags of its scopes, and each ended span once', {
    timeout: TIMEOUT_MILLIS,
  }, async () => {
    await everyCase(
      'programs',
      fc.asyncProperty(program, async (commands) => {
        const expected = new Expected();
        const { receiver } = stage;
        await stage.play(
          () => run(commands, { current: {}, isolation: {} }, expected),
          () => {
            const byId = new Map(receiver.events.map(({ event_id, tags = {} }) => [event_id, tags]));
            for (const [id, tags] of expected.tags) {
              const strings = Object.fromEntries(Object.entries(tags).map(([key, value]) => [key, String(value)]));
              expect(byId.get(id), `tags of ${id}`).toEqual(strings);
            }
            expect(receiver.events).toHaveLength(expected.tags.size + expected.thrown);
            const arrived = receiver.transactions.flatMap(({ contexts, spans }) => [contexts.trace, ...spans]);
            expect(arrived.map(({ span_id }) => span_id).sort()).toEqual(expected.endedSpans.sort());
          },
        );
      }),
    );
  });
});
