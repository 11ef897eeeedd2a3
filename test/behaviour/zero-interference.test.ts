import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.js';

const WORKLOAD = 'test/support/beside-otel/workload.mjs';

interface Attribute {
  readonly key: string;
  readonly value: { stringValue?: string };
}

interface Span {
  readonly spanId: string;
  readonly name: string;
  readonly attributes: Attribute[];
  readonly events: { readonly attributes: Attribute[] }[];
}

/** What the exporters of the application would send: resources with their scopes with their spans. */
interface Exported {
  readonly resourceSpans: { readonly scopeSpans: { readonly scope: object; readonly spans: Span[] }[] }[];
}

interface Run {
  readonly simple: Exported;
  readonly batched: Exported;
}

function expectTagsOfTheirOwnRequest({ events }: Receiver): void {
  for (const { tags, request } of events) expect(request?.url).toContain(String(tags['path']));
}

/** Runs the workload in a process of its own. */
async function run(env: Record<string, string | undefined>): Promise<Run> {
  const options = { env: { ...process.env, ...env }, maxBuffer: 2 ** 26 };
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [WORKLOAD], options);
  expect(stderr).toBe('');
  return JSON.parse(stdout, normalize) as Run;
}

const TIMES = new Set(['startTimeUnixNano', 'endTimeUnixNano', 'timeUnixNano']);
/** Which the system gives anew each time. */
const PORTS = /^(net|client|server|network)\.(host\.|peer\.)?port$/;

/** Leaves out what differs between any two runs: when something happened, and which ports the system gave. */
function normalize(key: string, value: unknown): unknown {
  if (TIMES.has(key)) return 'time';
  const attribute = value as Attribute | undefined;
  if (attribute?.key && PORTS.test(attribute.key)) return { key: attribute.key, value: 'port' };
  if (attribute?.key !== 'exception.stacktrace') return value;
  // Calls that led to the application's code may go through ours.
  const lines = attribute.value.stringValue
    ?.split('\n')
    .filter((line) => !/^\s+at /.test(line) || line.includes(WORKLOAD));
  return { key: attribute.key, value: lines };
}

const spansOf = ({ resourceSpans }: Exported): Span[] =>
  resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans));

const PARTS = ['cache.miss', '"why"', 'exception.stacktrace', 'vendor=1', 'baggage.tenant', 'seen.traceparent'];

const BESIDE: [does: string, env: { FAULTLINE: 'parts' | 'processor'; OUR_RATE: string; OUR_TRANSPORT?: 'fetch' }][] = [
  ['wants every trace', { FAULTLINE: 'parts', OUR_RATE: '1' }],
  ['wants half of the traces', { FAULTLINE: 'parts', OUR_RATE: '0.5' }],
  ['wants none of the traces that begin here', { FAULTLINE: 'parts', OUR_RATE: '0' }],
  ['does not trace', { FAULTLINE: 'parts', OUR_RATE: '' }],
  ['is nothing but a span processor', { FAULTLINE: 'processor', OUR_RATE: '1' }],
];

describe.each(['1', '0.5', '0'])('an application that keeps %s of its traces', (THEIR_RATE) => {
  let alone: Run;

  beforeAll(async () => {
    alone = await run({ FAULTLINE: 'none', THEIR_RATE });
  });

  it('exports every kind of span without Faultline', () => {
    const names = new Set(spansOf(alone.simple).map(({ name }) => name));
    const text = JSON.stringify(alone.simple);
    // Of the traces that began upstream some are sampled in any case.
    expect([...names]).toEqual(
      expect.arrayContaining(['outer', 'renamed', 'fails', 'GET', 'GET /nested', 'GET /failing', 'GET /calling']),
    );
    for (const part of PARTS) expect(text).toContain(part);
    expect(names.has('work of the application')).toBe(THEIR_RATE === '1');
    expect(names.has('GET /throwing')).toBe(THEIR_RATE !== '0');
  });

  // Half of the traces is the case in which the two decisions differ.
  it.each(THEIR_RATE === '0.5' ? BESIDE : BESIDE.slice(0, 2))('exports the same beside one that %s', async (_, env) => {
    const receiver = await startReceiver();
    try {
      const beside = await run({ ...env, THEIR_RATE, DSN: receiver.dsn });
      expect(beside).toEqual(alone);
      expect(receiver.violations).toEqual([]);
      // Own requests were made, in the middle of the application's instrumentation.
      expect(receiver.events.length).toBeGreaterThan(10);
      expectTagsOfTheirOwnRequest(receiver);
      // Of the traces that began upstream we continue some in any case.
      expect(receiver.transactions.length > 0).toBe(env.OUR_RATE !== '');
    } finally {
      await receiver.close();
    }
  });
});
