import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import type { Span } from '@opentelemetry/api';
import { describe, expect, it, vi } from 'vitest';
import {
  addBreadcrumb,
  type Client,
  type ClientHooks,
  type ClientOptions,
  captureEvent,
  captureException,
  captureMessage,
  continueTrace,
  type DynamicSamplingContext,
  type Event,
  endSession,
  getDynamicSamplingContextFromSpan,
  getTraceData,
  init,
  setTag,
  startInactiveSpan,
  startNewTrace,
  startSession,
  startSpan,
  type TransactionEvent,
  updateSpanName,
  withIsolationScope,
} from '../../src/index.js';
import { eventually } from '../support/eventually.js';
import { resetOpenTelemetry, type Stage, tell } from '../support/story.js';

const rename = (event: Event): Event => ({ ...event, transaction: 'renamed' });

function runRecordedSpan({ client }: Stage): void {
  const stop = client.on('beforeSampling', (_, verdict) => {
    verdict.decision = true;
  });
  startSpan({ name: 'a' }, () => undefined);
  stop();
}

/** What makes each hook be called once. */
const CAUSES: Record<keyof ClientHooks, (stage: Stage) => unknown> = {
  beforeSampling: () => startSpan({ name: 'a' }, () => undefined),
  spanStart: runRecordedSpan,
  spanEnd: runRecordedSpan,
  createDsc: () => getTraceData(),
  preprocessEvent: () => captureMessage('a'),
  beforeAddBreadcrumb: () => addBreadcrumb({ message: 'a' }),
  beforeSendEvent: () => captureMessage('a'),
  beforeEnvelope: () => captureMessage('a'),
  afterSendEvent: async ({ client }) => {
    captureMessage('a');
    await client.flush(5000);
  },
  flush: ({ client }) => client.flush(5000),
  close: ({ client }) => client.close(5000),
};
const HOOKS = Object.keys(CAUSES) as (keyof ClientHooks)[];

describe.each(HOOKS)('%s', (hook) => {
  const options = { tracesSampleRate: 0, defaultIntegrations: false } as const;
  const listen = (client: Client, handler: () => void) => client.on(hook, handler as ClientHooks[typeof hook]);

  it('calls its handlers in the order in which they were added, until they are removed', async () => {
    const calls: string[] = [];
    await tell(options, async (stage) => {
      // The SDK has handlers of its own.
      const isHeard = stage.client.listens(hook);
      const stopFirst = listen(stage.client, () => calls.push('first'));
      const stopSecond = listen(stage.client, () => calls.push('second'));
      expect(stage.client.listens(hook)).toBe(true);
      await CAUSES[hook](stage);
      const times = calls.length / 2;
      expect(times).toBeGreaterThanOrEqual(1);
      expect(calls).toEqual(Array.from({ length: times }, () => ['first', 'second']).flat());

      calls.length = 0;
      stopFirst();
      stopFirst();
      if (hook !== 'close') {
        await CAUSES[hook](stage);
        expect(new Set(calls)).toEqual(new Set(['second']));
      }
      stopSecond();
      calls.length = 0;
      if (hook !== 'close') await CAUSES[hook](stage);
      expect(stage.client.listens(hook)).toBe(isHeard);
    });
    expect(calls).toEqual([]);
  });

  it('calls a handler that was added twice until it is removed twice', async () => {
    const handler = vi.fn();
    await tell(options, async (stage) => {
      const stops = [listen(stage.client, handler), listen(stage.client, handler)];
      stops[0]!();
      await CAUSES[hook](stage);
      expect(handler).toHaveBeenCalled();
      handler.mockClear();
      stops[1]!();
      if (hook !== 'close') await CAUSES[hook](stage);
      expect(handler).not.toHaveBeenCalled();
    });
  });

  it('calls the other handlers when one throws', async () => {
    const handler = vi.fn();
    await tell(options, async (stage) => {
      listen(stage.client, () => {
        throw new Error('hook');
      });
      listen(stage.client, handler);
      await CAUSES[hook](stage);
      expect(handler).toHaveBeenCalled();
    });
  });
});

