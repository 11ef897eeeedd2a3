import { describe, expect, it } from 'vitest';
import {
  addBreadcrumb,
  type ClientOptions,
  captureEvent,
  captureException,
  captureMessage,
  close,
  type Event,
  type EventHint,
  flush,
  getClient,
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  getTraceData,
  init,
  lastEventId,
  Scope,
  setTag,
  setUser,
  startSpan,
  withIsolationScope,
  withScope,
} from '../../src/index.js';
import { startReceiver } from '../support/receiver.js';
import { resetOpenTelemetry, type Stage, tell } from '../support/story.js';

const ID = /^[0-9a-f]{32}$/;

describe('a captured exception', () => {
  it('takes what the scopes have and what a hint has in one object', async () => {
    await tell(
      {},
      () => {
        const attachments = [{ filename: 'a.txt', data: 'a' }];
        const mechanism = { type: 'queue', handled: false };
        captureException(new Error('one'), { tags: { shop: 'acme' }, mechanism, attachments } as EventHint);
      },
      ({ receiver }) => {
        const [event] = receiver.events;
        expect(event.tags).toEqual({ shop: 'acme' });
        expect(event.exception.values[0].mechanism).toMatchObject({ type: 'queue', handled: false });
        expect(receiver.items('attachment')).toHaveLength(1);
      },
    );
  });

  it('takes a capture context beside members of a capture context, which win', async () => {
    await tell(
      {},
      () => {
        const tags = { shop: 'acme' };
        captureException(new Error('one'), { tags, captureContext: { tags: { shop: 'x', job: 'a' } } } as EventHint);
        captureException(new Error('two'), { tags, captureContext: (scope) => scope.setTag('job', 'b') } as EventHint);
      },
      ({ receiver }) => {
        const tags = Object.fromEntries(receiver.events.map((one) => [one.exception.values[0].value, one.tags]));
        expect(tags).toEqual({ one: { shop: 'acme', job: 'a' }, two: { shop: 'acme', job: 'b' } });
      },
    );
  });

  it('arrives with type, value, frames from the outermost call to the thrower, and the id that was returned', async () => {
    let id: string;
    await tell(
      {},
      () => {
        function thrower(): never {
          throw new TypeError('not a function');
        }
        try {
          thrower();
        } catch (error) {
          id = captureException(error);
        }
        expect(lastEventId()).toBe(id);
      },
      ({ receiver }) => {
        const [event] = receiver.events;
        expect(event.event_id).toBe(id);
        expect(event).toMatchObject({ level: 'error', platform: 'node', environment: 'production' });
        expect(event.sdk).toMatchObject({ name: 'faultline.javascript.node', version: expect.any(String) });
        const [exception] = event.exception.values;
        expect(exception).toMatchObject({
          type: 'TypeError',
          value: 'not a function',
          mechanism: { type: 'generic', handled: true },
        });
        const thrower = exception.stacktrace.frames.at(-1)!;
        expect(thrower).toMatchObject({ function: 'thrower', in_app: true });
        expect(thrower.filename).toContain('capturing.test.ts');
        expect(thrower.context_line).toContain("throw new TypeError('not a function')");
        expect(event.contexts.trace).toMatchObject({ trace_id: expect.stringMatching(ID) });
        expect(JSON.stringify(event)).not.toContain('sdkProcessingMetadata');
      },
    );
  });

  it('is followed by its causes, the oldest first', async () => {
    await tell(
      {},
      () => {
        const root = new Error('request failed', {
          cause: new Error('query failed', { cause: new Error('no route') }),
        });
        captureException(root, { mechanism: { type: 'test', handled: false } });
      },
      ({ receiver }) => {
        const { values } = receiver.events[0].exception;
        expect(values.map((one: { value: string }) => one.value)).toEqual([
          'no route',
          'query failed',
          'request failed',
        ]);
        expect(values[2].mechanism).toMatchObject({ type: 'test', handled: false, exception_id: 0 });
        expect(values[0].mechanism).toMatchObject({ type: 'chained', source: 'cause' });
      },
    );
  });

  it('is captured once, even if it is captured again', async () => {
    await tell(
      {},
      () => {
        const error = Object.freeze(new Error('once'));
        const ids = [captureException(error), captureException(error), captureEvent({}, { originalException: error })];
        expect(new Set(ids).size).toBe(3);
      },
      ({ receiver }) => expect(receiver.events).toHaveLength(1),
    );
  });

  it.each([['text'], [42], [null], [undefined], [Symbol('s')], [{ code: 1 }], [() => 1], [10n]])(
    'may be any value: %s',
    async (value) => {
      await tell(
        {},
        () => void captureException(value),
        ({ receiver }) => {
          expect(receiver.events).toHaveLength(1);
          expect(receiver.events[0].exception.values[0].value).toEqual(expect.any(String));
        },
      );
    },
  );
});

