import { describe, expect, it } from 'vitest';
import {
  captureException,
  captureMessage,
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  parameterize,
  Scope,
  setAttribute,
  setAttributes,
} from '../../src/index.js';
import { tell } from '../support/story.js';

const OPTIONS = { defaultIntegrations: false as const };
const BREADCRUMBS = Array.from({ length: 120 }, (_, i) => ({ message: String(i), timestamp: i + 1 }));

describe('a scope', () => {
  it('captures exceptions, messages and events with what it holds, and returns their ids', async () => {
    let ids: string[] = [];
    await tell(
      OPTIONS,
      () => {
        const scope = new Scope().setTag('shop', 'a');
        ids = [
          scope.captureException('no error'),
          scope.captureMessage('text', 'warning'),
          scope.captureEvent({ message: 'by hand' }),
        ];
      },
      ({ receiver }) => {
        const [exception, message, event] = ids.map((id) => receiver.events.find((one) => one.event_id === id));
        for (const one of [exception, message, event]) expect(one?.tags).toEqual({ shop: 'a' });
        expect(exception?.exception?.values?.[0]?.stacktrace?.frames?.length).toBeGreaterThan(0);
        expect(message).toMatchObject({ message: 'text', level: 'warning' });
        expect(event).toMatchObject({ message: 'by hand' });
      },
    );
  });

  it('captures nothing before `init`, and returns ids all the same', () => {
    const scope = new Scope();
    for (const id of [scope.captureException(1), scope.captureMessage('a'), scope.captureEvent({})]) {
      expect(id).toMatch(/^[0-9a-f]{32}$/);
    }
  });

  it('captures a message that cannot become a string, and does not throw', async () => {
    const message = {
      toString() {
        throw new Error('no');
      },
    } as unknown as string;
    await tell(
      { ...OPTIONS, attachStacktrace: true },
      () => {
        expect(new Scope().captureMessage(message)).toMatch(/^[0-9a-f]{32}$/);
      },
      ({ receiver }) => {
        expect(receiver.events).toHaveLength(1);
      },
    );
  });

  it('knows the client of `init`', async () => {
    await tell(
      OPTIONS,
      ({ client }) => {
        for (const scope of [getCurrentScope(), getIsolationScope(), getGlobalScope(), new Scope()]) {
          expect(scope.getClient()).toBe(client);
        }
      },
      () => undefined,
    );
  });

  it('forgets an attribute', () => {
    const scope = new Scope().setAttributes({ a: 1, b: 2 }).removeAttribute('a');
    expect(scope.getScopeData().attributes).toEqual({ b: 2 });
  });

  it('gets attributes from the functions of the package', async () => {
    await tell(
      OPTIONS,
      () => {
        setAttribute('a', 1);
        setAttributes({ b: true });
        expect(getIsolationScope().getScopeData().attributes).toEqual({ a: 1, b: true });
      },
      () => undefined,
    );
  });
});

describe('breadcrumbs', () => {
  it('of a scope with a limit of its own are sent up to it, also above the option', async () => {
    await tell(
      { ...OPTIONS, maxBreadcrumbs: 5 },
      () => {
        for (const breadcrumb of BREADCRUMBS) getCurrentScope().addBreadcrumb(breadcrumb, 110);
        for (const breadcrumb of BREADCRUMBS) getGlobalScope().addBreadcrumb({ ...breadcrumb, category: 'global' });
        captureMessage('a');
      },
      ({ receiver }) => {
        const own = receiver.events[0]!.breadcrumbs!.filter(({ category }) => category === undefined);
        expect(own).toHaveLength(110);
        expect(own.at(-1)?.message).toBe('119');
        expect(receiver.events[0]!.breadcrumbs).toHaveLength(115);
      },
    );
  });

  it('of several scopes are sent in the order of their times', async () => {
    await tell(
      OPTIONS,
      () => {
        getGlobalScope().addBreadcrumb({ message: 'b', timestamp: 2 });
        getIsolationScope().addBreadcrumb({ message: 'a', timestamp: 1 }).addBreadcrumb({ message: 'd', timestamp: 4 });
        getCurrentScope().addBreadcrumb({ message: 'c', timestamp: 3 });
        captureMessage('a');
      },
      ({ receiver }) =>
        expect(receiver.events[0]!.breadcrumbs!.map(({ message }) => message)).toEqual(['a', 'b', 'c', 'd']),
    );
  });
});

describe('a capture', () => {
  it('is sent as it was, when an event processor waits and the application goes on', async () => {
    await tell(
      { ...OPTIONS, normalizeDepth: 5 },
      () => {
        const state = { step: 'before', list: [{ step: 'before' }] };
        getCurrentScope()
          .setContext('state', state)
          .setExtra('state', state)
          .addEventProcessor((event) => new Promise((resolve) => setTimeout(() => resolve(event), 5)));
        captureMessage('a');
        state.step = 'after';
        state.list[0]!.step = 'after';
      },
      ({ receiver }) => {
        expect(JSON.stringify(receiver.events[0])).not.toContain('after');
        expect(receiver.events[0]!.extra).toEqual({ state: { step: 'before', list: [{ step: 'before' }] } });
      },
    );
  });

  it('keeps its stack when the hint has an undefined one', async () => {
    await tell(
      OPTIONS,
      () => void captureException('a', { syntheticException: undefined }),
      ({ receiver }) =>
        expect(receiver.events[0]!.exception!.values![0]!.stacktrace?.frames?.length).toBeGreaterThan(0),
    );
  });

  it('of a parameterized message has its template and parameters', async () => {
    await tell(
      OPTIONS,
      () => void captureMessage(parameterize`order ${7} of ${'ada'} failed 100%`),
      ({ receiver }) =>
        expect(receiver.events[0]).toMatchObject({
          message: 'order 7 of ada failed 100%',
          logentry: { message: 'order %s of %s failed 100%%', params: [7, 'ada'] },
        }),
    );
  });
});
