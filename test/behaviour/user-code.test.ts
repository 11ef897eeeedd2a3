import { setImmediate } from 'node:timers/promises';
import { context, DiagLogLevel, diag, TraceFlags, trace } from '@opentelemetry/api';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import {
  type Client,
  captureException,
  captureMessage,
  getCurrentScope,
  init,
  type Options,
  openTelemetry,
  setContext,
  spanToJSON,
  startSpan,
  withScope,
} from '../../src/index.js';
import { runScript } from '../integrations/run-script.js';
import { startReceiver } from '../support/receiver.js';
import { stderrOf } from '../support/stderr-of.js';
import { resetOpenTelemetry, tell } from '../support/story.js';

afterEach(resetOpenTelemetry);

it('an error whose message throws is captured with what can be read', async () => {
  const error = new TypeError('x');
  // V8 makes the stack when it is first read, and calls the getter for that.
  expect(error.stack).toContain('user-code.test');
  Object.defineProperty(error, 'message', {
    get() {
      throw new Error('no');
    },
  });
  await tell(
    {},
    () => captureException(error),
    ({ receiver }) => {
      expect(receiver.events).toHaveLength(1);
      const [exception] = receiver.events[0]?.exception?.values ?? [];
      expect(exception).toMatchObject({ type: 'TypeError', value: '[message cannot be read]' });
      expect(exception?.stacktrace?.frames?.at(-1)?.filename).toContain('user-code.test');
    },
  );
});

it('nested data of a scope is sent as it was at the capture, when an event processor takes its time', async () => {
  const job = { step: { state: 'before' } };
  await tell(
    {},
    () => {
      getCurrentScope().addEventProcessor(async (event) => {
        await new Promise((resolve) => setTimeout(resolve, 10));
        return event;
      });
      setContext('job', job);
      captureMessage('x');
      job.step.state = 'after';
    },
    ({ receiver }) => expect(receiver.events[0]?.contexts).toMatchObject({ job: { step: { state: 'before' } } }),
  );
});

describe('a getter whose promise rejects does not end the process', () => {
  const make = '({ get late() { return Promise.reject(new Error("no")); } })';
  const inSpans = (change: string) => `import { flush, init, startSpan } from 'faultline';
    init({ tracesSampleRate: 1 });
    startSpan({ name: 'root' }, (root) => startSpan({ name: 'child' }, (child) => { ${change} }));
    await flush(5000);`;
  const inEvents = (capture: string, options = '') => `import * as faultline from 'faultline';
    const error = new Error('x');
    error.stack;
    faultline.init({ ${options} });
    ${capture};
    await faultline.flush(5000);`;
  const captureMessage = 'faultline.captureMessage("x")';

  it.each([
    ['within an attribute of a root', inSpans(`root.attributes.job = ${make};`)],
    ['within an attribute of a child', inSpans(`child.attributes.job = ${make};`)],
    [
      'of what beforeSend returns',
      inEvents(captureMessage, `beforeSend: (event) => ({ ...event, get tags() { return Promise.reject(1); } })`),
    ],
    [
      'of what an event processor returns',
      inEvents(
        `faultline.addEventProcessor((event) => ({ ...event, get tags() { return Promise.reject(1); } })); ${captureMessage}`,
      ),
    ],
    // Tags that are objects are named on stderr.
    [
      'of the data of a scope',
      inEvents(`faultline.setTags(${make}); faultline.setUser(${make}); ${captureMessage}`, 'quiet: true'),
    ],
    [
      'of a proxy',
      inEvents(
        `faultline.setTags(new Proxy({ late: 1 }, { get: () => Promise.reject(1) })); ${captureMessage}`,
        'quiet: true',
      ),
    ],
    ['of an event', inEvents('faultline.captureEvent({ get tags() { return Promise.reject(1); } })')],
    [
      'of an error',
      inEvents(
        `Object.defineProperty(error, 'message', { get: () => Promise.reject(1) }); faultline.captureException(error)`,
      ),
    ],
  ])('%s', async (_, source) => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const { status, stderr } = await runScript(source, { env: { FAULTLINE_DSN: receiver.dsn } });
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect([...receiver.transactions, ...receiver.events]).toHaveLength(1);
  });
});

it('a list of span processors whose length throws is a list without any', () => {
  const spanProcessors = new Proxy([], {
    get() {
      throw new Error('no');
    },
  });
  expect(openTelemetry({ spanProcessors }).spanProcessors).toHaveLength(1);
});

describe('a hook that never answers', () => {
  const hanging: Options = {
    beforeSend: (event) => (event.message === 'hangs' ? new Promise(() => undefined) : event),
  };

  it.each(['close', 'flush'] as const)('holds up no other event when %s has a timeout', async (end) => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const client = init({ dsn: receiver.dsn, transportOptions: { store: false }, ...hanging })!;
    captureMessage('hangs');
    captureMessage('later');
    expect(await client[end](1000)).toBe(false);
    expect(receiver.events).toMatchObject([{ message: 'later' }]);
    await client.close(0);
  });

  it('is given up by `close`, which reports that', async () => {
    const receiver = await startReceiver();
    onTestFinished(() => receiver.close());
    const client = init({ dsn: receiver.dsn, transportOptions: { store: false }, ...hanging })!;
    captureMessage('hangs');
    await client.close(500);
    expect(receiver.items('client_report').map(({ json }) => json)).toMatchObject([
      { discarded_events: [{ reason: 'before_send', category: 'error', quantity: 1 }] },
    ]);
  });
});