describe('a captured message', () => {
  it('has the level of the call, else that of the scope, else info', async () => {
    await tell(
      {},
      () => {
        captureMessage('plain');
        captureMessage('given', 'warning');
        withScope((scope) => {
          scope.setLevel('debug');
          captureMessage('of the scope');
          captureMessage('given wins', 'fatal');
        });
        captureMessage('context', { level: 'error', tags: { a: '1' } });
      },
      ({ receiver }) =>
        expect(Object.fromEntries(receiver.events.map((one: Event) => [one.message, one.level]))).toEqual({
          plain: 'info',
          given: 'warning',
          'of the scope': 'debug',
          'given wins': 'fatal',
          context: 'error',
        }),
    );
  });
});

describe('the id of an event made by hand', () => {
  it.each([
    ['6D1F0B6C-8F1B-4E0B-9A3C-2D5E7F901234', '6d1f0b6c8f1b4e0b9a3c2d5e7f901234'],
    ['6d1f0b6c8f1b4e0b9a3c2d5e7f901234', '6d1f0b6c8f1b4e0b9a3c2d5e7f901234'],
  ])('is sent as 32 hex characters: %s', async (event_id, expected) => {
    await tell(
      {},
      () => expect(captureEvent({ event_id, message: 'm' })).toBe(expected),
      ({ receiver }) => expect(receiver.events.map((event: Event) => event.event_id)).toEqual([expected]),
    );
  });

  it.each(['00000000-0000-0000-0000-000000000000', 'mine', '6d1f0b6c-8f1b4e0b9a3c2d5e7f901234', ''])(
    'is a new one where it is no UUID: %j',
    async (event_id) => {
      let id = '';
      await tell(
        {},
        () => {
          id = captureEvent({ event_id, message: 'm' });
        },
        ({ receiver }) => expect(receiver.events.map((event: Event) => event.event_id)).toEqual([id]),
      );
    },
  );
});

it('a fingerprint that is a string has a single part', async () => {
  await tell(
    {},
    () => captureEvent({ message: 'm', fingerprint: 'mine' as unknown as string[] }, { fingerprint: ['scope'] }),
    ({ receiver }) => expect(receiver.events).toMatchObject([{ fingerprint: ['mine', 'scope'] }]),
  );
});

it.each<[what: string, parts: unknown, kept: string[]]>([
  ['of several types', ['a', 1, true, null, {}, 10n], ['a', '1', 'true']],
  ['that is a number', 7, ['7']],
  ['of many parts', Array(60).fill('a'), Array(50).fill('a')],
  ['of a long part', ['a'.repeat(2000)], ['a'.repeat(1024)]],
])('a fingerprint %s is the same on a scope, in a capture context and in an event', async (_, parts, kept) => {
  const fingerprint = parts as string[];
  await tell(
    {},
    () => {
      withScope((scope) => scope.setFingerprint(fingerprint).captureMessage('scope'));
      captureMessage('context', { fingerprint });
      captureEvent({ message: 'event', fingerprint });
    },
    ({ receiver }) => expect(receiver.events.map((event) => event.fingerprint)).toEqual([kept, kept, kept]),
  );
});

