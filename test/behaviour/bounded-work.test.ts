import { describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  type Client,
  type ClientOptions,
  captureEvent,
  captureException,
  captureMessage,
  type Event,
  getCurrentScope,
  init,
  parameterize,
  Scope,
  setContext,
  setExtra,
  setTag,
  startSession,
  startSpan,
  withScope,
} from '../../src/index.js';
import { growthOf } from '../support/growth.js';
import { resetOpenTelemetry, tell } from '../support/story.js';

/** An object with getters, and how often each was called. */
function observed<T extends object>(members: T): { value: T; reads: Record<string, number> } {
  const reads: Record<string, number> = {};
  const value = {} as T;
  for (const [key, member] of Object.entries(members)) {
    Object.defineProperty(value, key, {
      enumerable: true,
      get() {
        reads[key] = (reads[key] ?? 0) + 1;
        return member;
      },
    });
  }
  return { value, reads };
}

const ALWAYS_READ = ['type', 'exception', 'spans'];

/** Captures an event, and returns which of its members were read, beyond what the count of discards needs. */
function membersReadOf(): string[] {
  const { value, reads } = observed({ message: 'x', extra: { a: 1 }, contexts: { b: {} }, tags: { c: 'd' }, user: {} });
  captureEvent(value);
  return Object.keys(reads).filter((name) => !ALWAYS_READ.includes(name));
}

describe('an event that cannot be sent is refused before it is read', () => {
  it('because too many wait for the destination', async () => {
    const client = init({
      dsn: 'http://key@127.0.0.1:1/1',
      defaultIntegrations: false,
      transport: () => ({ send: () => new Promise(() => undefined), flush: async () => true }),
      transportOptions: { bufferSize: 1 },
    });
    captureMessage('the destination does not answer');
    expect(membersReadOf()).toEqual([]);
    expect(client.ledger.balance()).toMatchObject({ error: { captured: 2, discarded: 1, queued: 1 } });
    await client.close(0);
    resetOpenTelemetry();
  });

  const endings: [string, ClientOptions, (client: Client) => unknown][] = [
    ['the client is closed', {}, (client) => client.close(1000)],
    ['the client is not enabled', { enabled: false }, () => undefined],
  ];
  it.each(endings)('because %s', async (_, options, end) => {
    const client = init({ dsn: 'http://key@127.0.0.1:1/1', ...options });
    await end(client);
    expect(membersReadOf()).toEqual([]);
    await client.close(0);
    resetOpenTelemetry();
  });

  it('and counts as what it would have been', async () => {
    const client = init({ dsn: 'http://key@127.0.0.1:1/1', enabled: false });
    const span = { span_id: 'a'.repeat(16), trace_id: 'b'.repeat(32), start_timestamp: 1, data: {} };
    captureEvent({ type: 'transaction', spans: [span, span] });
    expect(client.ledger.balance()).toMatchObject({ transaction: { discarded: 1 }, span: { discarded: 3 } });
    await client.close(0);
    resetOpenTelemetry();
  });
});

function andCapture(_: unknown): void {
  captureMessage('x');
}

describe.each<[string, ClientOptions]>([
  ['without hooks', {}],
  ['with beforeSend', { beforeSend: (event) => event }],
  ['without normalization', { normalizeDepth: 0 }],
])('each getter is called once, %s', (_, options) => {
  const inner = () => observed({ a: 1, list: [1], deep: { b: 2 } });

  it.each<[string, (value: object) => unknown]>([
    ['of a thrown object', (value) => captureException(value)],
    ['of a thrown object with a name', (value) => captureException(Object.assign(value, { name: 'n' }))],
    ['in extra data of an event', (value) => captureEvent({ message: 'x', extra: value as Record<string, unknown> })],
    ['in nested extra data', (value) => captureEvent({ message: 'x', extra: { value } })],
    ['in a context', (value) => captureEvent({ message: 'x', contexts: { value: value as Record<string, unknown> } })],
    ['set on a scope', (value) => andCapture(setExtra('value', value))],
    ['of a context set on a scope', (value) => andCapture(setContext('value', value as Record<string, unknown>))],
    ['in a breadcrumb', (value) => andCapture(addBreadcrumb({ message: 'b', data: { value } }))],
    ['given as a tag', (value) => andCapture(setTag('value', value as never))],
  ])('%s', async (_name, capture) => {
    const { value, reads } = inner();
    await tell(options, () => void capture(value));
    for (const count of Object.values(reads)) expect(count).toBe(1);
  });
});