describe('user code that captures something whenever it is called is stopped', () => {
  const capture = <T>(event: T): T => {
    captureMessage('again');
    return event;
  };
  const captureLater = async <T>(event: T): Promise<T> => {
    await setImmediate();
    return capture(event);
  };
  it.each<[string, Options, (client: Client) => unknown]>([
    ['beforeSend', { beforeSend: capture }, () => undefined],
    ['beforeSend that waits', { beforeSend: captureLater }, () => undefined],
    ['an event processor that waits', {}, (client) => client.addEventProcessor(captureLater)],
    [
      'an integration that waits',
      { integrations: [{ name: 'Foreign', enrichEvent: async () => void (await captureLater(undefined)) }] },
      () => undefined,
    ],
    ['an event processor', {}, (client) => client.addEventProcessor(capture)],
    ['a handler of beforeSendEvent', {}, (client) => client.on('beforeSendEvent', capture)],
    ['a handler of beforeEnvelope', {}, (client) => client.on('beforeEnvelope', capture)],
  ])('%s', async (_, options, prepare) => {
    await tell(
      { defaultIntegrations: false, ...options },
      ({ client }) => {
        const stop = prepare(client);
        captureException(new Error('first'));
        if (typeof stop === 'function') stop();
      },
      ({ receiver, client }) => {
        expect(receiver.events.length).toBeLessThan(50);
        expect(client.ledger.balance().error?.discarded).toBeGreaterThan(0);
      },
    );
  });

  it('stderr says so', async () => {
    const written = await stderrOf({ beforeSend: capture }, () => captureMessage('first'));
    expect(written).toMatch(/^faultline: hooks and event processors: they capture something on every call/);
  });
});

it('an error that is caught at the end of the stack is captured, and the process ends', {
  timeout: 60_000,
}, async () => {
  const receiver = await startReceiver();
  onTestFinished(() => receiver.close());
  const { status, stderr } = await runScript(
    `import { captureException, init } from 'faultline';
    init();
    const descend = () => {
      try {
        descend();
      } catch (error) {
        captureException(error);
      }
    };
    descend();`,
    { env: { FAULTLINE_DSN: receiver.dsn } },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(receiver.events.map(({ exception }) => exception?.values?.[0]?.type)).toEqual(['RangeError']);
});

it('an undefined stack in the hint leaves the stack of the call', async () => {
  await tell(
    {},
    () => captureException('thrown', { syntheticException: undefined }),
    ({ receiver }) => {
      const frames = receiver.events[0]?.exception?.values?.[0]?.stacktrace?.frames;
      expect(frames?.at(-1)?.filename).toContain('user-code.test');
    },
  );
});

it('events that wait for a beforeSend that never answers are bounded by their size', async () => {
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    defaultIntegrations: false,
    maxValueLength: 0,
    beforeSend: () => new Promise<never>(() => undefined),
  });
  for (let i = 0; i < 600; i++) {
    const details = Array.from({ length: 30 }, (_, part) => `${i} ${part} `.padEnd(14_000, 'x'));
    captureMessage('x', { extra: { details } });
  }
  const { captured, queued, discarded } = client.ledger.balance().error!;
  expect(captured).toBe(600);
  expect(queued + discarded).toBe(600);
  expect(queued).toBeGreaterThan(50);
  expect(queued * 400_000).toBeLessThan(128 * 1024 * 1024);
  await client.close(0);
  expect(client.ledger.balance().error).toMatchObject({ queued: 0, discarded: 600 });
});

