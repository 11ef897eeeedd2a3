import { describe, expect, it } from 'vitest';
import { Scope } from '../../../src/model/scope/scope.js';
import fc from '../../support/fast-check.js';

describe('a scope', () => {
  it('returns itself from every setter', () => {
    const scope = new Scope();
    const propagation = scope.getPropagationContext();
    const results = [
      scope.setUser({ id: '1' }),
      scope.setTag('a', 1),
      scope.setTags({ b: 2 }),
      scope.setExtra('a', 1),
      scope.setExtras({ b: 2 }),
      scope.setContext('a', { x: 1 }),
      scope.setContexts({ b: { x: 1 } }),
      scope.setLevel('info'),
      scope.setFingerprint(['a']),
      scope.addBreadcrumb({ message: 'a' }),
      scope.clearBreadcrumbs(),
      scope.addEventProcessor((event) => event),
      scope.addAttachment({ filename: 'a', data: 'b' }),
      scope.setPropagationContext(propagation),
      scope.clear(),
    ];
    expect(results.every((result) => result === scope)).toBe(true);
  });

  it('shares nothing with its clone from the first write on', () => {
    const scope = new Scope().setTag('shared', 1).setExtra('shared', 1).addBreadcrumb({ message: 'shared' });
    const clone = scope.clone();
    scope.setTag('own', 'original').addBreadcrumb({ message: 'original' });
    clone.setTag('own', 'clone').setUser({ id: 'clone' });
    const [original, copy] = [scope.getScopeData(), clone.getScopeData()];
    expect(original.tags).toEqual({ shared: 1, own: 'original' });
    expect(copy.tags).toEqual({ shared: 1, own: 'clone' });
    expect(original.user).toEqual({});
    expect(original.breadcrumbs.map(({ message }) => message)).toEqual(['shared', 'original']);
    expect(copy.breadcrumbs.map(({ message }) => message)).toEqual(['shared']);
  });

  it('belongs to the same trace as its clone, also when nobody asked before the cloning', () => {
    const scope = new Scope();
    const clone = scope.clone();
    expect(clone.getPropagationContext()).toEqual(scope.getPropagationContext());
  });

  it('hands out data that later writes do not change', () => {
    const scope = new Scope().setTag('a', 1);
    const { tags } = scope.getScopeData();
    scope.setTag('a', 2);
    expect(tags).toEqual({ a: 1 });
  });

  it.each([
    [{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16) }],
    [{ traceId: 'a'.repeat(32), sampleRand: 0.5, parentSpanId: 'c'.repeat(16), sampled: false, dsc: { release: 'r' } }],
  ])('gives back the propagation context that it was given: %o', (given) => {
    expect(new Scope().setPropagationContext(given).getPropagationContext()).toStrictEqual(given);
  });

  it.each<[given: unknown, kept: string[]]>([
    [
      ['a', 1, undefined, {}],
      ['a', '1'],
    ],
    ['a', ['a']],
    [undefined, []],
  ])('makes a fingerprint of %o', (given, kept) => {
    const fingerprint = given as string[];
    expect(new Scope().setFingerprint(fingerprint).getScopeData().fingerprint).toEqual(kept);
    expect(new Scope().update({ fingerprint }).getScopeData().fingerprint).toEqual(kept);
  });

  it('is without a user after setUser(null)', () => {
    expect(new Scope().setUser({ id: '1' }).setUser(null).getUser()).toBeUndefined();
  });

  it('is without a context after setContext(key, null)', () => {
    const scope = new Scope().setContext('os', { name: 'x' }).setContext('os', null);
    expect(scope.getScopeData().contexts).toEqual({});
  });

  it('gives its clone the id of its last event, and forgets it with everything else', () => {
    const scope = new Scope().setLastEventId('first');
    const clone = scope.clone().clone();
    scope.setLastEventId('second');
    expect([scope.lastEventId(), clone.lastEventId()]).toEqual(['second', 'first']);
    expect([scope.clear().lastEventId(), clone.lastEventId()]).toEqual([undefined, 'first']);
  });

  it('keeps the client through clear, empties everything else and begins a new trace', () => {
    const scope = new Scope().setTag('a', 1).addEventProcessor((event) => event);
    const { traceId } = scope.getPropagationContext();
    const data = scope.clear().getScopeData();
    expect(data).toMatchObject({ tags: {}, eventProcessors: [], breadcrumbs: [], fingerprint: [] });
    expect(data.propagationContext.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect(data.propagationContext.traceId).not.toBe(traceId);
  });

  it('keeps a tag named __proto__ as a tag', () => {
    const scope = new Scope().setTag('__proto__', 'x');
    expect(Object.getPrototypeOf(scope.getScopeData().tags)).toBe(Object.prototype);
    expect(Object.hasOwn(scope.getScopeData().tags, '__proto__')).toBe(true);
  });

  it('keeps a tag named __proto__ also beside one whose getter throws', () => {
    const tags = JSON.parse('{"__proto__":{"polluted":true}}') as object;
    Object.defineProperty(tags, 'bad', { enumerable: true, get: () => expect.fail() });
    const { tags: read } = new Scope().setTags(tags as never).getScopeData();
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
    expect((read as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('loses one property to a getter that throws, and not the others', () => {
    const tags = {
      good: 1,
      get bad(): number {
        throw new Error('no');
      },
    };
    expect(new Scope().setTags(tags).getScopeData().tags).toEqual({ good: 1 });
  });

  it.each([null, undefined, 1, 'text'])('ignores %s where an object belongs', (value) => {
    const scope = new Scope();
    scope.setTags(value as never).addBreadcrumb(value as never);
    expect(scope.getScopeData()).toMatchObject({ breadcrumbs: [] });
  });

  describe('updated by a capture context', () => {
    it('merges maps by key and replaces the rest', () => {
      const scope = new Scope().setTags({ a: 1, b: 1 }).setUser({ id: '1' }).setLevel('info');
      scope.update({ tags: { b: 2 }, user: { email: 'x@example.com' }, level: 'fatal', fingerprint: ['f'] });
      expect(scope.getScopeData()).toMatchObject({
        tags: { a: 1, b: 2 },
        user: { email: 'x@example.com' },
        level: 'fatal',
        fingerprint: ['f'],
      });
    });

    it('takes over a scope, and what a function returns', () => {
      const other = new Scope().setTag('from', 'scope');
      expect(new Scope().update(other).getScopeData().tags).toEqual({ from: 'scope' });
      expect(new Scope().update(() => ({ tags: { from: 'function' } })).getScopeData().tags).toEqual({
        from: 'function',
      });
      expect(new Scope().update((scope) => void scope.setTag('from', 'inside')).getScopeData().tags).toEqual({
        from: 'inside',
      });
    });
  });
});

describe('breadcrumbs of a scope', () => {
  it('are the newest, as many as the last call allows, and never come back', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 12 }), { maxLength: 60 }), (limits) => {
        const scope = new Scope();
        let expected: number[] = [];
        limits.forEach((limit, i) => {
          scope.addBreadcrumb({ message: String(i) }, limit);
          if (limit > 0) expected = [...expected, i].slice(-limit);
        });
        expect(scope.getScopeData().breadcrumbs.map(({ message }) => Number(message))).toEqual(expected);
        expect(scope.getLastBreadcrumb()?.message).toBe(expected.length > 0 ? String(expected.at(-1)) : undefined);
      }),
    );
  });

  it('are 100 without a limit', () => {
    const scope = new Scope();
    for (let i = 0; i < 150; i++) scope.addBreadcrumb({ message: String(i) });
    const { breadcrumbs } = scope.getScopeData();
    expect(breadcrumbs).toHaveLength(100);
    expect(breadcrumbs[0]?.message).toBe('50');
  });

  it('get the present time where they have none, and keep the time they have', () => {
    const before = Date.now() / 1000;
    const scope = new Scope().addBreadcrumb({ message: 'now' }).addBreadcrumb({ message: 'then', timestamp: 1 });
    const [now, then] = scope.getScopeData().breadcrumbs;
    expect(now?.timestamp).toBeGreaterThanOrEqual(before);
    expect(then?.timestamp).toBe(1);
  });

  it('have messages of 2048 characters at most, none of them half of a pair', () => {
    const scope = new Scope().addBreadcrumb({ message: `${'x'.repeat(2047)}🙂 and more` });
    expect(scope.getLastBreadcrumb()?.message).toBe(`${'x'.repeat(2047)}...`);
  });

  it('are copied, so that changing them afterwards changes nothing', () => {
    const breadcrumb = { message: 'a' };
    const scope = new Scope().addBreadcrumb(breadcrumb);
    breadcrumb.message = 'b';
    expect(scope.getLastBreadcrumb()?.message).toBe('a');
  });
});

it('metadata whose members throw is merged with what can be read of it', () => {
  const scope = new Scope();
  const unreadable = Object.defineProperty({ a: 1 }, 'b', {
    enumerable: true,
    get() {
      throw new Error('no');
    },
  });
  for (const own of [unreadable, { c: 2 }, unreadable]) scope.setSDKProcessingMetadata({ own });
  expect(scope.getScopeData().sdkProcessingMetadata).toMatchObject({ own: { a: 1, c: 2 } });
});
