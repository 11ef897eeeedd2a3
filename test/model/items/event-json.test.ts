import { describe, expect, it } from 'vitest';
import { DefaultClient } from '../../../src/client.js';
import { readOpenTelemetryStatus } from '../../../src/diagnosis/status.js';
import { getDefaultIntegrations } from '../../../src/integrations/default.js';
import { Emitter } from '../../../src/internal/emitter.js';
import { stringify } from '../../../src/internal/values/json.js';
import type { ClientHooks, Integration } from '../../../src/model/contracts.js';
import { Ledger } from '../../../src/model/delivery/ledger.js';
import type { Breadcrumb } from '../../../src/model/event/breadcrumb.js';
import { declareConstant } from '../../../src/model/event/constant-context.js';
import type { Event, TransactionEvent } from '../../../src/model/event/event.js';
import { isShared } from '../../../src/model/event/shared-parts.js';
import { measureEvent, stringifyEvent } from '../../../src/model/items/event-json.js';
import type { Options } from '../../../src/model/options.js';
import { Scope } from '../../../src/model/scope/scope.js';
import { resolveOptions } from '../../../src/options.js';
import { breadcrumb as hostileBreadcrumb, event as hostileEvent, scopeValues } from '../../fuzz/resources.js';
import fc from '../../support/fast-check.js';

const SEED = 12;
/** Not a word of this file, whose lines are in the events. */
const mark = 'changed'.toUpperCase();

/** A client with the default integrations, and the payloads that left it. */
function createRecorder(options: Options = {}, added: Integration[] = []) {
  const settings = resolveOptions({ integrations: added.length > 0 ? added : undefined, ...options }, {});
  const payloads: Event[] = [];
  const client = new DefaultClient({
    settings,
    dsn: undefined,
    ledger: new Ledger(),
    hooks: new Emitter<ClientHooks>(),
    outbox: {
      send: (items) => payloads.push(...items.map(({ content }) => content[1] as Event)),
      isFull: () => false,
      flush: async () => true,
      storeUnsent: () => undefined,
      flushRest: () => Promise.resolve(),
      hasStored: () => false,
      close: () => undefined,
    },
    integrations: [...getDefaultIntegrations(settings), ...added],
    readOpenTelemetryStatus,
  });
  return { client, payloads };
}

const BREADCRUMBS: readonly Breadcrumb[] = [
  { message: 'flat', category: 'query', data: { rows: 1, ok: true, nothing: null, absent: undefined } },
  { message: 'nested', data: { list: [1, { a: { b: { c: 1 } } }], text: 'x'.repeat(20_000) } },
  { message: 'a console message', category: 'console', level: 'log', data: { arguments: ['a', 1], logger: 'console' } },
  { message: 'umlauts ü, emoji 🙂, half of one \ud83d, \u2028 and "quotes"', level: 'warning' },
  { message: 'names', data: JSON.parse('{"__proto__":{"a":1},"toJSON":1,"constructor":"x"}') },
  { message: 'numbers', timestamp: 1.5, data: { nan: Number.NaN, big: 12n, negative: -0, date: new Date(0) } },
  {},
];

function createScope(): Scope {
  const scope = new Scope();
  for (let i = 0; i < 3; i++) for (const one of BREADCRUMBS) scope.addBreadcrumb(one);
  scope.setTags({ plan: 'team', count: 3, ok: true });
  scope.setContexts({ order: { id: 7 }, os: { name: 'mine' }, __proto__: { a: 1 } });
  return scope;
}

const TRACE = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) };
const TRANSACTION: TransactionEvent = {
  type: 'transaction',
  transaction: 'GET /',
  start_timestamp: 1,
  timestamp: 2,
  contexts: { trace: TRACE },
  spans: [{ ...TRACE, start_timestamp: 1, timestamp: 2, data: { 'svc.op': 'db' } }],
};

