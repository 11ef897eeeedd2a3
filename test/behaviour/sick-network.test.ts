import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { resolve } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startDnsServer } from '../support/dns-server.js';

/** Far above `shutdownTimeout`, because tests run on busy machines, and far below what a resolver takes to give up. */
const MAX_LIFE_MILLIS = 10_000;

let server: Awaited<ReturnType<typeof startDnsServer>>;
beforeAll(async () => {
  server = await startDnsServer(() => undefined);
});
afterAll(() => server.close());

interface Report {
  lifeMillis: number;
  ownLookups: number;
  systemLookups: number;
  threadsAtEnd: number;
}

/** A destination that takes no connection: its system does not answer, because more wait than it keeps for a busy server. */
async function startBusyDestination(): Promise<string> {
  const program = `
    const server = require('node:net').createServer().listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      require('node:fs').writeSync(1, String(server.address().port));
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    });`;
  const child = spawn(process.execPath, ['--eval', program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [written] = await once(child.stdout, 'data');
  const waiting = Array.from({ length: 4 }, () => connect(Number(written), '127.0.0.1').on('error', () => undefined));
  onTestFinished(() => {
    for (const socket of waiting) socket.destroy();
    child.kill('SIGKILL');
  });
  return `127.0.0.1:${written}`;
}

/** Runs an application whose DNS server never answers, with one thread in the pool. */
function run(work: string, host = 'errors.example.com'): Promise<{ code: number; report: Report }> {
  const program = `
    const dns = require('node:dns');
    const { Resolver, lookup } = dns.promises;
    dns.promises.Resolver = class extends Resolver {
      constructor(options) { super(options); this.setServers(['${server.address}']); }
    };
    const report = { systemLookups: 0, ownLookups: 0 };
    dns.promises.lookup = (name, options) => { report.systemLookups += 1; return lookup(name, options); };
    const { captureException, init } = require(${JSON.stringify(resolve('dist/index.cjs'))});
    init({ dsn: 'http://key@${host}/1', shutdownTimeout: 300 });
    let endMillis = 0;
    process.on('exit', () => {
      report.lifeMillis = performance.now() - endMillis;
      report.threadsAtEnd = process.getActiveResourcesInfo().filter((type) => type.includes('AddrInfo')).length;
      require('node:fs').writeSync(1, JSON.stringify(report));
    });
    const look = () => new Promise((done) => dns.lookup('127.0.0.1', (error) => done(error ? 0 : 1)));
    const work = async () => { ${work} };
    work().finally(() => { endMillis = performance.now(); });`;
  return new Promise((settle, reject) => {
    const env = { ...process.env, NODE_OPTIONS: '', UV_THREADPOOL_SIZE: '1' };
    execFile(process.execPath, ['--eval', program], { env, timeout: 60_000 }, (error, stdout) => {
      if (error?.killed) reject(error);
      else settle({ code: Number(error?.code ?? 0), report: JSON.parse(stdout) as Report });
    });
  });
}

it('a DNS server that never answers does not keep a finished process alive', async () => {
  const { code, report } = await run('captureException(new Error("last"));');
  expect({ code, ...report, lifeMillis: 0 }).toEqual({
    code: 0,
    lifeMillis: 0,
    ownLookups: 0,
    systemLookups: 0,
    threadsAtEnd: 0,
  });
  expect(report.lifeMillis).toBeLessThan(MAX_LIFE_MILLIS);
}, 60_000);

it('a destination that takes no connection does not keep a finished process alive', async () => {
  const { code, report } = await run('captureException(new Error("last"));', await startBusyDestination());
  expect(code).toBe(0);
  // Node counts a connection that is being made as work, for up to 3 seconds each time.
  expect(report.lifeMillis).toBeLessThan(2500);
}, 60_000);

it('a destination that takes no connection throws nothing into an application that has replaced functions of arrays', async () => {
  const work = `
    captureException(new Error('last'));
    const { filter } = Array.prototype;
    process.prependListener('exit', () => { Array.prototype.filter = filter; });
    Array.prototype.filter = () => { throw new Error('replaced'); };`;
  expect((await run(work, await startBusyDestination())).code).toBe(0);
}, 60_000);

it('a DNS server that never answers takes no thread away from the look-ups of the application', async () => {
  const { report } = await run(`
    for (let i = 0; i < 100; i++) {
      captureException(new Error('error ' + i));
      report.ownLookups += await look();
    }`);
  expect(report).toMatchObject({ ownLookups: 100, systemLookups: 0, threadsAtEnd: 0 });
}, 60_000);

it('a DNS server that never answers does not delay the end after a crash beyond shutdownTimeout', async () => {
  const { code, report } = await run(`setTimeout(() => { throw new Error('crash'); });`);
  expect({ code, threadsAtEnd: report.threadsAtEnd }).toEqual({ code: 1, threadsAtEnd: 0 });
  expect(report.lifeMillis).toBeLessThan(MAX_LIFE_MILLIS);
}, 60_000);