describe('spans', () => {
  it('of a running root tell the rate by which they were sampled', () =>
    tell({ tracesSampleRate: 1 }, () =>
      startSpan({ name: 'root' }, (root) => expect(spanToJSON(root).data['svc.sample_rate']).toBe(1)),
    ));

  it('of a parent made by hand, without isRemote, are recorded and become a transaction below it', () => {
    const parent = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: TraceFlags.SAMPLED };
    return tell(
      { tracesSampleRate: 1 },
      () =>
        context.with(trace.setSpanContext(context.active(), parent), () =>
          startSpan({ name: 'consume' }, (span) => expect(span.isRecording()).toBe(true)),
        ),
      ({ receiver }) => {
        expect(receiver.transactions.map(({ transaction }) => transaction)).toEqual(['consume']);
        expect(receiver.transactions[0]?.contexts.trace).toMatchObject({
          trace_id: parent.traceId,
          parent_span_id: parent.spanId,
        });
      },
    );
  });

  it('of a scope from another place have the span of that scope as their parent', () =>
    tell(
      { tracesSampleRate: 1 },
      () =>
        startSpan({ name: 'root' }, async () => {
          const scope = getCurrentScope();
          await startSpan({ name: 'other' }, () => {
            startSpan({ name: 'by option', scope }, () => undefined);
            withScope(scope, () => startSpan({ name: 'by withScope' }, () => undefined));
          });
        }),
      ({ receiver }) => {
        const [{ contexts, spans }] = receiver.transactions as [(typeof receiver.transactions)[0]];
        const parents = new Map(spans.map(({ description, parent_span_id }) => [description, parent_span_id]));
        expect(parents.get('by option')).toBe(contexts.trace.span_id);
        expect(parents.get('by withScope')).toBe(contexts.trace.span_id);
      },
    ));

  it('whose sampler throws are not sampled, and that is logged once', () => {
    const error = vi.fn();
    const ignore = () => undefined;
    diag.setLogger({ error, warn: ignore, info: ignore, debug: ignore, verbose: ignore }, DiagLogLevel.ERROR);
    const tracesSampler = () => {
      throw new Error('of the sampler');
    };
    return tell(
      { tracesSampler },
      () => {
        for (let i = 0; i < 3; i++) startSpan({ name: 'root' }, () => undefined);
      },
      ({ client, receiver }) => {
        expect(receiver.transactions).toEqual([]);
        expect(client.ledger.balance().transaction).toMatchObject({ captured: 3, discarded: 3 });
        const logged = error.mock.calls
          .map((call) => call.join(' '))
          .filter((text) => text.includes('tracesSampler threw'));
        expect(logged).toHaveLength(1);
      },
    );
  });
});

it('a default integration whose method the options have replaced is user code, and what it returns is sanitized', async () => {
  const options: Options = {
    integrations(defaults) {
      const requestData = defaults.find(({ name }) => name === 'RequestData')!;
      requestData.processEvent = (event) => ({ ...event, level: 'loud' as 'info', tags: ['no tags'] as never });
      return defaults;
    },
  };
  await tell(
    options,
    () => captureMessage('hello'),
    ({ receiver }) => {
      expect(receiver.events).toHaveLength(1);
      expect(receiver.events[0]?.level).not.toBe('loud');
      expect(receiver.events[0]?.tags).toBeUndefined();
    },
  );
});

it('an integration whose name can be read once only is set up', async () => {
  let reads = 0;
  const integration = {
    get name() {
      reads += 1;
      if (reads > 1) throw new Error('no name');
      return 'Hostile';
    },
    setup: vi.fn(),
    preprocessEvent: () => undefined,
  };
  const client = init({ dsn: 'http://key@127.0.0.1:1/1', integrations: [integration] });
  expect(client.getOptions().enabled).toBe(true);
  expect(integration.setup).toHaveBeenCalled();
  await client.close(0);
  resetOpenTelemetry();
});

it('what a handler of preprocessEvent changes in the context of the resource is in its event alone', async () => {
  let seen = 0;
  await tell(
    { tracesSampleRate: 1 },
    async ({ client }) => {
      client.on('preprocessEvent', ({ contexts }) => {
        seen += 1;
        if (seen === 1) Object.assign(contexts!['otel']!['resource'] as object, { changed: true });
      });
      for (const name of ['first', 'second']) {
        startSpan({ name }, () => undefined);
        await client.flush();
      }
    },
    ({ receiver }) => {
      const resources = receiver.transactions.map(({ contexts }) => contexts.otel.resource);
      expect(resources.map((resource) => Object.hasOwn(resource, 'changed'))).toEqual([true, false]);
    },
  );
});

it('a list of attachments that lies about its length counts for nothing', async () => {
  const client = init({ dsn: 'http://key@127.0.0.1:1/1' });
  const attachments = new Proxy([], { get: (list, key) => (key === 'length' ? 2 ** 40 : Reflect.get(list, key)) });
  client.addEventProcessor((_event, hint) => {
    hint.attachments = attachments;
    return null;
  });
  captureMessage('x');
  expect(client.ledger.balance()).toMatchObject({ error: { discarded: 1 } });
  expect(client.ledger.balance().attachment?.captured ?? 0).toBe(0);
  await client.close(0);
  resetOpenTelemetry();
});

it('lists in events and links of spans are not read to the end that they claim', async () => {
  let reads = 0;
  const list = () =>
    new Proxy([], {
      get: (target, key) => {
        reads += 1;
        return key === 'length' ? 100_000 : Reflect.get(target, key);
      },
    }) as never;
  const client = init({ dsn: 'http://key@127.0.0.1:1/1', tracesSampleRate: 1 });
  startSpan({ name: 'work' }, (span) => {
    const link = { context: span.spanContext(), attributes: { list: list() } };
    span.addEvent('event', { list: list() });
    span.addLink(link);
    span.addLinks([link]);
    span.addLinks(list());
    startSpan({ name: 'below', links: [link] }, () => undefined);
  });
  expect(reads).toBeLessThan(60_000);
  await client.close(0);
});
