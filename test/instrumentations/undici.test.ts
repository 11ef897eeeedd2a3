import { createRequire } from 'node:module';
import { expect, it } from 'vitest';
import { init, startSpan } from '../../src/index.js';
import { serve } from '../integrations/http/servers.js';

const { request } = createRequire(import.meta.url)('undici') as {
  request(url: string): Promise<{ body: { text(): Promise<string>; dump(): Promise<void> } }>;
};

/** Of OTel's `SpanKind`. */
const SERVER = 1;
const CLIENT = 2;

/** What the test reads of OTel's `ReadableSpan`. The API beside this file is another copy than the one that `init` uses. */
interface EndedSpan {
  readonly kind: number;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly parentSpanContext?: { readonly spanId: string };
  spanContext(): { readonly spanId: string };
}

it('each request of the undici package has one CLIENT span and one SERVER span', async () => {
  const ended: EndedSpan[] = [];
  const client = init({
    dsn: 'http://key@127.0.0.1:1/1',
    transport: () => ({ send: async () => ({}), flush: async () => true }),
    tracesSampleRate: 1,
  });
  client.on('spanEnd', (span) => ended.push(span as unknown as EndedSpan));
  const { url, close } = await serve((_, response) => response.end('answer'));
  await startSpan({ name: 'job' }, async () => {
    await (await request(`${url}/read`)).body.text();
    await (await request(`${url}/dumped`)).body.dump();
  });
  await close();
  await client.close(1000);
  const ofKind = (kind: number) => ended.filter((span) => span.kind === kind);
  expect(ofKind(CLIENT).map(({ attributes }) => attributes['url.full'])).toEqual([`${url}/read`, `${url}/dumped`]);
  expect(ofKind(SERVER).map(({ parentSpanContext }) => parentSpanContext?.spanId)).toEqual(
    ofKind(CLIENT).map((span) => span.spanContext().spanId),
  );
});