it('a list of any length in place of the name, the op or the time of a span is not read', async () => {
  let reads = 0;
  const count = (list: object, key: string | symbol) => {
    if (typeof key === 'string' && /^\d+$/.test(key)) reads += 1;
    return key === 'length' ? 1_000_000 : Reflect.get(list, key);
  };
  const list = new Proxy([], { get: count }) as never;
  await tell(
    { tracesSampleRate: 1 },
    () => startSpan({ name: list, op: list, startTime: list }, () => undefined),
    ({ receiver }) => expect(receiver.transactions).toHaveLength(1),
  );
  expect(reads).toBeLessThan(10);
});

it.each<[string, ClientOptions]>([
  ['by default', {}],
  ['with beforeBreadcrumb', { beforeBreadcrumb: (breadcrumb) => breadcrumb }],
])('of a breadcrumb with 100,000 members few are read, %s', async (_, options) => {
  const { value, reads } = observed(Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, i])));
  const breadcrumb = Object.assign(value, { message: 'kept' });
  await tell(
    options,
    () => andCapture(addBreadcrumb(breadcrumb)),
    ({ receiver }) => expect(JSON.stringify(receiver.events[0]?.breadcrumbs)).toContain('"kept"'),
  );
  expect(Object.keys(reads).length).toBeLessThanOrEqual(200);
});

it.each<[string, object]>([
  ['a buffer', Buffer.alloc(1000)],
  ['a list', Array.from({ length: 1000 }, () => 0)],
  ['a string object', Object('x'.repeat(1000))],
])('nothing is copied from %s that is passed as a breadcrumb', async (_, value) => {
  await tell(
    {},
    () => andCapture(addBreadcrumb(value)),
    ({ receiver }) => {
      const members = Object.keys(receiver.events[0]?.breadcrumbs?.[0] ?? {});
      expect(members.filter((member) => member !== 'timestamp')).toEqual([]);
    },
  );
});

it('of 100,000 keys only those that are kept are read', async () => {
  const members = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, i]));
  for (const capture of [
    (value: object) => captureException(value),
    (value: object) => captureEvent({ message: 'x', extra: value as Record<string, unknown> }),
    (value: object) => captureEvent({ message: 'x', tags: value as Record<string, string> }),
    (value: object) => captureEvent({ message: 'x', contexts: { value: value as Record<string, unknown> } }),
    (value: object) => captureMessage('x', { extra: { value } }),
  ]) {
    const { value, reads } = observed(members);
    await tell({}, () => void capture(value));
    expect(Object.keys(reads).length).toBeLessThanOrEqual(10_000);
  }
}, 60_000);

describe('of 100,000 keys on a scope only those that are kept are read', () => {
  const members = Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`key${i}`, {}]));
  it.each<[string, (value: never) => unknown]>([
    ['tags', (value) => getCurrentScope().setTags(value)],
    ['extra', (value) => getCurrentScope().setExtras(value)],
    ['attributes', (value) => getCurrentScope().setAttributes(value)],
    ['contexts', (value) => getCurrentScope().setContexts(value)],
    ['metadata', (value) => getCurrentScope().setSDKProcessingMetadata(value)],
    ['user', (value) => getCurrentScope().setUser(value)],
    ['update', (value) => getCurrentScope().update({ tags: value })],
    ['update with a user', (value) => getCurrentScope().update({ user: value })],
    ['hint', (value) => captureException(new Error('x'), value)],
    ['session', (value) => startSession(value)],
  ])(
    '%s',
    async (_, set) => {
      const { value, reads } = observed(members);
      await tell({}, () => withScope(() => andCapture(set(value as never))));
      expect(Object.keys(reads).length).toBeLessThanOrEqual(10_000);
    },
    60_000,
  );
});

