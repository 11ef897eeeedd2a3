import { createRequire } from 'node:module';
import { SpanKind } from '@opentelemetry/api';
import type { ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { expect, it } from 'vitest';
import { init, startSpan } from '../../src/index.js';
import { serve } from '../integrations/http/servers.js';

const { request } = createRequire(import.meta.url)('undici') as {
  request(url: string): Promise<{ body: { text(): Promise<string>; dump(): Promise<void> } }>;
};

it('each request of the undici package has one CLIENT span and one SERVER span', async () => {
  const ended: ReadableSpan[] = [];
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    transport: () => ({ send: async () => ({}), flush: async () => true }),
    tracesSampleRate: 1,
  });
  client.on('spanEnd', (span) => ended.push(span as unknown as ReadableSpan));
  const { url, close } = await serve((_, response) => response.end('answer'));
  await startSpan({ name: 'job' }, async () => {
    await (await request(`${url}/read`)).body.text();
    await (await request(`${url}/dumped`)).body.dump();
  });
  await close();
  await client.close(1000);
  const ofKind = (kind: SpanKind) => ended.filter((span) => span.kind === kind);
  expect(ofKind(SpanKind.CLIENT).map(({ attributes }) => attributes['url.full'])).toEqual([
    `${url}/read`,
    `${url}/dumped`,
  ]);
  expect(ofKind(SpanKind.SERVER).map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
    ofKind(SpanKind.CLIENT).map((span) => span.spanContext().spanId),
  );
});