describe('the hooks of an event', () => {
  it('are called in order; those before sending may change it, and afterSendEvent gets the response', async () => {
    const calls: unknown[] = [];
    await tell(
      {
        beforeSend: (event) => {
          calls.push(['beforeSend', event.tags]);
          return event;
        },
      },
      async ({ client, receiver }) => {
        receiver.respondWith({ statusCode: 202 });
        client.on('preprocessEvent', (event, hint) => {
          calls.push(['preprocessEvent', event.tags, hint.event_id]);
          event.tags = { own: 1 };
        });
        client.on('beforeSendEvent', (event) => {
          calls.push(['beforeSendEvent', event.tags]);
          event.tags = { ...event.tags, late: 2 };
        });
        client.on('beforeEnvelope', ([headers, items]) =>
          calls.push(['beforeEnvelope', headers.event_id, items.length]),
        );
        client.on('afterSendEvent', (event, { statusCode }) => calls.push(['afterSendEvent', event.tags, statusCode]));
        setTag('scope', 0);
        const id = captureMessage('a');
        await client.flush(5000);
        expect(calls).toEqual([
          ['preprocessEvent', undefined, id],
          ['beforeSend', { scope: 0, own: 1 }],
          ['beforeSendEvent', { scope: 0, own: 1 }],
          ['beforeEnvelope', id, 1],
          ['afterSendEvent', { scope: 0, own: 1, late: 2 }, 202],
        ]);
      },
      ({ receiver }) => expect(receiver.events[0]!.tags).toEqual({ scope: '0', own: '1', late: '2' }),
    );
  });

  it.each<[string, ClientOptions]>([
    ['an event processor', { integrations: [{ name: 'Rename', processEvent: rename }] }],
    ['beforeSendTransaction', { beforeSendTransaction: rename }],
    ['beforeSendSpan', { beforeSendSpan: (span) => ({ ...span, description: 'renamed' }) }],
  ])('may rename a transaction, whose source is then custom: %s', async (_, options) => {
    await tell(
      { tracesSampleRate: 1, ...options },
      () => startSpan({ name: 'GET /:id', attributes: { 'svc.source': 'route' } }, () => undefined),
      ({ receiver }) =>
        expect(receiver.transactions).toMatchObject([
          { transaction: 'renamed', transaction_info: { source: 'custom' } },
        ]),
    );
  });

  it.each<[string, string, ClientOptions, string]>([
    ['a secret in it was filtered', 'GET /s3cr3t/1', { scrubbing: { patterns: [/s3cr3t/] } }, 'GET /[Filtered]/1'],
    [
      'hooks leave a filtered one as it is',
      'GET /s3cr3t/1',
      {
        scrubbing: { patterns: [/s3cr3t/] },
        beforeSendTransaction: (one) => one,
        beforeSendSpan: (one) => ({ ...one }),
      },
      'GET /[Filtered]/1',
    ],
    ['it had none', '', {}, '<unlabeled transaction>'],
  ])('keep the source of a transaction whose name only the SDK changed: %s', async (_, name, options, sent) => {
    await tell(
      { tracesSampleRate: 1, ...options },
      () => startSpan({ name, attributes: { 'svc.source': 'url' } }, () => undefined),
      ({ receiver }) =>
        expect(receiver.transactions).toMatchObject([{ transaction: sent, transaction_info: { source: 'url' } }]),
    );
  });

  it('are not called after it was dropped', async () => {
    const [before, after] = [vi.fn(), vi.fn()];
    await tell({ beforeSend: () => null }, ({ client }) => {
      client.on('preprocessEvent', before);
      client.on('beforeSendEvent', after);
      client.on('afterSendEvent', after);
      captureMessage('a');
    });
    expect(before).toHaveBeenCalledTimes(1);
    expect(after).not.toHaveBeenCalled();
  });

  it('get the status code of the answer', async () => {
    const answers: unknown[] = [];
    await tell(
      {},
      async ({ client, receiver }) => {
        client.on('afterSendEvent', (_, response) => answers.push(response.statusCode));
        receiver.respondWith({ statusCode: 500 });
        captureMessage('refused');
        await eventually(() => expect(answers).toHaveLength(1));
        receiver.respondWith();
      },
      () => expect(answers).toEqual([500]),
    );
  });

  it('see every envelope, also those of sessions and reports', async () => {
    const types: unknown[] = [];
    await tell(
      { release: 'shop@1', defaultIntegrations: false, sampleRate: 0 },
      ({ client }) => {
        client.on('beforeEnvelope', ([, items]) => types.push(...items.map(([{ type }]) => type)));
        startSession();
        endSession();
        captureException(new Error('sampled out'));
        captureEvent({ type: 'profile' });
      },
      () => expect(types.sort()).toEqual(['client_report', 'profile', 'session']),
    );
  });

  it('lose an envelope to which they add what cannot be sent: not to the network, by the report', async () => {
    await tell(
      { defaultIntegrations: false },
      async ({ client }) => {
        const stop = client.on('beforeEnvelope', ([, items]) => void items.push(null as never));
        captureMessage('a');
        await client.flush(5000);
        stop();
      },
      ({ receiver }) => {
        expect(receiver.discards()).toEqual([{ reason: 'internal_sdk_error', category: 'error', quantity: 1 }]);
      },
    );
  });
});

