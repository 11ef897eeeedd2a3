import { types } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as faultline from '../../src/index.js';
import fc from '../support/fast-check.js';
import { countCalls } from './calls.js';
import { hostile, type Maker, maker, mostly, plain, primitive } from './hostile.js';
import {
  breadcrumb,
  callback,
  event,
  feedback,
  HOOKS,
  headers,
  hintOrContext,
  integration,
  session,
  setterArguments,
  span,
  spanOptions,
  text,
} from './resources.js';
import { everyCase, severalOf, TIMEOUT_MILLIS } from './runs.js';
import { Stage } from './stage.js';

/** The client stays open. */
const EMITTED = HOOKS.filter((hook) => hook !== 'close');

type AnyFunction = (...args: unknown[]) => unknown;

/** What functions are called with; those that are not listed, with anything at all. */
const ARGUMENTS: Partial<Record<keyof typeof faultline, fc.Arbitrary<Maker>[]>> = {
  captureException: [hostile, hintOrContext],
  captureMessage: [mostly(text), hintOrContext],
  captureEvent: [event, hintOrContext],
  captureFeedback: [feedback, hintOrContext],
  startSession: [session],
  ...setterArguments,
  addBreadcrumb: [breadcrumb, hostile],
  startInactiveSpan: [spanOptions],
  spanToJSON: [span],
  getRootSpan: [span],
  getDynamicSamplingContextFromSpan: [span],
  updateSpanName: [span, mostly(text)],
  setHttpStatus: [span, hostile],
  // What is thrown in a callback comes out of these, so that theirs does not throw; see spans.test.ts.
  startSpan: [spanOptions, callbackOf('result')],
  startSpanManual: [spanOptions, callbackOf('result')],
  continueTrace: [headers, callbackOf('result')],
  startNewTrace: [callbackOf('result')],
  suppressTracing: [callbackOf('result')],
  withActiveSpan: [span, callbackOf('result')],
  withScope: [callbackOf('result')],
  withIsolationScope: [callbackOf('result')],
};

/** Tried in files of their own: what sets up or ends the client, and classes. */
const ELSEWHERE = new Set(['init', 'close', 'createTransport', 'openTelemetry']);

const FUNCTIONS = new Map(
  Object.entries(faultline as Record<string, unknown>).filter(
    (entry): entry is [string, AnyFunction] =>
      typeof entry[1] === 'function' && !/^[A-Z]/.test(entry[0]) && !ELSEWHERE.has(entry[0]),
  ),
);

const CLIENT_METHODS: Record<string, fc.Arbitrary<Maker>[]> = {
  captureException: [hostile, hintOrContext, hostile],
  captureMessage: [mostly(text), hostile, hintOrContext, hostile],
  captureEvent: [event, hintOrContext, hostile],
  captureSession: [session],
  addEventProcessor: [mostly(callback())],
  on: [mostly(plain(fc.constantFrom(...EMITTED))), mostly(callback())],
  emit: [mostly(plain(fc.constantFrom(...EMITTED))), hostile],
  listens: [hostile],
  getIntegration: [hostile],
  getIntegrationByName: [hostile],
  addIntegration: [mostly(integration)],
  getOptions: [],
  getDsn: [],
  getTransport: [],
  flush: [hostile],
};

/** A callback that does not throw, as what it throws would come out; or what is no function. */
function callbackOf(result: string): fc.Arbitrary<Maker> {
  const good = maker(
    () => () => result,
    () => `() => ${result}`,
  );
  return fc.oneof({ weight: 4, arbitrary: fc.constant(good) }, { weight: 1, arbitrary: primitive });
}

const call = <Name extends string>(names: readonly Name[], args: Partial<Record<Name, fc.Arbitrary<Maker>[]>>) =>
  fc
    .constantFrom(...names)
    .chain((name) => fc.tuple(fc.constant(name), fc.tuple(...(args[name] ?? [hostile, hostile, hostile]))));

describe('every function of the package', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open({ tracesSampleRate: 1, release: 'shop@1' });
  });
  afterAll(() => stage.close());

  it('takes whatever it is given, and neither throws nor rejects', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'everyExport',
      fc.asyncProperty(
        severalOf(call([...FUNCTIONS.keys()], ARGUMENTS as Record<string, fc.Arbitrary<Maker>[]>), 4),
        (calls) =>
          stage.play(async () => {
            const results = calls.map(([name, args]) => FUNCTIONS.get(name)!(...args.map((make) => make())));
            faultline.captureException(new Error('after all of them'));
            for (const result of results) if (types.isPromise(result)) await result;
          }),
      ),
    );
  });

  it('so do the methods of the client', { timeout: TIMEOUT_MILLIS }, async () => {
    const names = Object.keys(CLIENT_METHODS);
    await everyCase(
      'clientMethods',
      fc.asyncProperty(severalOf(call(names, CLIENT_METHODS), 4), async (calls) => {
        await stage.play(async () => {
          const client = stage.client as unknown as Record<string, AnyFunction>;
          countCalls(calls.length);
          const results = calls.map(([name, args]) => client[name]!(...args.map((make) => make())));
          faultline.startSpan({ name: 'after all of them' }, () => undefined);
          for (const result of results) if (types.isPromise(result)) await result;
        });
        // Handlers and processors stay.
        await stage.reopen();
      }),
    );
  });

  it('is tried here or by name elsewhere', () => {
    const methods = Object.getOwnPropertyNames(faultline.Client.prototype);
    const tried = [
      ...Object.keys(CLIENT_METHODS),
      'constructor',
      'close',
      'setupIntegrations',
      'captureTransaction',
      'showsEvents',
      'captureRecordedException',
      'openTelemetryStatus',
      'send',
      'storeUnsent',
      'hasStored',
      'stateOf',
      'whenClosed',
      'eventProcessors',
    ];
    expect(tried).toEqual(expect.arrayContaining(methods));
    expect([...FUNCTIONS.keys()]).toEqual(expect.arrayContaining(Object.keys(ARGUMENTS)));
  });
});