describe('the scopes of an event', () => {
  it('merge in order: global, isolation, current, capture context, and the event itself', async () => {
    await tell(
      {},
      () => {
        getGlobalScope().setTags({ a: 'global', b: 'global', c: 'global', d: 'global', e: 'global' });
        withIsolationScope((isolation) => {
          isolation.setTags({ b: 'isolation', c: 'isolation', d: 'isolation', e: 'isolation' });
          withScope((scope) => {
            scope.setTags({ c: 'current', d: 'current', e: 'current' });
            const context = { tags: { d: 'context', e: 'context' } };
            captureEvent({ message: 'm', tags: { e: 'event' } }, { captureContext: context });
          });
        });
      },
      ({ receiver }) =>
        expect(receiver.events[0].tags).toEqual({
          a: 'global',
          b: 'isolation',
          c: 'current',
          d: 'context',
          e: 'event',
        }),
    );
  });

  it('are taken at the time of the capture', async () => {
    await tell(
      { beforeSend: async (event) => event },
      () => {
        setTag('when', 'before');
        captureMessage('m');
        setTag('when', 'after');
      },
      ({ receiver }) => expect(receiver.events[0].tags).toEqual({ when: 'before' }),
    );
  });

  it.each<[string, ClientOptions]>([
    ['without hooks', {}],
    ['with a hook', { beforeSend: (event) => event }],
    ['without normalization', { normalizeDepth: 0 }],
  ])('are taken at the time of the capture with all that is in them, %s', async (_, options) => {
    const now = () => ({ in: { it: 'before' } });
    const [extra, context, data, user] = [now(), now(), now(), { id: '1', ...now() }];
    await tell(
      options,
      () =>
        withScope((scope) => {
          scope.setExtra('a', extra).setContext('a', context).addBreadcrumb({ data }).setUser(user);
          captureException(new Error('m'));
          for (const one of [extra, context, data, user]) one.in.it = 'after';
        }),
      ({ receiver }) =>
        expect(receiver.events).toMatchObject([
          { extra: { a: now() }, contexts: { a: now() }, breadcrumbs: [{ data: now() }], user: now() },
        ]),
    );
  });

  it.each([0, 3])('stay as they are when processors and hooks change the event (normalizeDepth: %i)', async (depth) => {
    const processor = (event: Event): Event => {
      Object.assign(event.tags!, { a: 'changed' });
      Object.assign(event.user!, { id: 'changed' });
      Object.assign(event.breadcrumbs![0]!, { message: 'changed' });
      event.fingerprint!.push('changed');
      return event;
    };
    const beforeSend = (event: Event): Event => {
      Object.assign(event.extra!['a'] as object, { in: 'changed' });
      Object.assign(event.contexts!['a']!, { in: 'changed' });
      Object.assign(event.breadcrumbs![0]!.data!, { in: 'changed' });
      return event;
    };
    const scope = new Scope().setTag('a', 'b').setExtra('a', { in: 1 }).setContext('a', { in: 1 }).setUser({ id: '1' });
    scope.addBreadcrumb({ message: 'm', data: { in: 1 }, timestamp: 1 }).setFingerprint(['f']);
    scope.addEventProcessor(processor);
    const before = structuredClone({ ...scope.getScopeData(), eventProcessors: [] });
    await tell(
      { normalizeDepth: depth, beforeSend },
      () => withScope(scope, () => captureMessage('m')),
      ({ receiver }) => {
        expect(receiver.events).toMatchObject([{ tags: { a: 'changed' }, extra: { a: { in: 'changed' } } }]);
        expect({ ...scope.getScopeData(), eventProcessors: [] }).toEqual(before);
      },
    );
  });

  it.each([
    ['a partial scope', { tags: { from: 'context' } }],
    ['a scope', new Scope().setTag('from', 'context')],
    ['a callback that changes its copy', (scope: Scope) => void scope.setTag('from', 'context')],
    ['a callback that returns a scope', () => new Scope().setTag('from', 'context')],
  ])('take %s as capture context, for one event only', async (_, captureContext) => {
    await tell(
      {},
      () => {
        captureException(new Error('with'), captureContext);
        captureException(new Error('without'));
      },
      ({ receiver }) => {
        const tagsOf = (value: string) =>
          receiver.events.find((one: Event) => one.exception?.values?.[0]?.value === value)?.tags;
        expect(tagsOf('with')).toEqual({ from: 'context' });
        expect(tagsOf('without')).toBeUndefined();
      },
    );
  });

  it.each([
    ['of its own', () => new Scope()],
    ['cloned from the current one', () => getCurrentScope().clone()],
    ['that is the current one', () => getCurrentScope()],
  ])('take everything from a scope %s as capture context, each thing once', async (_, make) => {
    await tell(
      {},
      () =>
        withScope((current) => {
          const processor = (event: Event): Event => ({ ...event, logger: `${event.logger ?? ''}!` });
          current.addBreadcrumb({ message: 'current' }).addAttachment({ filename: 'current', data: 'x' });
          const context = make().addBreadcrumb({ message: 'given' }).addAttachment({ filename: 'given', data: 'x' });
          captureEvent({ message: 'm' }, context.addEventProcessor(processor).setTransactionName('GET /cart'));
        }),
      ({ receiver }) => {
        const [event] = receiver.events;
        expect(event).toMatchObject({ logger: '!', transaction: 'GET /cart' });
        expect(event.breadcrumbs.map((one: { message: string }) => one.message)).toEqual(['current', 'given']);
        expect(receiver.attachments.map(({ headers }) => headers.filename)).toEqual(['current', 'given']);
      },
    );
  });

  it('whose attachment was transferred to a worker leaves with an empty file', async () => {
    const data = new ArrayBuffer(8);
    structuredClone(data, { transfer: [data] });
    await tell(
      {},
      () => {
        getCurrentScope().addAttachment({ filename: 'gone.bin', data: data as unknown as Uint8Array });
        captureException(new Error('kept'));
      },
      ({ receiver }) => {
        expect(receiver.events.map(({ exception }) => exception?.values?.[0]?.value)).toEqual(['kept']);
        expect(receiver.attachments.map(({ headers }) => headers)).toEqual([
          { type: 'attachment', filename: 'gone.bin', length: 0 },
        ]);
      },
    );
  });

  it('carry user, breadcrumbs, attachments and fingerprint', async () => {
    await tell(
      { maxBreadcrumbs: 2 },
      () =>
        withIsolationScope((isolation) => {
          setUser({ id: 'u1', plan: 'free' });
          for (const message of ['a', 'b', 'c']) addBreadcrumb({ message });
          isolation.setFingerprint(['{{ default }}', 'mine']);
          isolation.addAttachment({ filename: 'notes.txt', data: 'grüße', contentType: 'text/plain' });
          captureMessage('m');
        }),
      ({ receiver }) => {
        const [event] = receiver.events;
        expect(event.user).toEqual({ id: 'u1', plan: 'free' });
        expect(event.breadcrumbs.map((one: { message: string }) => one.message)).toEqual(['b', 'c']);
        expect(event.fingerprint).toEqual(['{{ default }}', 'mine']);
        const [attachment] = receiver.attachments;
        expect(attachment?.headers).toMatchObject({ filename: 'notes.txt', content_type: 'text/plain', length: 7 });
      },
    );
  });

  it('have the breadcrumbs of the moment, in one event after the other and in forks', async () => {
    await tell(
      { maxBreadcrumbs: 3 },
      () => {
        const capture = (name: string) => {
          captureMessage(name);
          captureMessage(`${name} again`);
        };
        addBreadcrumb({ message: 'a' });
        capture('one');
        withIsolationScope(() => {
          addBreadcrumb({ message: 'b', level: 'log' });
          capture('fork');
        });
        capture('after the fork');
        for (const message of ['c', 'd', 'e']) addBreadcrumb({ message });
        capture('four');
        getIsolationScope().clearBreadcrumbs();
        capture('none');
      },
      ({ receiver }) => {
        const trails = receiver.events.map(({ message, breadcrumbs = [] }: Event) => [
          message,
          ...breadcrumbs.map((one) => `${one.message} ${one.level ?? ''}`),
        ]);
        const expected = [
          ['one', 'a '],
          ['fork', 'a ', 'b info'],
          ['after the fork', 'a '],
          ['four', 'c ', 'd ', 'e '],
          ['none'],
        ];
        const twice = expected.flatMap(([name, ...trail]) => [
          [name, ...trail],
          [`${name} again`, ...trail],
        ]);
        expect(trails).toEqual(twice);
      },
    );
  });

  it('of withScope apply inside its callback only', async () => {
    await tell({}, () => {
      withScope((scope) => {
        expect(getCurrentScope()).toBe(scope);
        scope.setTag('inside', '1');
      });
      expect(getCurrentScope().getScopeData().tags).toEqual({});
      withIsolationScope((isolation) => expect(getIsolationScope()).toBe(isolation));
    });
  });
});