describe('beforeAddBreadcrumb', () => {
  it('gets the breadcrumbs that `beforeBreadcrumb` returned, with their hints, and may change them', async () => {
    const handler = vi.fn<ClientHooks['beforeAddBreadcrumb']>((breadcrumb) => {
      breadcrumb.category = 'changed';
    });
    await tell(
      { beforeBreadcrumb: (breadcrumb) => (breadcrumb.message === 'b' ? null : breadcrumb), integrations: [] },
      ({ client }) => {
        client.on('beforeAddBreadcrumb', handler);
        addBreadcrumb({ message: 'a' }, { why: 1 });
        addBreadcrumb({ message: 'b' });
        captureMessage('m');
      },
      ({ receiver }) => {
        expect(handler.mock.calls).toEqual([[expect.objectContaining({ message: 'a' }), { why: 1 }]]);
        expect(receiver.events[0]!.breadcrumbs).toMatchObject([{ message: 'a', category: 'changed' }]);
      },
    );
  });
});

describe('createDsc', () => {
  const HEAD = { tracesSampleRate: 1, environment: 'staging', release: 'shop@1', defaultIntegrations: false } as const;

  it('gets the context of a trace that began here, with its root span, and may change it', async () => {
    const seen: [DynamicSamplingContext, Span | undefined][] = [];
    await tell(
      HEAD,
      ({ client }) => {
        client.on('createDsc', (dsc, rootSpan) => {
          seen.push([{ ...dsc }, rootSpan]);
          dsc['tenant'] = 'a';
          dsc.environment = 'changed';
        });
        startSpan({ name: 'root' }, (root) => {
          startSpan({ name: 'child' }, (child) => {
            expect(getDynamicSamplingContextFromSpan(child)).toMatchObject({ tenant: 'a', environment: 'changed' });
            expect(getTraceData().baggage).toContain('sentry-tenant=a');
            captureMessage('in a span');
          });
          expect(seen.every(([, span]) => span === root)).toBe(true);
          updateSpanName(root, 'renamed');
        });
      },
      ({ receiver }) => {
        expect(seen[0]![0]).toMatchObject({ environment: 'staging', release: 'shop@1', transaction: 'root' });
        expect(seen.at(-1)![0]).toMatchObject({ transaction: 'renamed' });
        const headers = receiver.envelopes.map(({ headers: { trace } }) => trace);
        expect(headers).toHaveLength(2);
        for (const trace of headers) expect(trace).toMatchObject({ tenant: 'a', environment: 'changed' });
      },
    );
  });

  it('gets no span if the trace has none', async () => {
    const handler = vi.fn<ClientHooks['createDsc']>((dsc) => {
      dsc['tenant'] = 'a';
    });
    await tell(
      { defaultIntegrations: false },
      ({ client }) => {
        client.on('createDsc', handler);
        captureMessage('a');
      },
      ({ receiver }) => {
        expect(handler.mock.calls).toEqual([[expect.objectContaining({ environment: 'production' }), undefined]]);
        expect(receiver.envelopes[0]!.headers.trace).toMatchObject({ tenant: 'a' });
      },
    );
  });

  it('is not called for an incoming trace, whose context is passed on unchanged', async () => {
    const handler = vi.fn();
    await tell(HEAD, ({ client }) => {
      client.on('createDsc', handler);
      const traceId = '0af7651916cd43dd8448eb211c80319c';
      const baggage = `sentry-trace_id=${traceId},sentry-public_key=ab12,sentry-sample_rand=0.5`;
      continueTrace({ sentryTrace: `${traceId}-b7ad6b7169203331-1`, baggage }, () => {
        expect(getTraceData().baggage).toBe(baggage);
        startSpan({ name: 'a' }, (span) => {
          expect(getDynamicSamplingContextFromSpan(span)).toMatchObject({ public_key: 'ab12', sample_rand: '0.5' });
        });
      });
    });
    expect(handler).not.toHaveBeenCalled();
  });

  it('may set any value: numbers and booleans are sent as strings, others are omitted', async () => {
    await tell(
      HEAD,
      ({ client }) => {
        client.on('createDsc', (dsc) => {
          Object.assign(dsc, { number: 5, flag: true, list: [1], nothing: null });
          Object.defineProperty(dsc, 'hostile', {
            enumerable: true,
            get: () => {
              throw new Error('hostile');
            },
          });
        });
        startSpan({ name: 'a' }, () => undefined);
      },
      ({ receiver }) => {
        const { trace } = receiver.envelopes[0]!.headers;
        expect(trace).toMatchObject({ number: '5', flag: 'true', trace_id: expect.any(String) });
        expect(Object.keys(trace!)).toEqual(expect.not.arrayContaining(['list', 'nothing', 'hostile']));
      },
    );
  });

  it('may read the dynamic sampling context, and capture', async () => {
    const calls: unknown[] = [];
    await tell(
      HEAD,
      ({ client }) => {
        client.on('createDsc', (_, rootSpan) => {
          calls.push(getDynamicSamplingContextFromSpan(rootSpan!));
          if (calls.length === 1) captureMessage('from the hook');
        });
        startSpan({ name: 'a' }, () => void getTraceData());
      },
      ({ receiver }) => {
        expect(receiver.events).toHaveLength(1);
        expect(calls[0]).toMatchObject({ environment: 'staging' });
      },
    );
  });
});

