import dns, { type LookupAddress } from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { NameLookup } from '../../src/transport/lookup.js';
import { readHostsFile } from '../../src/transport/lookup-hosts-file.js';
import { type AnswerDns, askOnly, startDnsServer } from '../support/dns-server.js';

const LOOPBACK_6 = Buffer.from([...Array.from({ length: 15 }, () => 0), 1]);

const cleanups: (() => void)[] = [];
afterEach(() => {
  vi.restoreAllMocks();
  for (const cleanUp of cleanups.splice(0)) cleanUp();
});

async function serveNames(answer: AnswerDns) {
  const server = await startDnsServer(answer);
  cleanups.push(() => server.close(), askOnly(server.address));
  return server;
}

function createLookup(hostname = 'errors.example.com', readHosts?: (name: string) => readonly string[]) {
  const name = new NameLookup(hostname, readHosts ?? (() => []));
  cleanups.push(() => name.close());
  return name;
}

function find({ lookup }: { lookup: LookupFunction }): Promise<LookupAddress[]> {
  return new Promise((resolve, reject) => {
    lookup('', { all: true }, (error, found) => (error ? reject(error) : resolve(found as LookupAddress[])));
  });
}

describe('a name', () => {
  it('is looked up with DNS, and both families are used', async () => {
    await serveNames(() => ({ a: ['192.0.2.1', '192.0.2.2'], aaaa: [LOOPBACK_6] }));
    expect(await find(createLookup())).toEqual([
      { address: '192.0.2.1', family: 4 },
      { address: '192.0.2.2', family: 4 },
      { address: '::1', family: 6 },
    ]);
  });

  it('has its addresses although queries for the other family are not answered', async () => {
    await serveNames((_, type) => (type === 'A' ? { a: ['192.0.2.1'] } : undefined));
    expect(await find(createLookup())).toEqual([{ address: '192.0.2.1', family: 4 }]);
  });

  it('is handed to Node as one address when Node wants one', async () => {
    await serveNames(() => ({ a: ['192.0.2.1'] }));
    const { lookup } = createLookup();
    const one = await new Promise((resolve) => lookup('', {}, (...result) => resolve(result)));
    expect(one).toEqual([null, '192.0.2.1', 4]);
  });

  it('is looked up once for all connections that wait', async () => {
    const { queries } = await serveNames(() => ({ a: ['192.0.2.1'] }));
    const name = createLookup();
    await Promise.all(Array.from({ length: 50 }, () => find(name)));
    expect(queries.sort()).toEqual(['A errors.example.com', 'AAAA errors.example.com']);
  });

  it('keeps its addresses until their time to live is over, or one of them does not answer', async () => {
    const now = vi.spyOn(performance, 'now');
    now.mockReturnValue(1000);
    const { queries } = await serveNames(() => ({ a: ['192.0.2.1'], ttlSeconds: 20 }));
    const name = createLookup();
    await find(name);
    now.mockReturnValue(20_900);
    await find(name);
    expect(queries).toHaveLength(2);
    now.mockReturnValue(21_100);
    await find(name);
    expect(queries).toHaveLength(4);
    name.expire();
    await find(name);
    expect(queries).toHaveLength(6);
  });

  it('keeps its old addresses while it cannot be looked up', async () => {
    let isUp = true;
    await serveNames(() => (isUp ? { a: ['192.0.2.1'] } : 'unknown'));
    vi.spyOn(dns.promises, 'lookup').mockRejectedValue(new Error('unknown'));
    const name = createLookup();
    await find(name);
    isUp = false;
    name.expire();
    expect(await find(name)).toEqual([{ address: '192.0.2.1', family: 4 }]);
  });

  it('that DNS does not know is left to the system, once for all connections that wait', async () => {
    await serveNames(() => 'unknown');
    const system = vi.spyOn(dns.promises, 'lookup').mockResolvedValue([{ address: '::1', family: 6 }] as never);
    const name = createLookup('relay.internal');
    expect(await Promise.all([find(name), find(name)])).toEqual(Array(2).fill([{ address: '::1', family: 6 }]));
    expect(system.mock.calls).toEqual([['relay.internal', { all: true }]]);
  });

  it('occupies one thread when the system hangs, however many requests fail meanwhile', async () => {
    await serveNames(() => 'unknown');
    const system = vi.spyOn(dns.promises, 'lookup').mockReturnValue(new Promise<never>(() => undefined));
    const name = createLookup('relay.internal');
    find(name).catch(() => undefined);
    await vi.waitFor(() => expect(system).toHaveBeenCalled());
    for (let i = 0; i < 10; i++) {
      name.cancel();
      name.expire();
      find(name).catch(() => undefined);
    }
    await new Promise((resolve) => setImmediate(resolve));
    expect(system).toHaveBeenCalledTimes(1);
  });

  it('is not asked of the system when no DNS server answers, or when the look-up is cancelled', async () => {
    const { queries } = await serveNames(() => undefined);
    const system = vi.spyOn(dns.promises, 'lookup');
    const name = createLookup();
    const found = find(name);
    await vi.waitFor(() => expect(queries.length).toBeGreaterThan(0));
    name.cancel();
    await expect(found).rejects.toMatchObject({ code: 'ECANCELLED' });
    await expect(find(name)).rejects.toMatchObject({ code: expect.stringMatching(/ETIMEOUT|ECANCELLED/) });
    expect(system).not.toHaveBeenCalled();
  }, 20_000);

  it('in the hosts file is looked up nowhere else', async () => {
    const { queries } = await serveNames(() => undefined);
    const name = createLookup('errors.example.com', () => ['127.0.0.1', '::1']);
    expect(await find(name)).toEqual([
      { address: '127.0.0.1', family: 4 },
      { address: '::1', family: 6 },
    ]);
    expect(queries).toEqual([]);
  });
});

describe('the hosts file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-hosts-'));
  const path = join(folder, 'hosts');
  writeFileSync(
    path,
    '# comment\n10.0.0.1\tRelay relay.internal # main\r\n::2 relay\nnonsense relay\n10.0.0.3 #relay\n10.0.0.1 relay\n',
  );
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['relay', ['10.0.0.1', '::2']],
    ['RELAY.internal', ['10.0.0.1']],
    ['main', []],
    ['other', []],
    ['localhost', ['127.0.0.1', '::1']],
    ['app.localhost', ['127.0.0.1', '::1']],
  ])('has for %s: %j', (name, addresses) => {
    expect(readHostsFile(name, path)).toEqual(addresses);
  });

  it('may be missing', () => {
    expect(readHostsFile('relay', join(folder, 'none'))).toEqual([]);
  });
});
