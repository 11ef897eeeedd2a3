import http from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Event, SpanJSON } from '../../src/index.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { type Service, startService, stopAndBalance } from '../support/services/start-service.js';

const CONCURRENCY = 50;
const agent = new http.Agent({ keepAlive: true, maxSockets: CONCURRENCY });

interface Answer {
  /** Trace id, span id and decision of the service itself. */
  traceparts: [string, string, string];
  /** The number below the rate in traces that are kept. */
  sampleRand: string;
  below: { traceparts: [string, string, string] };
}

function get(url: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    http
      .get(url, { agent }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (part) => {
          text += part;
        });
        response.on('end', () => resolve(JSON.parse(text)));
      })
      .on('error', reject);
  });
}

async function getAll(urls: string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  const remaining = urls.map((url, index) => ({ url, index }));
  const work = async () => {
    for (let one = remaining.pop(); one; one = remaining.pop()) answers[one.index] = await get(one.url);
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return answers;
}

let receivers: Receiver[];
let services: Service[];

/** Two services in processes of their own, each with a receiver of its own. */
async function startBoth(rates: [front: string, back: string]): Promise<void> {
  receivers = [await startReceiver(), await startReceiver()];
  const [ofFront, ofBack] = receivers as [Receiver, Receiver];
  const back = await startService({ DSN: ofBack.dsn, RATE: rates[1] });
  const front = await startService({ DSN: ofFront.dsn, RATE: rates[0], DOWNSTREAM: back.url });
  services = [front, back];
}

async function stopBoth(): Promise<void> {
  for (const [i, service] of services.entries()) await stopAndBalance(service, receivers[i]!);
}

afterAll(async () => {
  agent.destroy();
  await Promise.all(receivers.map((receiver) => receiver.close()));
});

describe('a service with init and OTel’s instrumentations of http and express', () => {
  const requests = 200;
  let answers: Answer[];

  beforeAll(async () => {
    await startBoth(['1', '0']);
    const urls = Array.from({ length: requests }, (_, i) => `${services[0]!.url}/products/${i}?fail=1`);
    answers = await getAll(urls);
    await stopBoth();
  }, 60_000);

  const transactionOf = (receiver: Receiver, traceId: string): Event => {
    const found = receiver.transactions.filter((one: Event) => one.contexts?.trace?.trace_id === traceId);
    expect(found).toHaveLength(1);
    return found[0];
  };

  it('sends one transaction for a request, named by its route, with its children nested as they ran', () => {
    expect(receivers[0]!.transactions).toHaveLength(requests);
    for (const { traceparts } of answers) {
      const transaction = transactionOf(receivers[0]!, traceparts[0]);
      expect(transaction.transaction).toBe('GET /products/:id');
      expect(transaction.transaction_info).toEqual({ source: 'route' });
      expect(transaction.contexts?.trace).toMatchObject({ op: 'http.server', status: 'ok' });
      const spans = transaction.spans as SpanJSON[];
      const load = spans.find(({ description }) => description === 'load');
      const parse = spans.find(({ description }) => description === 'parse');
      expect(parse?.parent_span_id).toBe(load?.span_id);
      const ids = new Set([transaction.contexts?.trace?.span_id, ...spans.map((span) => span.span_id)]);
      expect(spans.every((span) => ids.has(span.parent_span_id))).toBe(true);
    }
  });

  it('is continued by the service it calls: same trace, same decision', () => {
    expect(receivers[1]!.transactions).toHaveLength(requests);
    for (const { traceparts, below } of answers) {
      expect(below.traceparts[0]).toBe(traceparts[0]);
      const front = transactionOf(receivers[0]!, traceparts[0]);
      const back = transactionOf(receivers[1]!, traceparts[0]);
      const call = (front.spans as SpanJSON[]).find(({ op }) => op === 'http.client');
      expect(back.transaction).toBe('GET /stock/:id');
      expect(back.contexts?.trace?.parent_span_id).toBe(call?.span_id);
    }
  });

  it('sends errors with the span, the user and the tag of their own request, and of no other', () => {
    expect(receivers[0]!.events).toHaveLength(requests);
    for (const event of receivers[0]!.events) {
      const id = event.exception?.values?.[0]?.value?.replace('no product ', '');
      expect(event.user).toEqual({ id: `user-${id}` });
      expect(event.tags).toEqual({ product: id });
      expect(event.request?.url).toContain(`/products/${id}`);
      const { trace_id, span_id } = event.contexts!.trace!;
      expect(trace_id).toBe(answers[Number(id)]!.traceparts[0]);
      const spans = transactionOf(receivers[0]!, trace_id!).spans as SpanJSON[];
      expect(spans.find((span) => span.span_id === span_id)?.description).toBe('load');
    }
  });
});

describe('two services with rates of 0.25 and 0.75', () => {
  const requests = 1000;

  it('keep a quarter of the traces, and agree on every one', async () => {
    await startBoth(['0.25', '0.75']);
    const answers = await getAll(Array.from({ length: requests }, (_, i) => `${services[0]!.url}/products/${i}`));
    await stopBoth();
    const [front, back] = receivers.map(
      (receiver) => new Set(receiver.transactions.map((one: Event) => one.contexts?.trace?.trace_id)),
    );
    expect(back).toEqual(front);
    for (const { traceparts, sampleRand, below } of answers) {
      const kept = front!.has(traceparts[0]);
      expect(kept).toBe(Number(sampleRand) < 0.25);
      expect([traceparts[2], below.traceparts[2]]).toEqual(kept ? ['1', '1'] : ['0', '0']);
    }
    // More than four standard deviations.
    expect(Math.abs(front!.size / requests - 0.25)).toBeLessThan(0.06);
  }, 120_000);
});