it('an error message of many near-tokens is cut before it is searched', async () => {
  await tell({ maxSameErrorsPerSecond: Number.POSITIVE_INFINITY }, async ({ client }) => {
    const messageOf = (count: number) => 'token=eyJaaaaaa-'.repeat(count);
    // New ones each time, as an error is captured once.
    const capture = (message: string) => {
      for (let i = 0; i < 10; i++) captureException(new Error(message));
    };
    capture('');
    await client.flush(10_000);
    // The least counts: a collection of garbage in each run of one of them happens on a busy machine.
    const growths = Array.from({ length: 3 }, () => growthOf(2 ** 12, messageOf, capture));
    expect(Math.min(...growths)).toBeLessThan(3);
  });
});

describe('an event made by hand leaves with a limited size', () => {
  const many = <T>(create: (i: number) => T): T[] => Array.from({ length: 5000 }, (_, i) => create(i));
  const long = 'x'.repeat(20_000);
  const frame = { function: long, filename: long, context_line: long, pre_context: [long], vars: { long } };
  const ids = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) };
  const cases: [string, () => Event, ((event: Event) => unknown)?][] = [
    [
      'exceptions',
      () => ({ exception: { values: many((i) => ({ type: `Error${i}`, value: long })) } }),
      ({ exception }) => expect(exception?.values?.at(-1)?.type).toBe('Error4999'),
    ],
    [
      'frames',
      () => ({
        exception: { values: [{ type: 'E', stacktrace: { frames: many((i) => ({ ...frame, lineno: i + 1 })) } }] },
      }),
      ({ exception }) => expect(exception?.values?.[0]?.stacktrace?.frames?.at(-1)?.lineno).toBe(5000),
    ],
    [
      'frames of many exceptions',
      () => ({ exception: { values: many(() => ({ type: 'E', stacktrace: { frames: [frame, frame] } })) } }),
    ],
    [
      'breadcrumbs',
      () => ({ message: 'm', breadcrumbs: many((i) => ({ category: `${i}`, message: long, data: { long } })) }),
      ({ breadcrumbs }) => expect(breadcrumbs?.at(-1)?.category).toBe('4999'),
    ],
    ['parameters', () => ({ logentry: { message: 'm', params: many(() => long) } })],
    ['fingerprint', () => ({ message: 'm', fingerprint: many(() => long) })],
    ['modules', () => ({ message: 'm', modules: Object.fromEntries(many((i) => [`m${i}`, long])) })],
    ['images', () => ({ message: 'm', debug_meta: { images: many(() => ({ long })) } })],
    [
      'links',
      () => ({ message: 'm', contexts: { trace: { ...ids, links: many(() => ({ ...ids, attributes: { long } })) } } }),
    ],
    ['contexts', () => ({ message: 'm', contexts: Object.fromEntries(many((i) => [`c${i}`, { long }])) })],
    ['unknown members', () => ({ message: 'm', ...Object.fromEntries(many((i) => [`u${i}`, long])) })],
  ];
  it.each(cases)('%s', async (_, create, expected) => {
    await tell(
      { beforeSend: (event) => event },
      () => void captureEvent(create()),
      ({ receiver }) => {
        expect(receiver.requests[0]?.body.length).toBeLessThan(1_200_000);
        expected?.(receiver.events[0] as Event);
      },
    );
  });

  it('parameters of a message', async () => {
    const strings = Object.assign(
      many(() => long),
      { raw: [] },
    );
    await tell(
      {},
      () => void captureMessage(parameterize(strings, ...many(() => long))),
      ({ receiver }) => {
        expect(receiver.requests[0]?.body.length).toBeLessThan(300_000);
      },
    );
  });
});

