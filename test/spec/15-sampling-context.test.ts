import { describe, expect, it } from 'vitest';
import { continueTrace, type SamplingContext, startSpan } from '../../src/index.js';
import { request, serve } from '../integrations/http/servers.js';
import { send, UPSTREAM } from './send.js';

/** What `tracesSampler` is asked while a story is told. */
async function asked(story: () => unknown): Promise<SamplingContext[]> {
  const contexts: SamplingContext[] = [];
  await send(story, {
    tracesSampler: (context) => {
      contexts.push(context);
      return 1;
    },
  });
  return contexts;
}

describe('SamplingContext', () => {
  it('name is the name of the span', async () => {
    const [context] = await asked(() => startSpan({ name: 'nightly report' }, () => undefined));
    expect(context?.name).toBe('nightly report');
  });

  it('attributes hold the operation, the HTTP method and what else was given', async () => {
    const attributes = { 'http.method': 'GET', tier: 'free' };
    const [context] = await asked(() => startSpan({ name: 'a', op: 'http.server', attributes }, () => undefined));
    expect(context?.attributes).toMatchObject({ 'svc.op': 'http.server', 'http.method': 'GET', tier: 'free' });
  });

  it.each<[title: string, flag: string | undefined, parentSampled: boolean | undefined]>([
    ['parentSampled is true when the parent was sampled', '-1', true],
    ['parentSampled is false when the parent was not sampled', '-0', false],
    ['parentSampled is undefined for a root span', undefined, undefined],
  ])('%s', async (_, flag, parentSampled) => {
    const sentryTrace = flag && `${UPSTREAM.traceId}-${UPSTREAM.spanId}${flag}`;
    const contexts = await asked(() => continueTrace({ sentryTrace }, () => startSpan({ name: 'a' }, () => undefined)));
    expect(contexts.map((context) => context.parentSampled)).toEqual([parentSampled]);
  });

  it('transactionContext is an object that describes the transaction', async () => {
    const sentryTrace = `${UPSTREAM.traceId}-${UPSTREAM.spanId}-1`;
    const [context] = await asked(() =>
      continueTrace({ sentryTrace }, () => startSpan({ name: 'a', op: 'task' }, () => undefined)),
    );
    expect(context?.transactionContext).toMatchObject({ name: 'a', op: 'task', parentSampled: true });
  });

  it('request is the request that a server handles', async () => {
    const contexts = await asked(async () => {
      const server = await serve((_, response) => startSpan({ name: 'handle' }, () => response.end()));
      await request(`${server.url}/cart?page=2`, { method: 'PUT' });
      await server.close();
      startSpan({ name: 'elsewhere' }, () => undefined);
    });
    const requests = contexts.map(({ name, request }) => [name, request?.['method'], String(request?.['url'])]);
    expect(requests.filter(([, method]) => method)).toEqual([['PUT /cart', 'PUT', expect.stringContaining('/cart')]]);
    expect(requests.at(-1)).toEqual(['elsewhere', undefined, 'undefined']);
  });

  it('location is of browsers only, and absent here', async () => {
    const [context] = await asked(() => startSpan({ name: 'a' }, () => undefined));
    expect(context).not.toHaveProperty('location');
  });
});
