import { afterEach, expect, it } from 'vitest';
import * as Sentry from '../../../src/sentry/sentry.js';
import { recordEvents, reset } from '../../../src/testing/testing.js';

afterEach(() => reset());

it('queues and agents run their jobs with telemetry that has no effect', async () => {
  recordEvents();
  const { tracer, contextManager } = new Sentry.BullMQTelemetry({ enableMetrics: true });
  const span = tracer.startSpan('process job');
  span.setAttributes({ attempts: 1 });
  expect(contextManager.with(span.setSpanOnContext(contextManager.active()), () => 'done')).toBe('done');
  expect(contextManager.fromMetadata(contextManager.root(), contextManager.getMetadata({}))).toEqual({});
  span.end();
  const { interceptor } = Sentry.createFlueInstrumentation();
  await expect(interceptor({}, {}, async () => 'answer')).resolves.toBe('answer');
  const exporter = new Sentry.SentryMastraExporter();
  exporter.init({});
  await exporter.exportTracingEvent({ type: 'span_started' });
  await exporter.shutdown();
});

it('the hooks of Eve set the conversation that spans name', async () => {
  const sent = recordEvents();
  const hook = Sentry.eveConversationHook();
  const instrumentation = Sentry.eveInstrumentation({ getConversationId: ({ session }) => `of ${session.id}` });
  const turn = (note: () => void) =>
    Sentry.withIsolationScope(() => {
      note();
      Sentry.startSpan({ name: 'ask', attributes: { 'gen_ai.request.model': 'm' } }, () => undefined);
    });
  turn(() => hook.events['turn.started']({}, { session: { id: 'session-1' } }));
  turn(() => instrumentation.events['model.started']({ scope: { sessionId: 'session-2' } }));
  await sent.flush();
  const conversations = sent.transactions.map(({ contexts }) => contexts.trace.data?.['gen_ai.conversation.id']);
  expect(conversations).toEqual(['session-1', 'of session-2']);
});

it('the hooks of Eve throw nothing into an agent', () => {
  recordEvents();
  const hook = Sentry.eveConversationHook();
  expect(() => hook.events['turn.started']({}, undefined as never)).not.toThrow();
  expect(() => Sentry.eveConversationHook(null as never)).not.toThrow();
  const instrumentation = Sentry.eveInstrumentation(null as never);
  for (const note of Object.values(instrumentation.events)) expect(() => note({} as never)).not.toThrow();
});

it('no request is taken for a tunnel, and what is handled as one is refused', async () => {
  expect(Sentry.isTunnelRequest({ method: 'POST', url: '/tunnel' })).toBe(false);
  expect(Sentry.handleTunnelRequestIfMatched({})).toBeUndefined();
  expect(await Sentry.handleTunnelRequest(new Request('http://a.test/tunnel'))).toMatchObject({ status: 501 });
  const calls: unknown[] = [];
  const response = { writeHead: (status: number) => calls.push(status), end: () => calls.push('end') };
  await Sentry.handleTunnelRequest({}, response);
  expect(calls).toEqual([501, 'end']);
  const answered = { writeHead: () => expect.fail('headers were sent'), end: () => calls.push('again') };
  await expect(Sentry.handleTunnelRequest({}, answered)).resolves.toBeUndefined();
});
