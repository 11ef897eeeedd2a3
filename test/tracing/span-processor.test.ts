import { setTimeout } from 'node:timers/promises';
import { type Span, SpanKind, trace } from '@opentelemetry/api';
import { AlwaysOnSampler } from '@opentelemetry/sdk-trace-base';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { getIsolationScope } from '../../src/context/current-scopes.js';
import { isolationWithin } from '../../src/context/request/request-isolation.js';
import {
  captureMessage,
  close,
  continueTrace,
  getTraceData,
  init,
  setUser,
  spanToJSON,
  startInactiveSpan,
  startSpan,
  withIsolationScope,
  withScope,
} from '../../src/index.js';
import type { Event } from '../../src/model/event/event.js';
import { resetOpenTelemetry } from '../support/story.js';
import { createProcessorRig } from './processor-rig.js';

describe('the span processor', () => {
  it('makes a transaction of a root, with the rate that decided', async () => {
    const { client, sent, start } = createProcessorRig();
    const root = start('root');
    expect(spanToJSON(root).data['svc.sample_rate']).toBe(1);
    expect(spanToJSON(start('child', root)).data).not.toHaveProperty('svc.sample_rate');
    root.end();
    await client.flush();
    expect(sent[0]!.contexts!.trace!.data!['svc.sample_rate']).toBe(1);
  });

  it('collects nothing of a trace that only another sampler records', async () => {
    const { client, sent, start } = createProcessorRig({ tracesSampleRate: 0 }, new AlwaysOnSampler());
    const root = start('root');
    expect(root.isRecording()).toBe(true);
    start('child', root).end();
    root.end();
    await client.flush();
    expect(sent).toEqual([]);
    expect(client.ledger.balance().transaction).toMatchObject({ captured: 1, discarded: 1 });
  });

  it.each([
    ['SERVER', SpanKind.SERVER, true],
    ['CONSUMER', SpanKind.CONSUMER, true],
    ['INTERNAL', SpanKind.INTERNAL, false],
    ['CLIENT', SpanKind.CLIENT, false],
  ])('a root of kind %s has an isolation scope of its own: %s', (_, kind, isOwn) => {
    const { start } = createProcessorRig();
    const outer = getIsolationScope();
    expect(isolationWithin(start('root', undefined, { kind }), outer) !== outer).toBe(isOwn);
  });
});

describe('a root that nobody asked for', () => {
  it.each([
    'dns.lookup',
    'tcp.connect',
    'tls.connect',
    'redis-connect',
    'pg.connect',
    'graphql.parse',
    'graphql.parseSchema',
    'graphql.validateSchema',
    'fs readFile',
    'fs existsSync',
  ])('%s is dropped and counted', (name) => {
    const { client, start } = createProcessorRig();
    expect(start(name).isRecording()).toBe(false);
    expect(client.ledger.takeUnreported()).toEqual([{ reason: 'no_parent_span', category: 'span', quantity: 1 }]);
    const root = start('root');
    expect(start(name, root).isRecording()).toBe(true);
  });

  it.each([
    ['HEAD', SpanKind.INTERNAL],
    ['OPTIONS', SpanKind.SERVER],
    ['OPTIONS', SpanKind.CONSUMER],
  ])('%s of kind %s is dropped', (method, kind) => {
    const { start } = createProcessorRig();
    expect(start('probe', undefined, { kind, attributes: { 'http.request.method': method } }).isRecording()).toBe(
      false,
    );
  });

  it('may be how a framework starts', () => {
    const { start } = createProcessorRig();
    expect(start('Create Nest App', undefined, { attributes: { 'nestjs.type': 'app_creation' } }).isRecording()).toBe(
      false,
    );
    expect(start('handle', undefined, { attributes: { 'nestjs.type': 'handler' } }).isRecording()).toBe(true);
  });

  it.each(['fs backup', 'fs', 'graphql.execute', 'dns.lookup of a customer', 'Create Nest App'])(
    'is not %s',
    (name) => {
      const { start } = createProcessorRig();
      expect(start(name).isRecording()).toBe(true);
    },
  );

  it('is kept where the application has named its kind of work', () => {
    const { start } = createProcessorRig();
    expect(start('dns.lookup', undefined, { attributes: { 'svc.op': 'dns' } }).isRecording()).toBe(true);
  });
});

