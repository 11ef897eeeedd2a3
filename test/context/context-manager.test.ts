import { context, ROOT_CONTEXT } from '@opentelemetry/api';
import { afterEach, expect, it } from 'vitest';
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