/** Captures each kind of event several times, because shared parts are made by the first one that has them. */
async function recordCorpus(options: Options = {}, added: Integration[] = []): Promise<Event[]> {
  const { client, payloads } = createRecorder(options, added);
  const scope = createScope();
  for (let i = 0; i < 3; i++) {
    client.captureException(new Error(`failed ${i}`, { cause: new TypeError('cause') }), undefined, scope);
    client.captureException({ not: 'an error', i }, undefined, scope);
    client.captureMessage(`message ${i}`, 'info', {}, new Scope());
    client.captureMessage(`message ${i}`, undefined, {}, scope);
    client.captureEvent({ message: 'by hand', breadcrumbs: [...BREADCRUMBS], sdk: { name: 'mine' } }, {}, scope);
    client.captureEvent({ message: 'with modules', modules: { a: '1.0.0' }, level: 'log' }, {}, scope);
    client.captureTransaction({ ...TRANSACTION });
    // The first ones wait for source lines.
    await client.flush();
    scope.addBreadcrumb({ message: `between ${i}`, data: { i } });
  }
  return payloads;
}

/** @returns how many of the payloads have shared parts */
function expectSameJson(payloads: readonly Event[]): number {
  for (const payload of payloads) {
    const { text, bytes } = measureEvent(payload);
    expect(JSON.parse(text)).toEqual(JSON.parse(stringify(payload)));
    expect(bytes).toBe(Buffer.byteLength(text));
  }
  return payloads.filter((payload) => isShared(payload.breadcrumbs)).length;
}

describe('the JSON of an event is that of JSON.stringify', () => {
  it('with the default options, where events share parts', async () => {
    const payloads = await recordCorpus();
    expect(payloads).toHaveLength(21);
    expect(expectSameJson(payloads)).toBeGreaterThan(5);
  });

  it.each<[what: string, options: Options, added?: Integration[]]>([
    ['a hook that changes nothing', { beforeSend: (event) => event, beforeSendTransaction: (event) => event }],
    ['little depth and breadth', { normalizeDepth: 1, normalizeMaxBreadth: 2 }],
    ['no normalization', { normalizeDepth: 0 }],
    ['few breadcrumbs', { maxBreadcrumbs: 3 }],
    ['custom scrubbing', { scrubbing: { fields: ['rows'], patterns: [/flat|failed/] } }],
    ['an integration that changes what it gets', {}, [createVandal()]],
  ])('with %s', async (_, options, added = []) => {
    expectSameJson(await recordCorpus(options, added));
  });

  it('whatever the application puts into it', async () => {
    const { client, payloads } = createRecorder();
    const sampleOf = <T>(arbitrary: fc.Arbitrary<() => T>) =>
      fc.sample(arbitrary, { seed: SEED, numRuns: 100 }).map((make) => make());
    for (const event of sampleOf(hostileEvent)) client.captureEvent(event as Event);
    const scope = new Scope();
    for (const one of sampleOf(hostileBreadcrumb)) scope.addBreadcrumb(one as Breadcrumb);
    for (const one of sampleOf(scopeValues.map)) scope.setExtras(one as Record<string, unknown>);
    for (let i = 0; i < 3; i++) client.captureException(new Error('with a hostile scope'), {}, scope);
    await client.flush();
    expect(payloads.length).toBeGreaterThan(50);
    expect(expectSameJson(payloads)).toBeGreaterThan(0);
  });

  it('when the data of breadcrumbs exceeds the size of an event', async () => {
    const { client, payloads } = createRecorder();
    const scope = new Scope();
    for (let i = 0; i < 100; i++) scope.addBreadcrumb({ message: `${i}`, data: { text: 'x'.repeat(10_000) } });
    const extra = { rows: Array.from({ length: 20 }, () => 'y'.repeat(10_000)) };
    for (const captureContext of [{}, { extra }, {}]) client.captureMessage('large', 'info', { captureContext }, scope);
    await client.flush();
    expectSameJson(payloads);
    const [first, second, third] = payloads.map((payload) => stringifyEvent(payload).split('x'.repeat(10_000)).length);
    expect(second).toBeLessThan(first!);
    expect(third).toBe(first);
  });
});

