import type { Span } from '@opentelemetry/api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  captureMessage,
  continueTrace,
  getActiveSpan,
  getDynamicSamplingContextFromSpan,
  getRootSpan,
  getTraceData,
  setHttpStatus,
  spanToJSON,
  startInactiveSpan,
  startNewTrace,
  startSpan,
  startSpanManual,
  suppressTracing,
  updateSpanName,
  withActiveSpan,
  withIsolationScope,
  withScope,
} from '../../src/index.js';
import fc from '../support/fast-check.js';
import { countCalls } from './calls.js';
import { fail } from './exotic.js';
import { hostile, type Maker, mostly, print } from './hostile.js';
import { attributes, headers, key, moment, scopes, span, spanOptions, text } from './resources.js';
import { everyCase, severalOf, TIMEOUT_MILLIS } from './runs.js';
import { Stage } from './stage.js';

type Callback = (first?: unknown, finish?: () => void) => unknown;

/** The functions that run a callback, each with what else it takes. */
const RUNNERS: Record<string, (argument: unknown, callback: Callback) => unknown> = {
  startSpan: (options, callback) => startSpan(options as never, callback),
  startSpanManual: (options, callback) => startSpanManual(options as never, callback),
  continueTrace: (incoming, callback) => continueTrace(incoming as never, callback),
  startNewTrace: (_, callback) => startNewTrace(callback),
  suppressTracing: (_, callback) => suppressTracing(callback),
  withActiveSpan: (active, callback) => withActiveSpan(active as never, callback),
  withScope: (_, callback) => withScope(callback),
  'withScope(scope)': (scope, callback) => withScope(scope as never, callback),
  withIsolationScope: (_, callback) => withIsolationScope(callback),
  'withIsolationScope(scope)': (scope, callback) => withIsolationScope(scope as never, callback),
};
const runner = fc.constantFrom(...Object.keys(RUNNERS));

const ARGUMENTS: Record<string, fc.Arbitrary<Maker>> = {
  startSpan: spanOptions,
  startSpanManual: spanOptions,
  continueTrace: headers,
  withActiveSpan: span,
  'withScope(scope)': scopes,
  'withIsolationScope(scope)': scopes,
};
const run = runner.chain((name) => fc.tuple(fc.constant(name), ARGUMENTS[name] ?? hostile));

/** What the interface lets be done to a span, and the functions that take one; further methods are OTel's own. */
const SPAN_CALLS: Record<string, [(span: Span, ...args: never[]) => unknown, ...fc.Arbitrary<Maker>[]]> = {
  setAttribute: [(one, name: string, value: never) => one.setAttribute(name, value), mostly(key), mostly(text)],
  setAttributes: [(one, values: never) => one.setAttributes(values), attributes],
  setStatus: [(one, status: never) => one.setStatus(status), hostile],
  updateName: [(one, name: string) => one.updateName(name), mostly(text)],
  end: [(one, time: never) => one.end(time), mostly(moment)],
  updateSpanName: [updateSpanName as never, mostly(text)],
  setHttpStatus: [setHttpStatus as never, hostile],
  spanToJSON: [spanToJSON],
  getRootSpan: [getRootSpan],
  getDynamicSamplingContextFromSpan: [getDynamicSamplingContextFromSpan],
};
const spanCall = fc
  .constantFrom(...Object.keys(SPAN_CALLS))
  .chain((name) => fc.tuple(fc.constant(name), fc.tuple(...(SPAN_CALLS[name]!.slice(1) as fc.Arbitrary<Maker>[]))));

/** Runs a callback that returns, or throws, and expects that the same comes out. */
async function expectOutcome([name, argument]: [string, Maker], outcome: Maker, throws: boolean): Promise<void> {
  const value = outcome();
  const callback: Callback = (_, finish) => {
    finish?.();
    if (throws) throw value;
    return value;
  };
  let came: unknown;
  try {
    came = RUNNERS[name]!(argument(), callback);
    expect(throws, `${name} returned although ${print(outcome)} was thrown`).toBe(false);
  } catch (error) {
    if (!throws || !Object.is(error, value)) throw error;
    return;
  }
  // Where the end of a span waits for a promise, another one stands in for it.
  if (!Object.is(came, value)) expect(name).toMatch(/^startSpan/);
}

