import { trace } from '@opentelemetry/api';
import { afterEach, describe, expect, it } from 'vitest';
import {
  close,
  getActiveSpan,
  getRootSpan,
  init,
  type Options,
  type Span,
  spanToJSON,
  startInactiveSpan,
  startSpan,
} from '../../src/index.js';
import { resetOpenTelemetry } from '../support/story.js';

const nameOf = (span: Span) => spanToJSON(span).description;

function listen(options: Options) {
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    beforeSendTransaction: () => null,
    sendClientReports: false,
    ...options,
  });
  const calls: string[] = [];
  client.on('spanStart', (span) => calls.push(`start ${nameOf(span)} below ${nameOf(getRootSpan(span))}`));
  const stop = client.on('spanEnd', (span) => {
    expect(spanToJSON(span).timestamp).toBeGreaterThan(0);
    calls.push(`end ${nameOf(span)}`);
  });
  return { client, calls, stop };
}

afterEach(async () => {
  await close(2000);
  resetOpenTelemetry();
});

describe('the hooks spanStart and spanEnd', () => {
  it('are called for each recorded span, whoever created it', () => {
    const { calls, stop } = listen({ tracesSampleRate: 1 });
    startSpan({ name: 'root' }, () => {
      trace.getTracer('instrumentation').startSpan('child').end();
    });
    stop();
    startInactiveSpan({ name: 'later' }).end();
    expect(calls).toEqual([
      'start root below root',
      'start child below root',
      'end child',
      'end root',
      'start later below later',
    ]);
  });

  it('are not called for spans that do not record', () => {
    const { calls } = listen({ tracesSampleRate: 0 });
    startSpan({ name: 'root' }, () => startSpan({ name: 'child' }, () => undefined));
    expect(calls).toEqual([]);
  });

  it('may change the span that starts, and throw', () => {
    const { client } = listen({ tracesSampleRate: 1 });
    client.on('spanStart', (span) => {
      span.setAttribute('shop.region', 'eu');
      throw new Error('not my day');
    });
    client.on('spanEnd', () => {
      throw new Error('not my day');
    });
    const data = startSpan({ name: 'root' }, () => spanToJSON(getActiveSpan()!).data);
    expect(data['shop.region']).toBe('eu');
  });
});
