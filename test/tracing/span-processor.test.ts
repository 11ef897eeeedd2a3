import { SpanKind } from '@opentelemetry/api';
import { AlwaysOnSampler } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { getIsolationScope } from '../../src/context/current-scopes.js';
import { isolationWithin } from '../../src/context/request-isolation.js';
import { captureMessage, close, init, spanToJSON, startInactiveSpan, startSpan, withScope } from '../../src/index.js';
import type { Event } from '../../src/model/event.js';
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

  it('a handler that an earlier one removes does not run', () => {
    const client = init({ dsn: 'http://key@127.0.0.1:1/1' });
    const calls: string[] = [];
    client.on('flush', () => {
      calls.push('first');
      remove();
    });
    const remove = client.on('flush', () => void calls.push('second'));
    client.emit('flush');
    expect(calls).toEqual(['first']);
    void close(100);
    resetOpenTelemetry();
  });
});

describe('with tracing off', () => {
  it('a span is in the trace of the errors around it', async () => {
    const events: Event[] = [];
    const beforeSend = (event: Event) => {
      events.push(event);
      return null;
    };
    init({ dsn: 'http://key@127.0.0.1:1/1', beforeSend });
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
    resetOpenTelemetry();
    expect(events.map(({ contexts }) => contexts!.trace!.trace_id)).toEqual([traceId, traceId]);
  });
});
