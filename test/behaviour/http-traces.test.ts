import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type BuildOptions, build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { request } from '../integrations/http/servers.js';
import { type ReceivedTransaction, type Receiver, startReceiver } from '../support/receiver.js';
import { startService, stopAndBalance } from '../support/services/start-service.js';

const ROOT = new URL('../..', import.meta.url).pathname;
const SERVICE = new URL('../support/services/plain.mjs', import.meta.url);
const DIST = join(ROOT, 'dist/index.cjs');
/** As in docs/setup.md; packages of OpenTelemetry that are no ES modules ask for it. */
const BANNER = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";

const folder = mkdtempSync(join(tmpdir(), 'faultline-http-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function buildService(name: string, options: BuildOptions): Promise<URL> {
  const outfile = join(folder, name);
  await build({
    entryPoints: [SERVICE.pathname],
    bundle: true,
    platform: 'node',
    outfile,
    logLevel: 'silent',
    ...(options.format === 'esm' && { banner: { js: BANNER } }),
    ...options,
  });
  return pathToFileURL(outfile);
}

const FORMATS: [what: string, file: () => URL | Promise<URL>, count: number][] = [
  ['an ES module', () => SERVICE, 200],
  ['CommonJS', () => buildService('service.cjs', { format: 'cjs', alias: { faultline: DIST }, external: [DIST] }), 20],
  ['a bundle that is an ES module', () => buildService('bundle.mjs', { format: 'esm', minify: true }), 20],
  ['a bundle that is CommonJS', () => buildService('bundle.cjs', { format: 'cjs', minify: true }), 20],
];

describe.each(FORMATS)('a service on node:http that calls init alone, as %s', (_, file, count) => {
  const ids = Array.from({ length: count }, (_, id) => String(id));
  let receiver: Receiver;
  let url: string;
  const named = (name: string) => receiver.transactions.filter(({ transaction }) => transaction === name);
  const only = (name: string): ReceivedTransaction => {
    expect(named(name)).toHaveLength(1);
    return named(name)[0]!;
  };

  beforeAll(async () => {
    receiver = await startReceiver();
    const service = await startService({ DSN: receiver.dsn }, { file: await file() });
    url = service.url;
    await Promise.all(ids.map((id) => request(`${url}/work/${id}`)));
    await Promise.all(ids.map((id) => request(`${url}/fail/${id}`)));
    await stopAndBalance(service, receiver);
  }, 60_000);
  afterAll(() => receiver.close());

  it('sends one transaction for each request', () => {
    const names = ['work', 'fetched', 'got', 'fail'].flatMap((action) => ids.map((id) => `GET /${action}/${id}`));
    expect(receiver.transactions.map(({ transaction }) => transaction).sort()).toEqual(names.sort());
    expect(only('GET /work/1')).toMatchObject({
      transaction_info: { source: 'url' },
      tags: { id: '1' },
      contexts: {
        trace: { op: 'http.server', status: 'ok', origin: 'auto.http.server' },
        response: { status_code: 200 },
      },
      request: { url: `${url}/work/1`, method: 'GET' },
    });
  });

  it('describes it as OTel does', () => {
    const { port } = new URL(url);
    const { data } = only('GET /work/1').contexts.trace;
    expect(data).toMatchObject({
      'http.request.method': 'GET',
      'http.response.status_code': 200,
      'network.protocol.version': '1.1',
      'server.address': '127.0.0.1',
      'server.port': Number(port),
      'url.path': '/work/1',
      'url.scheme': 'http',
    });
    expect(only('GET /fail/1').contexts.trace).toMatchObject({
      status: 'internal_error',
      data: { 'http.response.status_code': 500, 'error.type': '500' },
    });
  });

  it('has the requests that it makes below the request that they were made for', () => {
    for (const id of ids) {
      const { spans, contexts } = only(`GET /work/${id}`);
      const { span_id, trace_id } = contexts.trace;
      expect(spans.map(({ op, description }) => `${op} ${description}`)).toEqual([
        'db.query load',
        `http.client GET ${url}/fetched/${id}`,
        `http.client GET ${url}/got/${id}`,
      ]);
      expect(new Set(spans.map(({ parent_span_id }) => parent_span_id))).toEqual(new Set([span_id]));
      for (const [i, action] of ['fetched', 'got'].entries()) {
        const below = only(`GET /${action}/${id}`).contexts.trace;
        expect(below).toMatchObject({ trace_id, parent_span_id: spans[i + 1]?.span_id });
        expect(spans[i + 1]).toMatchObject({
          status: 'ok',
          origin: i === 0 ? 'auto.http.undici' : 'auto.http.client',
          data: { 'http.request.method': 'GET', 'http.response.status_code': 200, 'server.address': '127.0.0.1' },
        });
      }
    }
  });

  it('names errors after their request, in its trace', () => {
    expect(receiver.events).toHaveLength(count);
    for (const { exception, transaction, contexts } of receiver.events) {
      const id = exception.values[0]!.value!.replace('failed ', '');
      expect(transaction).toBe(`GET /fail/${id}`);
      const { trace_id, span_id } = only(`GET /fail/${id}`).contexts.trace;
      expect(contexts.trace).toMatchObject({ trace_id, span_id });
    }
  });
});