describe('of an event whose data has no end, no more is read than of a large one:', () => {
  const KEYS = 20_000;
  const repeat = <T>(one: T): T[] => Array.from({ length: 10_000 }, () => one);
  const ids = { trace_id: 'a'.repeat(32), span_id: 'b'.repeat(16) };
  const span = { ...ids, start_timestamp: 1, timestamp: 2 };
  let reads = 0;

  /** An object with many members, each of which is another one. */
  const endless = (): never =>
    new Proxy(
      {},
      {
        ownKeys: () => Array.from({ length: KEYS }, (_, i) => `key${i}`),
        getOwnPropertyDescriptor() {
          reads += 1;
          return { configurable: true, enumerable: true, value: 1 };
        },
        get: endless,
      },
    ) as never;
  const hole: never[] = [];
  hole.length = 2 ** 32 - 1;

  const captures: [what: string, capture: () => unknown][] = [
    ...(['request', 'exception', 'sdk', 'logentry', 'debug_meta', 'contexts', 'measurements', 'other'] as const).map(
      (name): [string, () => unknown] => [name, () => captureEvent({ [name]: endless() })],
    ),
    ['the event itself', () => captureEvent(endless())],
    ['a mechanism', () => captureException(new Error('x'), { mechanism: endless() })],
    ['data of a hint', () => captureException(new Error('x'), { data: endless() })],
    ['spans', () => captureEvent({ spans: repeat(endless()) })],
    ['data of spans', () => captureEvent({ spans: repeat({ ...span, data: endless() }) })],
    ['data of breadcrumbs', () => captureEvent({ breadcrumbs: repeat({ data: endless() }) })],
    [
      'mechanisms',
      () => captureEvent({ exception: { values: repeat({ mechanism: { type: 'x', data: endless() } }) } }),
    ],
    [
      'variables',
      () =>
        captureEvent({
          exception: { values: repeat({ stacktrace: { frames: repeat({ vars: endless() }) } }) },
        } as never),
    ],
    [
      'links',
      () => captureEvent({ contexts: { trace: { ...ids, links: repeat({ ...ids, attributes: endless() }) } } }),
    ],
    ['holes', () => captureEvent({ spans: repeat({ ...span, data: {}, links: hole }) })],
  ];
  it.each(captures)('%s', async (_, capture) => {
    reads = 0;
    await tell({}, () => void capture());
    expect(reads / KEYS).toBeLessThan(60);
  });

  it('few objects that come often', async () => {
    const { value, reads: ofEach } = observed(
      Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, i])),
    );
    const shared = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`key${i}`, value]));
    await tell({}, () => {
      captureEvent({ message: 'measurements', measurements: shared as never });
      captureEvent({ message: 'spans', spans: Array.from({ length: 200 }, () => shared) as never });
    });
    expect(Object.values(ofEach).reduce((sum, count) => sum + count, 0)).toBeLessThan(1_000_000);
  });

  it('a string in place of metadata', async () => {
    const prepare = (size: number) => ({ sdkProcessingMetadata: 'x'.repeat(size) }) as never;
    await tell({}, () => {
      expect(growthOf(500_000, prepare, (event: Event) => captureEvent(event))).toBeLessThan(4);
    });
  });

  it('what the event is about stays, and spans that are left out are counted', async () => {
    const values = [{ type: 'Error', value: 'kept' }];
    await tell(
      {},
      () => {
        captureEvent({ contexts: endless(), request: endless(), exception: { values } });
        captureEvent({
          type: 'transaction',
          start_timestamp: 1,
          contexts: { trace: ids },
          spans: repeat({ ...span, data: {}, origin: 'x'.repeat(16_000) }) as never,
        });
      },
      ({ receiver }) => {
        expect(receiver.events[0]?.exception.values).toMatchObject(values);
        const { length } = receiver.transactions[0]!.spans;
        expect(length).toBeGreaterThan(100);
        expect(receiver.discardedTotal('buffer_overflow', 'span')).toBe(10_000 - length);
      },
    );
  });
});

