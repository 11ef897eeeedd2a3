import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import http from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { startService, stopAndBalance } from '../support/services/start-service.js';
import { SETUPS } from './start-app.js';

/** Files in `failures/`, each with the package that it is handed. Instrumentations know packages by their own names only. */
const APPS = [
  { app: 'express', framework: 'express' },
  { app: 'express', framework: 'express', setup: 'early' },
  { app: 'connect', framework: './connect-required.mjs' },
  { app: 'connect', framework: './connect-required.mjs', setup: 'early' },
  { app: 'koa', framework: 'koa' },
  { app: 'hapi', framework: '@hapi/hapi' },
  { app: 'fastify', framework: 'fastify' },
  { app: 'fastify', framework: 'fastify4' },
  { app: 'hono', framework: 'hono' },
  { app: 'nest', framework: './nest11.mjs', setup: 'module' },
  { app: 'nest', framework: './nest11.mjs', setup: 'application' },
];
const PATHS = [
  '/sync/1',
  '/handled/1',
  '/answered/1',
  '/passed-on/1',
  '/not-found/1',
  '/nested/inner/1',
  '/no-route/1',
];
/** What is added anew for each request would show. */
const REPEATED = [...PATHS, ...PATHS, ...PATHS];

interface Span {
  readonly name: string;
  readonly kind: number;
  readonly status: unknown;
  readonly attributes: Readonly<Record<string, unknown>>;
  readonly traceId: string;
}

interface Run {
  readonly receiver: Receiver;
  /** Of each application, what its requests consist of. */
  readonly spans: readonly (readonly string[])[];
}

const folder = mkdtempSync(join(tmpdir(), 'own-spans-'));

function get(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false }, (response) => {
      response.resume().on('close', () => resolve(response.statusCode));
    });
    request.on('error', reject);
  });
}

/** What the requests of an application consist of, as the exporter of the existing setup got it. */
function exported(file: string, port: string): string[] {
  const spans: Span[] = readFileSync(file, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  const isOwn = ({ attributes }: Span) =>
    String(attributes['server.port'] ?? attributes['net.host.port'] ?? attributes['http.host']).endsWith(port);
  const own = new Set(spans.filter((span) => span.kind === 1 && isOwn(span)).map(({ traceId }) => traceId));
  return spans
    .filter(({ traceId }) => own.has(traceId))
    .map(({ name, kind, status }) => JSON.stringify([name, kind, status]))
    .sort();
}

/** The same as the destination got it. */
function received(receiver: Receiver, url: string): string[] {
  return receiver.transactions
    .filter(({ request }) => request?.url?.startsWith(`${url}/`))
    .flatMap(({ spans }) => [
      'request',
      ...spans.map(({ op, description, status }) => `${op} ${description} ${status}`),
    ])
    .sort();
}

async function run(setup: (typeof SETUPS)[number], env: Record<string, string>): Promise<Run> {
  const receiver = await startReceiver();
  const file = join(folder, `${setup}-${Object.keys(env)}`);
  const service = await startService(
    { DSN: receiver.dsn, APPS: JSON.stringify(APPS), PRELOADED: setup, SPANS: file, ...env },
    {
      file: new URL('failures/start.mjs', import.meta.url),
      execArgv: ['--import', new URL(`setup/${setup}.mjs`, import.meta.url).href],
    },
  );
  for (const url of service.urls) for (const path of REPEATED) await get(url + path);
  await stopAndBalance(service, receiver);
  const spans = service.urls.map((url) =>
    setup === 'beside' ? exported(file, new URL(url).port) : received(receiver, url),
  );
  return { receiver, spans };
}

afterAll(() => rmSync(folder, { recursive: true }));

describe.each(SETUPS)('with init %s', (setup) => {
  let [bare, handled]: Run[] = [];

  beforeAll(async () => {
    bare = await run(setup, { WITHOUT_HANDLER: '1' });
    handled = await run(setup, {});
  }, 300_000);

  afterAll(async () => {
    await bare?.receiver.close();
    await handled?.receiver.close();
  });

  it.each(APPS.map((app, index) => ({ ...app, index })))(
    '$framework ($app) $setup: a request has the spans that it has without our error handler',
    ({ index }) => {
      expect(bare!.spans[index]!.length).toBeGreaterThanOrEqual(REPEATED.length);
      expect(handled!.spans[index]).toEqual(bare!.spans[index]);
    },
  );
});