describe('user code', () => {
  it.each([
    ['beforeSend returns null', { beforeSend: () => null }, 'before_send'],
    ['beforeSend throws', { beforeSend: () => fail() }, 'before_send'],
    ['beforeSend rejects', { beforeSend: () => Promise.reject(new Error('no')) }, 'before_send'],
    ['beforeSend returns nonsense', { beforeSend: () => 'yes' as never }, 'before_send'],
    ['the message is ignored', { ignoreErrors: [/drop/] }, 'event_processor'],
    ['the sample rate is 0', { sampleRate: 0 }, 'sample_rate'],
  ])('drops an event when %s, which is counted', async (_, options, reason) => {
    await tell(
      options,
      () => {
        expect(captureException(new Error('drop me'))).toMatch(ID);
      },
      ({ receiver }) => {
        expect(receiver.events).toEqual([]);
        expect(receiver.discards()).toEqual([{ reason, category: 'error', quantity: 1 }]);
      },
    );
  });

  it('drops an event when a processor returns null, throws or returns no event; other events are sent', async () => {
    await tell(
      {},
      () => {
        for (const processor of [() => null, () => fail(), () => 1 as never]) {
          withScope((scope) => {
            scope.addEventProcessor(processor);
            captureMessage('dropped');
          });
        }
        captureMessage('kept');
      },
      ({ receiver }) => {
        expect(receiver.events.map((one: Event) => one.message)).toEqual(['kept']);
        expect(receiver.discards()).toEqual([{ reason: 'event_processor', category: 'error', quantity: 3 }]);
      },
    );
  });

  it('changes events: processors first, in order, then beforeSend', async () => {
    await tell(
      { beforeSend: (event) => ({ ...event, message: `${event.message} 3` }) },
      () =>
        withScope((scope) => {
          scope.addEventProcessor(async (event) => ({ ...event, message: `${event.message} 1` }));
          scope.addEventProcessor((event) => ({ ...event, message: `${event.message} 2` }));
          captureMessage('m');
        }),
      ({ receiver }) => expect(receiver.events[0].message).toBe('m 1 2 3'),
    );
  });

  it('can remove spans from a transaction, which are counted', async () => {
    await tell(
      { tracesSampleRate: 1, beforeSendTransaction: (event) => ({ ...event, spans: [] }) },
      () => startSpan({ name: 'a' }, () => startSpan({ name: 'b' }, () => undefined)),
      ({ receiver }) => {
        expect(receiver.transactions[0].spans).toEqual([]);
        expect(receiver.discards()).toEqual([{ reason: 'before_send', category: 'span', quantity: 1 }]);
      },
    );
  });

  it('drops breadcrumbs by returning null or throwing', async () => {
    await tell(
      {
        beforeBreadcrumb: (breadcrumb) => {
          if (breadcrumb.message === 'throw') throw new Error('no');
          return breadcrumb.message === 'drop' ? null : breadcrumb;
        },
      },
      () =>
        withIsolationScope(() => {
          for (const message of ['keep', 'drop', 'throw']) addBreadcrumb({ message });
          captureMessage('m');
        }),
      ({ receiver }) =>
        expect(receiver.events[0].breadcrumbs.map((one: { message: string }) => one.message)).toEqual(['keep']),
    );
  });
});