describe('through the public interface', () => {
  it('an inactive span takes the current scope itself; a forced transaction names no rate', async () => {
    const events: Event[] = [];
    const beforeSendTransaction = (event: Event) => {
      events.push(structuredClone({ ...event, sdkProcessingMetadata: undefined }));
      return null;
    };
    init({
      dsn: 'http://key@127.0.0.1:1/1',
      tracesSampleRate: 1,
      beforeSendTransaction: beforeSendTransaction as never,
    });
    withScope((scope) => {
      const span = startInactiveSpan({ name: 'inactive' });
      scope.setTag('later', 'yes');
      span.end();
    });
    startSpan({ name: 'outer' }, () => {
      startSpan({ name: 'forced', forceTransaction: true }, (span) => {
        expect(spanToJSON(span).data).not.toHaveProperty('svc.sample_rate');
      });
    });
    await close(2000);
    resetOpenTelemetry();
    const byName = new Map(events.map((event) => [event.transaction, event]));
    expect(byName.get('inactive')!.tags).toEqual({ later: 'yes' });
    expect(byName.get('forced')!.contexts!.trace!.data).not.toHaveProperty('svc.sample_rate');
    expect(byName.get('outer')!.contexts!.trace!.data!['svc.sample_rate']).toBe(1);
  });

  it('a handler that an earlier one removes does not run', async () => {
    const client = init({ dsn: 'http://key@127.0.0.1:1/1' });
    const calls: string[] = [];
    client.on('flush', () => {
      calls.push('first');
      remove();
    });
    const remove = client.on('flush', () => void calls.push('second'));
    client.emit('flush');
    expect(calls).toEqual(['first']);
    await close(100);
    resetOpenTelemetry();
  });
});

describe('with tracing off', () => {
  const traceIds: Record<string, string | undefined> = {};
  const users: Record<string, unknown> = {};
  const beforeSend = ({ message = '', contexts, user }: Event) => {
    traceIds[message] = contexts?.trace?.trace_id;
    users[message] = user?.id;
    return null;
  };
  const tracer = trace.getTracer('instrumentation');

  beforeEach(() => {
    // Nobody listens there, so that only what is discarded before does not wait.
    init({ dsn: 'http://key@127.0.0.1:1/1', beforeSend, sendClientReports: false });
  });
  afterEach(async () => {
    await close(2000);
    resetOpenTelemetry();
  });

  it('a span is in the trace of the errors around it', async () => {
    const traceId = startSpan({ name: 'root' }, (root) => {
      captureMessage('inside');
      expect(root.isRecording()).toBe(false);
      return startSpan({ name: 'child' }, (child) => {
        expect(child.spanContext().traceId).toBe(root.spanContext().traceId);
        return root.spanContext().traceId;
      });
    });
    captureMessage('outside');
    await close(2000);
    expect([traceIds['inside'], traceIds['outside']]).toEqual([traceId, traceId]);
  });

  const KINDS = [SpanKind.INTERNAL, SpanKind.SERVER, SpanKind.CLIENT, SpanKind.PRODUCER, SpanKind.CONSUMER];
  const TRACERS: [string, (kind: SpanKind, run: (span: Span) => void) => void][] = [
    ['startSpan', (kind, run) => startSpan({ name: 'work', kind }, run)],
    ['an OpenTelemetry tracer', (kind, run) => tracer.startActiveSpan('work', { kind }, run)],
    ['a tracer that is asked for a root', (kind, run) => tracer.startActiveSpan('work', { kind, root: true }, run)],
  ];

  describe.each(TRACERS)('a span of %s', (_, start) => {
    it.each(KINDS)('of kind %i has the trace id of errors and headers within it', async (kind) => {
      const seen: Record<string, string> = {};
      const run = (name: string) =>
        start(kind, (span) => {
          const { traceId } = span.spanContext();
          seen[name] = traceId;
          captureMessage(name);
          expect(getTraceData()['sentry-trace']).toContain(traceId);
          tracer.startActiveSpan('child', (child) => {
            expect(child.spanContext().traceId).toBe(traceId);
            captureMessage(`below ${name}`);
          });
          seen[`below ${name}`] = traceId;
        });
      run('alone');
      withIsolationScope(() => run('in a task'));
      await continueTrace({ sentryTrace: `${'a'.repeat(32)}-${'b'.repeat(16)}-1` }, () => run('continued'));
      await close(2000);
      expect(traceIds).toMatchObject(seen);
    });
  });

  it('spans of a task are in its trace, whatever has created them', () => {
    withIsolationScope(() => {
      const ids = TRACERS.slice(0, 2).map(([, start]) => {
        let traceId: string | undefined;
        start(SpanKind.INTERNAL, (span) => {
          traceId = span.spanContext().traceId;
        });
        return traceId;
      });
      expect(ids[1]).toBe(ids[0]);
    });
  });

  it.each([
    ['at the top', (run: () => unknown) => run()],
    ['within a task', (run: () => unknown) => withIsolationScope(run)],
  ])('messages that are handled at the same time %s keep their users apart', async (_, around) => {
    const names = Array.from({ length: 20 }, (__, i) => `message ${i}`);
    await around(() =>
      Promise.all(
        names.map((name) =>
          tracer.startActiveSpan('handle', { kind: SpanKind.CONSUMER }, async () => {
            setUser({ id: name });
            await setTimeout(1);
            captureMessage(name);
          }),
        ),
      ),
    );
    await close(2000);
    expect(names.map((name) => users[name])).toEqual(names);
  });
});