/** What a span processor of the application may put into the place of a member of a span, or behind a getter that throws. */
const overwrite = fc.record({
  member: fc.constantFrom(
    'name',
    'kind',
    'status',
    'attributes',
    'events',
    'links',
    'startTime',
    'endTime',
    'ended',
    'resource',
    'instrumentationScope',
    'parentSpanContext',
    'spanContext',
  ),
  value: hostile,
  how: fc.constantFrom('value', 'result', 'throws'),
});
type Overwrite = typeof overwrite extends fc.Arbitrary<infer T> ? T : never;

function guarded(call: () => void): void {
  try {
    call();
  } catch {
    // Not ours.
  }
}

function overwriteMember(span: Span, { member, value, how }: Overwrite): void {
  const made = value();
  const descriptor = how === 'throws' ? { get: fail } : { value: how === 'result' ? () => made : made };
  Object.defineProperty(span, member, { ...descriptor, configurable: true });
}

describe('spans', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open({ tracesSampleRate: 1 });
  });
  afterAll(() => stage.close());

  it('start with whatever options, and transactions leave in order', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'spans',
      fc.asyncProperty(fc.array(run, { minLength: 1, maxLength: 3 }), spanOptions, (runs, options) =>
        stage.play(() => {
          const inner = () => {
            startInactiveSpan(options() as never).end();
            captureMessage('in all of them');
            getTraceData();
            return 'result';
          };
          const all = runs.reduceRight<() => unknown>(
            (body, [name, argument]) =>
              () =>
                RUNNERS[name]!(argument(), (_, finish) => {
                  const result = body();
                  finish?.();
                  return result;
                }),
            inner,
          );
          expect(all()).toBe('result');
        }),
      ),
    );
  });

  it('take whatever is done to them', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'spanMethods',
      fc.asyncProperty(severalOf(spanCall, 5), span, (calls, other) =>
        stage.play(() =>
          startSpan({ name: 'root' }, (root) => {
            const child = startInactiveSpan({ name: 'child' });
            for (const [name, args] of calls) {
              const [act] = SPAN_CALLS[name]!;
              for (const one of [child, root]) {
                if (name in one) countCalls(1);
                act(one, ...(args.map((make) => make()) as never[]));
              }
            }
            for (const helper of [updateSpanName, setHttpStatus, spanToJSON, getRootSpan]) {
              (helper as (given: unknown, value: unknown) => void)(other(), 'value');
            }
            getDynamicSamplingContextFromSpan(other() as never);
            child.end();
          }),
        ),
      ),
    );
  });

  it('that something else has overwritten cost no other span', { timeout: TIMEOUT_MILLIS }, async () => {
    stage.mayFail = true;
    const ofChildren = fc.array(overwrite, { minLength: 1, maxLength: 3 });
    const ofRoot = fc.array(overwrite, { maxLength: 1 });
    await everyCase(
      'overwrittenSpans',
      fc.asyncProperty(ofChildren, ofRoot, fc.boolean(), async (children, roots, isLate) => {
        const arrived = () => {
          const names = stage.receiver.transactions.flatMap(({ transaction, spans = [] }) => [
            transaction,
            ...spans.map(({ description }) => description),
          ]);
          expect(names).toContain('healthy');
        };
        await stage.play(
          () =>
            startSpan({ name: 'root' }, (root) => {
              startSpan({ name: 'healthy' }, () => undefined);
              const child = startInactiveSpan({ name: 'child' });
              if (!isLate) child.end();
              for (const one of children) overwriteMember(child, one);
              // It may be OpenTelemetry's own code that cannot end it.
              if (isLate) guarded(() => child.end());
              for (const one of roots) overwriteMember(root, one);
            }),
          roots.length === 0 ? arrived : undefined,
        );
      }),
    );
    stage.mayFail = false;
  });

  it('let through what callbacks return and throw', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'callbacks',
      fc.asyncProperty(severalOf(fc.tuple(run, hostile, fc.boolean())), (calls) =>
        stage.play(async () => {
          for (const call of calls) await expectOutcome(...call);
        }),
      ),
    );
  });

  it('are none where a function is called without a callback', () => {
    for (const [name, call] of Object.entries(RUNNERS)) {
      for (const none of [undefined, null, 'callback', {}]) {
        expect(() => call({ name: 'x' }, none as never), name).not.toThrow();
      }
    }
    expect(getActiveSpan()).toBeUndefined();
  });
});
