import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  captureException,
  captureMessage,
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  Scope,
  startSpan,
} from '../../src/index.js';
import fc from '../support/fast-check.js';
import { countCalls } from './calls.js';
import { hostile, type Maker, mostly, plain } from './hostile.js';
import {
  attachment,
  attributes,
  breadcrumb,
  captureContext,
  key,
  level,
  scopeValues,
  session,
  setterArguments,
  text,
} from './resources.js';
import { everyCase, severalOf, TIMEOUT_MILLIS } from './runs.js';
import { Stage } from './stage.js';

const anything: fc.Arbitrary<Maker>[] = [hostile, hostile];

/** What each method of a scope is called with; those that are not listed, with anything at all. */
const ARGUMENTS: Partial<Record<keyof Scope, fc.Arbitrary<Maker>[]>> = {
  ...setterArguments,
  setAttribute: [mostly(key), hostile],
  setAttributes: [attributes],
  setLevel: [mostly(level)],
  setTransactionName: [mostly(text)],
  setConversationId: [mostly(text)],
  addBreadcrumb: [breadcrumb, mostly(plain(fc.integer({ min: -1, max: 3 })))],
  addAttachment: [attachment],
  setPropagationContext: [scopeValues.propagationContext],
  setSDKProcessingMetadata: [scopeValues.map],
  setSession: [session],
  update: [captureContext],
};

const METHODS = Object.getOwnPropertyNames(Scope.prototype).filter((name) => name !== 'constructor') as (keyof Scope)[];
const IS_SETTER = /^(set|add|clear|update)/;
const SCOPES = {
  global: getGlobalScope,
  isolation: getIsolationScope,
  current: getCurrentScope,
  own: () => new Scope(),
};

interface Call {
  readonly where: keyof typeof SCOPES;
  readonly name: keyof Scope;
  readonly args: readonly Maker[];
}

const call: fc.Arbitrary<Call> = fc.constantFrom(...METHODS).chain((name) =>
  fc.record({
    where: fc.constantFrom(...(Object.keys(SCOPES) as (keyof typeof SCOPES)[])),
    name: fc.constant(name),
    args: fc.tuple(...(ARGUMENTS[name] ?? anything)),
  }),
);

function perform({ where, name, args }: Call): void {
  countCalls(1);
  const scope = SCOPES[where]();
  const result = (scope[name] as (...given: unknown[]) => unknown)(...args.map((make) => make()));
  if (IS_SETTER.test(name)) expect(result === scope, `${name} returns the scope`).toBe(true);
}

describe('a scope', () => {
  let stage: Stage;

  beforeAll(async () => {
    stage = await Stage.open({ tracesSampleRate: 1 });
  });
  afterAll(() => stage.close());

  it('takes whatever its methods are given, and events leave in order', { timeout: TIMEOUT_MILLIS }, async () => {
    await everyCase(
      'scopes',
      fc.asyncProperty(severalOf(call, 5), (calls) =>
        stage.play(() => {
          for (const one of calls) perform(one);
          captureMessage('under the scopes');
          captureException(new Error('under the scopes'));
          startSpan({ name: 'under the scopes' }, () => getCurrentScope().clone().getScopeData());
        }),
      ),
    );
  });

  it('has the methods that are listed here', () => {
    expect(METHODS).toEqual(expect.arrayContaining(Object.keys(ARGUMENTS)));
  });
});