describe('flush and close', () => {
  it('are called first, so that events captured by a handler are sent', async () => {
    await tell(
      {},
      ({ client }) => {
        const stop = client.on('flush', () => {
          captureMessage('at flush');
          stop();
        });
        return client.flush(5000);
      },
      ({ receiver }) => expect(receiver.events.map(({ message }) => message)).toEqual(['at flush']),
    );
  });

  it('close is called once, before the last flush', async () => {
    const calls: string[] = [];
    const client = init({ defaultIntegrations: false });
    client.on('close', () => calls.push('close'));
    client.on('flush', () => calls.push('flush'));
    await Promise.all([client.close(1000), client.close(1000)]);
    await client.close(1000);
    expect(calls).toEqual(['close', 'flush']);
    resetOpenTelemetry();
  });
});

it('what a handler of beforeSendEvent adds or removes is counted', async () => {
  const file = { filename: 'a.txt', data: 'a' };
  await tell({ tracesSampleRate: 1 }, ({ client }) => {
    client.on('beforeSendEvent', (event, hint) => {
      hint.attachments = [file, file];
      event.spans = [];
    });
    captureMessage('with attachments');
    startSpan({ name: 'root' }, () => startSpan({ name: 'child' }, () => undefined));
  });
});

it('hooks of a transaction run in the async context in which its spans have ended', async () => {
  const tenants = new AsyncLocalStorage<string>();
  const seen: [transaction: string | undefined, hook: string, tenant: string | undefined][] = [];
  const note = (hook: string, event: Event) => {
    seen.push([event.transaction, hook, tenants.getStore()]);
    return event;
  };
  const names = Array.from({ length: 20 }, (_, i) => `tenant ${i}`);
  const connection = tenants.run('of the connection', () => withIsolationScope(() => new AsyncResource('connection')));
  await tell(
    { tracesSampleRate: 1, beforeSendTransaction: (event) => note('beforeSendTransaction', event) as TransactionEvent },
    async ({ client }) => {
      client.addEventProcessor((event) => note('processor', event));
      await Promise.all(
        names.map((name) =>
          tenants.run(name, () =>
            withIsolationScope(() =>
              startNewTrace(() =>
                startSpan({ name }, async () => {
                  await startSpan({ name: 'child' }, () => new Promise((resolve) => setTimeout(resolve, 5)));
                  // As the request of a pooled connection does, which another one has opened.
                  const pooled = startInactiveSpan({ name: 'pooled' });
                  connection.runInAsyncScope(() => pooled.end());
                }),
              ),
            ),
          ),
        ),
      );
    },
    ({ receiver }) => {
      expect(receiver.transactions).toHaveLength(names.length);
      expect(seen).toHaveLength(2 * names.length);
      for (const [transaction, , tenant] of seen) expect(tenant).toBe(transaction);
    },
  );
});
