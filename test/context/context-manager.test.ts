import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { afterEach, describe, expect, it } from 'vitest';
import { FaultlineContextManager, getCurrentScope, getIsolationScope, withIsolationScope } from '../../src/index.js';
import { resetOpenTelemetry } from '../support/story.js';

afterEach(resetOpenTelemetry);

const tagOf = () => getCurrentScope().snapshot().tags['tag'];

it('a context that is attached has a scope of its own until it is detached', () => {
  const manager = new FaultlineContextManager();
  context.setGlobalContextManager(manager.enable());
  withIsolationScope((isolation) => {
    getCurrentScope().setTag('tag', 'outer');
    for (const attached of [context.active(), ROOT_CONTEXT]) {
      const token = manager.attach(attached);
      expect(getIsolationScope()).toBe(isolation);
      expect(tagOf()).toBe('outer');
      getCurrentScope().setTag('tag', 'attached');
      expect(tagOf()).toBe('attached');
      token.dispose();
      expect(tagOf()).toBe('outer');
    }
  });
});

describe('a FaultlineContextManager that the API has refused', () => {
  it('changes nothing: what is set in one isolation scope does not reach another', () => {
    context.disable();
    context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
    expect(context.setGlobalContextManager(new FaultlineContextManager().enable())).toBe(false);
    // Instrumentation handles each request in a context of its own, which is empty.
    const handle = (id: string) =>
      context.with(ROOT_CONTEXT, () => {
        const before = getIsolationScope().getScopeData().tags['id'];
        getIsolationScope().setTag('id', id);
        return before;
      });
    expect([withIsolationScope(() => handle('1')), withIsolationScope(() => handle('2'))]).toEqual([
      undefined,
      undefined,
    ]);
    expect(getIsolationScope().getScopeData().tags).toEqual({});
    context.disable();
  });
});