describe('adding to a list or a map takes as long for the last as for the first:', () => {
  // With a copy for each, these would take minutes.
  const numbers = Array.from({ length: 200_000 }, (_, i) => i);
  const processor = (event: Event) => event;
  const attachment = { filename: 'a.txt', data: 'a' };
  const fill = (scope: Scope) => {
    for (const _ of numbers) scope.addEventProcessor(processor).addAttachment(attachment);
    return scope;
  };

  it('event processors and attachments of a scope', () => {
    const scope = fill(new Scope());
    expect(scope.getScopeData().eventProcessors).toHaveLength(numbers.length);
    expect(scope.getScopeData().attachments).toHaveLength(numbers.length);
  }, 60_000);

  it('those that a scope takes over from another', () => {
    const other = fill(new Scope());
    const scope = fill(other.clone())
      .update(other)
      .update(new Scope().addEventProcessor(() => null));
    expect(scope.getScopeData().eventProcessors).toHaveLength(2 * numbers.length + 1);
  }, 60_000);

  it('metadata of a scope', () => {
    const scope = new Scope();
    for (const i of numbers) scope.setSDKProcessingMetadata({ [`key${i}`]: i });
    expect(Object.keys(scope.getScopeData().sdkProcessingMetadata)).toHaveLength(numbers.length);
  }, 60_000);

  it('event processors and handlers of a client', async () => {
    await tell({}, ({ client }) => {
      let calls = 0;
      for (const _ of numbers) client.on('flush', () => (calls += 1));
      for (const _ of numbers) client.addEventProcessor(processor);
      client.emit('flush');
      expect(calls).toBe(numbers.length);
    });
  }, 60_000);

  it('a clone, and an event that was captured before, get nothing of what is added later', async () => {
    await tell(
      {},
      () =>
        withScope((scope) => {
          scope.addAttachment(attachment).setSDKProcessingMetadata({ a: { b: 1 } });
          const clone = scope.clone();
          captureMessage('with one attachment');
          scope.addAttachment(attachment).addEventProcessor(() => null);
          scope.setSDKProcessingMetadata({ a: { c: 2 } });
          expect(clone.getScopeData()).toMatchObject({ eventProcessors: [], sdkProcessingMetadata: { a: { b: 1 } } });
          expect(scope.getScopeData()).toMatchObject({ sdkProcessingMetadata: { a: { b: 1, c: 2 } } });
          expect(clone.getScopeData().attachments).toHaveLength(1);
        }),
      ({ receiver }) => expect(receiver.attachments).toHaveLength(1),
    );
  });
});

it('of an attachment whose data is a list, the first 10,000 elements are sent with each event', async () => {
  let reads = 0;
  const get = (_: unknown, key: string | symbol) => {
    reads += 1;
    return key === 'length' ? 1_000_000 : undefined;
  };
  await tell(
    {},
    () => {
      getCurrentScope().addAttachment({ filename: 'rows.json', data: new Proxy([], { get }) as never });
      for (const text of ['first', 'second']) captureMessage(text);
    },
    ({ receiver }) => {
      expect(reads).toBeLessThan(100_000);
      const rows = receiver.attachments.map(({ payload }) => JSON.parse(payload.toString()));
      expect(rows.map((list) => [list.length, list.at(-1)])).toEqual([
        [10_001, '[MaxProperties ~]'],
        [10_001, '[MaxProperties ~]'],
      ]);
    },
  );
});

describe('a list that user code throws, or hands in as a message, is not read:', () => {
  /** Counts the entries that are read of a list that says that it is long. */
  function longList() {
    let reads = 0;
    const list = new Proxy(['only'], {
      get(target, key) {
        if (key === 'length') return 1e5;
        if (typeof key === 'string' && /^\d+$/.test(key)) reads++;
        return Reflect.get(target, key);
      },
    });
    return { list, reads: () => reads };
  }
  const thrown = (list: unknown) => () => {
    throw list;
  };

  it.each<[what: string, act: (list: unknown) => Promise<unknown>]>([
    ['beforeSend', (list) => tell({ beforeSend: thrown(list) }, () => captureMessage('x'))],
    ['an event processor that rejects', (list) => tell({}, () => processed(() => Promise.reject(list)))],
    ['beforeBreadcrumb', (list) => tell({ beforeBreadcrumb: thrown(list) }, () => addBreadcrumb({ message: 'x' }))],
    ['tracesSampler', (list) => tell({ tracesSampler: thrown(list) }, () => startSpan({ name: 'x' }, () => undefined))],
    [
      'beforeSendSpan',
      (list) =>
        tell({ tracesSampleRate: 1, beforeSendSpan: thrown(list) }, () => startSpan({ name: 'x' }, () => undefined)),
    ],
  ])('%s', async (_, act) => {
    const { list, reads } = longList();
    await act(list);
    expect(reads()).toBe(0);
  });

  it('a message of a scope', async () => {
    const { list, reads } = longList();
    await tell({ attachStacktrace: true }, () => getCurrentScope().captureMessage(list as never));
    expect(reads()).toBeLessThan(2000);
  });

  function processed(processor: () => Promise<never>): void {
    withScope((scope) => {
      scope.addEventProcessor(processor);
      captureMessage('x');
    });
  }
});
