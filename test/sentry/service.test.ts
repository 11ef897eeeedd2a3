import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../support/receiver.js';

describe('a service written for the peer, with another import', () => {
  let receiver: Receiver;
  let child: ChildProcess;
  let folder: string;
  let stderr = '';
  let url: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    // Inside the package, so that it finds the package by its own name.
    folder = mkdtempSync(join('test', 'tooling', 'tmp-'));
    const file = join(folder, 'service.mjs');
    const source = readFileSync('test/sentry/service.ts', 'utf8');
    const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ES2022 };
    writeFileSync(file, ts.transpileModule(source, { compilerOptions }).outputText);
    const env = { ...process.env, DSN: receiver.dsn, SENTRY_DEBUG: 'true' };
    child = fork(file, { env, stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
    child.stderr?.on('data', (chunk) => {
      stderr += chunk;
    });
    const [port] = await once(child.stdout!, 'data');
    url = `http://127.0.0.1:${String(port).trim()}`;
    const get = (path: string, init?: RequestInit) => fetch(url + path, init).then((response) => response.text());
    const page = await get('/products/7', { headers: { 'x-user': 'u1' } });
    expect(page).toMatch(/<meta name="sentry-trace" content="[0-9a-f]{32}-[0-9a-f]{16}-1"\/>/);
    await get('/health');
    const order = JSON.parse(
      await get('/orders', {
        method: 'POST',
        body: JSON.stringify({ kind: 'gift' }),
        headers: { 'content-type': 'application/json' },
      }),
    );
    expect(order.eventId).toBe(order.last);
    const report = JSON.parse(await get('/report'));
    expect(report).toMatchObject({
      description: 'render',
      op: 'render',
      headers: { baggage: expect.stringContaining('sentry-') },
    });
    expect(report.headers['sentry-trace']).toMatch(/^[0-9a-f]{32}-[0-9a-f]{16}-1$/);
    await get('/logged');
    expect(await get('/broken')).toMatch(/^reported as [0-9a-f]{32}$/);
    const exited = once(child, 'exit');
    child.send('stop');
    expect((await exited)[0]).toBe(0);
  }, 60_000);

  afterAll(async () => {
    child.kill();
    await receiver.close();
    rmSync(folder, { recursive: true });
  });

  it('sends its errors with scopes, processors and integrations applied', () => {
    const error = receiver.events.find(({ exception }) => exception?.values.at(-1)?.value === 'card declined');
    expect(error).toMatchObject({
      release: 'shop@1.2.3',
      environment: 'staging',
      server_name: 'shop-1',
      user: { id: 'anonymous' },
      tags: { region: 'eu', service: 'shop', path: '/orders', step: 'payment', processed: 'yes', late: 'yes' },
      extra: { attempt: 2, seenByBeforeSend: true },
      contexts: { build: { builtAt: '2026-01-01' }, machine: { size: 'large' }, Error: { code: 'E_CARD' } },
    });
  });

  it('sends messages, also those of the console', () => {
    const messages = receiver.events.flatMap(({ message }) => message ?? []);
    expect(messages.sort()).toEqual(['an order is strange', 'in a continued trace', 'logged by console.error']);
    const strange = receiver.events.find(({ message }) => message === 'an order is strange');
    expect(strange).toMatchObject({ level: 'warning', fingerprint: ['orders', 'gift'] });
  });

  it('sends what a route throws, and leaves the answer to its own error handler', () => {
    const thrown = receiver.events.find(({ exception }) => exception?.values.at(-1)?.value === 'thrown in a route');
    expect(thrown?.exception.values.at(-1)?.mechanism).toMatchObject({ handled: false });
  });

  it('sends nothing that a filter or beforeSend drops', () => {
    const errors = receiver.events.filter(({ message }) => message === undefined);
    const values = errors.flatMap(({ exception }) => exception?.values.map(({ value }) => value) ?? []);
    expect(values.sort()).toEqual(['card declined', 'thrown in a route']);
  });

  it('sends its traces: sampled, named, continued, and with measurements', () => {
    const names = receiver.transactions.map(({ transaction }) => transaction);
    expect(names).toEqual(
      expect.arrayContaining(['GET /products/:id', 'POST /orders', 'GET /broken', 'clean up', 'continued']),
    );
    expect(names).not.toContain('GET /health');
    const product = receiver.transactions.find(({ transaction }) => transaction === 'GET /products/:id');
    expect(product?.spans).toMatchObject([{ op: 'db.query', origin: 'manual.db', data: { 'db.rows': 1 } }]);
    expect(product?.measurements).toEqual({ rows: { value: 1, unit: 'none' } });
    const continued = receiver.transactions.find(({ transaction }) => transaction === 'continued');
    expect(continued?.contexts.trace?.['trace_id']).toBe('a'.repeat(32));
  });

  it('says once, by name, what is missing', () => {
    const missing = [...stderr.matchAll(/faultline\/sentry (.+?) has no effect/g)].map(([, name]) => name);
    expect(missing.sort()).toEqual([
      'captureCheckIn',
      'expressIntegration',
      'logger.info',
      'metrics.count',
      'postgresIntegration',
      'prismaIntegration',
      'the option enableLogs',
      'the option profilesSampleRate',
      'withMonitor',
    ]);
  });
});