/** Changes all that it can reach, in place. */
function createVandal(): Integration {
  const vandalize = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const member of Object.values(value)) vandalize(member);
    Object.assign(value, { vandalized: true });
  };
  return {
    name: 'Vandal',
    processEvent(event) {
      vandalize(event.sdk);
      vandalize(event.breadcrumbs);
      vandalize(event.contexts?.['otel']);
      return event;
    },
    enrichEvent: (event) => vandalize(event),
  };
}

describe('a context that never changes', () => {
  const createContext = () => ({
    resource: {
      'host.name': 'a',
      list: ['a', 'b'],
      deep: { b: { c: { d: 1 } } },
      half: '\ud83d',
      long: 'x'.repeat(20_000),
    },
  });

  it.each<[what: string, options?: Options, added?: Integration[]]>([
    ['the default options'],
    ['hooks that change nothing', { beforeSendTransaction: (event) => event, beforeSendSpan: (span) => span }],
    ['little depth and breadth', { normalizeDepth: 1, normalizeMaxBreadth: 2 }],
    ['much depth', { normalizeDepth: 9 }],
    ['no normalization', { normalizeDepth: 0 }],
    ['custom scrubbing', { scrubbing: { fields: ['host.name'], patterns: [/b/] } }],
    ['an integration that changes what it gets', {}, [createVandal()]],
  ])('is sent like any other, with %s', async (_, options, added) => {
    const { client, payloads } = createRecorder(options, added);
    const constant = declareConstant(createContext());
    for (const otel of [createContext(), constant, constant, constant]) {
      client.captureTransaction({ ...TRANSACTION, contexts: { trace: TRACE, otel } });
    }
    await client.flush();
    const [expected, ...sent] = payloads.map((payload) => JSON.parse(stringifyEvent(payload)).contexts.otel);
    expect(expected).toBeDefined();
    expect(sent).toEqual([expected, expected, expected]);
    expect(constant).toEqual(createContext());
  });

  it('is cut where there is no room for it, and whole in the next event', async () => {
    const { client, payloads } = createRecorder();
    const otel = declareConstant({ resource: { text: 'x'.repeat(10_000) } });
    const full = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [`context ${i}`, { text: 'y'.repeat(16_000) }]),
    );
    const capture = (contexts: object) =>
      client.captureTransaction({ ...TRANSACTION, contexts: { ...contexts, trace: TRACE, otel } });
    for (const contexts of [full, {}, full, {}]) capture(contexts);
    await client.flush();
    const counts = payloads.map((payload) => stringifyEvent(payload).split('x'.repeat(10_000)).length - 1);
    expect(counts).toEqual([0, 1, 0, 1]);
  });
});

describe('what user code changes in an event', () => {
  it('is in that event and in no other', async () => {
    const { client, payloads } = createRecorder();
    const scope = createScope();
    const capture = async (i: number) => {
      client.captureException(new Error(`failed ${i}`), {}, scope);
      await client.flush();
    };
    await capture(0);
    await capture(1);
    const stop = client.on('beforeSendEvent', (event) => {
      event.breadcrumbs![0]!.message = mark;
      event.exception!.values![0]!.stacktrace!.frames![0]!.context_line = mark;
      event.contexts!['app']!['app_start_time'] = mark;
      event.sdk!.integrations!.push(mark);
      event.modules![mark] = '1.0.0';
    });
    await capture(2);
    stop();
    await capture(3);
    const counts = payloads.map((payload) => stringifyEvent(payload).split(mark).length - 1);
    expect(counts).toEqual([0, 0, 5, 0]);
  });
});