describe('a client', () => {
  it('does not exist before init: all functions work without effect', async () => {
    resetOpenTelemetry();
    expect(getClient()).toBeUndefined();
    expect(captureException(new Error('a'))).toMatch(ID);
    expect(captureMessage('a')).toMatch(ID);
    expect(captureEvent({})).toMatch(ID);
    addBreadcrumb({ message: 'a' });
    setTag('a', '1');
    expect(startSpan({ name: 'a' }, () => 1)).toBe(1);
    expect(withScope(() => 2)).toBe(2);
    expect(getTraceData()).toEqual({});
    expect(await flush()).toBe(false);
    expect(await close()).toBe(false);
    getIsolationScope().clear();
  });

  it('uses data set on the global scope before init', async () => {
    getGlobalScope().setTag('early', '1');
    await tell(
      {},
      () => void captureMessage('m'),
      ({ receiver }) => expect(receiver.events[0].tags).toEqual({ early: '1' }),
    );
  });

  it.each([
    ['no DSN', {}],
    ['a malformed DSN', { dsn: 'nowhere' }],
    ['enabled: false', { enabled: false }],
  ])('sends nothing with %s, and throws nothing', async (_, options) => {
    const client = init({ tracesSampleRate: 1, ...options });
    expect(getClient()).toBe(client);
    expect(captureException(new Error('a'))).toMatch(ID);
    expect(startSpan({ name: 'a' }, () => 1)).toBe(1);
    expect(await client.flush()).toBe(true);
    expect(await client.close()).toBe(true);
    const { error } = client.ledger.balance();
    expect(error).toEqual({ captured: 1, delivered: 0, discarded: 1, queued: 0, stored: 0, recovered: 0 });
    resetOpenTelemetry();
  });

  it('through a client that a second init has closed is counted there, and its flush does not say that all was delivered', async () => {
    const story = async ({ client: first, receiver }: Stage) => {
      const second = init({ dsn: receiver.dsn });
      await first.close(2000);
      expect(await first.flush(1000)).toBe(true);
      first.captureMessage('through the first');
      expect(await first.flush(1000)).toBe(false);
      expect(first.ledger.balance().error).toMatchObject({ captured: 1, discarded: 1 });
      captureMessage('through the second');
      expect(await second.flush(2000)).toBe(true);
      expect(receiver.events.map(({ message }) => message)).toEqual(['through the second']);
      await second.close(1000);
    };
    await tell({}, () => undefined, story);
  });

  it('sends nothing after close', async () => {
    await tell(
      {},
      () => void captureMessage('before'),
      async ({ client, receiver }) => {
        expect(await client.close(2000)).toBe(true);
        expect(captureMessage('after')).toMatch(ID);
        await client.flush();
        expect(receiver.events.map((one: Event) => one.message)).toEqual(['before']);
        expect(client.ledger.balance().error).toEqual({
          captured: 2,
          delivered: 1,
          discarded: 1,
          queued: 0,
          stored: 0,
          recovered: 0,
        });
      },
    );
  });

  it('is replaced by the client of the next init', async () => {
    const receiver = await startReceiver();
    const first = init({ dsn: receiver.dsn });
    captureMessage('to the first');
    await tell({}, ({ client }) => {
      expect(getClient()).toBe(client);
      captureMessage('to the second');
    });
    expect(await first.close()).toBe(true);
    expect(receiver.events.map((one: Event) => one.message)).toEqual(['to the first']);
    await receiver.close();
  });

  it('can be created and closed a hundred times in one process', async () => {
    for (let i = 0; i < 100; i++) {
      const client = init({ tracesSampleRate: 1 });
      startSpan({ name: 'a' }, (span) => expect(span.isRecording()).toBe(true));
      await client.close();
      resetOpenTelemetry();
    }
    expect(process.listenerCount('uncaughtException')).toBeLessThan(3);
  });
});

function fail(): never {
  throw new Error('no');
}

it('a scope as capture context brings as many breadcrumbs as it keeps, in the order of their times', async () => {
  const other = new Scope();
  for (let i = 0; i < 6; i++) other.addBreadcrumb({ message: `${i}`, timestamp: 10 + i }, 5);
  await tell(
    { maxBreadcrumbs: 3 },
    () =>
      withScope((scope) => {
        scope.addBreadcrumb({ message: 'between', timestamp: 12.5 });
        captureMessage('m', other);
      }),
    ({ receiver }) => {
      const messages = receiver.events[0]!.breadcrumbs.map(({ message }) => message);
      expect(messages).toEqual(['2', 'between', '3', '4', '5']);
    },
  );
});
