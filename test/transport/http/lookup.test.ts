import dns, { type LookupAddress } from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { NameLookup } from '../../../src/transport/http/lookup.js';
import { readHostsFile, readSearchDomains } from '../../../src/transport/http/lookup-files.js';
import { type AnswerDns, askOnly, startDnsServer } from '../../support/dns-server.js';
import { eventually } from '../../support/eventually.js';

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

function createLookup(
  hostname = 'errors.example.com',
  readHosts: (name: string) => readonly string[] = () => [],
  domains: readonly string[] = [],
) {
  const name = new NameLookup(hostname, readHosts, () => domains);
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

  it('that DNS does not know is looked up in the search domains', async () => {
    const { queries } = await serveNames((name) => (name.endsWith('.b.example') ? { a: ['192.0.2.1'] } : 'unknown'));
    const system = vi.spyOn(dns.promises, 'lookup');
    const name = createLookup('relay.internal', undefined, ['a.example', 'b.example', 'c.example']);
    expect(await find(name)).toEqual([{ address: '192.0.2.1', family: 4 }]);
    const names = queries.filter((query) => query.startsWith('A ')).map((query) => query.slice('A '.length));
    expect(names).toEqual(['relay.internal', 'relay.internal.a.example', 'relay.internal.b.example']);
    expect(system).not.toHaveBeenCalled();
  });

  it('is not asked of the system when the servers of a search domain are silent', async () => {
    await serveNames((name) => (name === 'relay.internal' ? 'unknown' : undefined));
    const system = vi.spyOn(dns.promises, 'lookup');
    const found = find(createLookup('relay.internal', undefined, ['a.example']));
    await expect(found).rejects.toMatchObject({ code: expect.stringMatching(/ETIMEOUT|ECANCELLED/) });
    expect(system).not.toHaveBeenCalled();
  }, 20_000);

  it('is not asked of the system when one DNS server fails and another is silent', async () => {
    const failing = await serveNames(() => 'failed');
    const silent = await serveNames(() => undefined);
    cleanups.push(askOnly(failing.address, silent.address));
    const system = vi.spyOn(dns.promises, 'lookup');
    await expect(find(createLookup())).rejects.toThrow();
    expect([failing, silent].every(({ queries }) => queries.length > 0)).toBe(true);
    expect(system).not.toHaveBeenCalled();
  }, 20_000);

  it('with a dot at its end is looked up in no other domain', async () => {
    const { queries } = await serveNames(() => 'unknown');
    vi.spyOn(dns.promises, 'lookup').mockRejectedValue(new Error('unknown'));
    await expect(find(createLookup('relay.internal.', undefined, ['a.example']))).rejects.toThrow('unknown');
    expect(new Set(queries)).toEqual(new Set(['A relay.internal', 'AAAA relay.internal']));
  });

  it('has its addresses although it has none of the first family', async () => {
    await serveNames((_, type) => (type === 'AAAA' ? { aaaa: [LOOPBACK_6] } : {}));
    expect(await find(createLookup())).toEqual([{ address: '::1', family: 6 }]);
  });

  it('that was unknown is looked up again for the next connection', async () => {
    let isKnown = false;
    await serveNames(() => (isKnown ? { a: ['192.0.2.1'] } : 'unknown'));
    vi.spyOn(dns.promises, 'lookup').mockRejectedValue(new Error('unknown'));
    const name = createLookup();
    await expect(find(name)).rejects.toThrow('unknown');
    isKnown = true;
    expect(await find(name)).toEqual([{ address: '192.0.2.1', family: 4 }]);
  });

  it('without a time to live keeps its addresses for a second', async () => {
    const now = vi.spyOn(performance, 'now');
    now.mockReturnValue(1000);
    const { queries } = await serveNames(() => ({ a: ['192.0.2.1'], ttlSeconds: 0 }));
    const name = createLookup();
    await find(name);
    now.mockReturnValue(1900);
    await find(name);
    expect(queries).toHaveLength(2);
    now.mockReturnValue(2100);
    await find(name);
    expect(queries).toHaveLength(4);
  });

  it('occupies one thread when the system hangs, however many requests fail meanwhile', async () => {
    await serveNames(() => 'unknown');
    const system = vi.spyOn(dns.promises, 'lookup').mockReturnValue(new Promise<never>(() => undefined));
    const name = createLookup('relay.internal');
    find(name).catch(() => undefined);
    await eventually(() => expect(system).toHaveBeenCalled());
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
    await eventually(() => expect(queries.length).toBeGreaterThan(0));
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

describe('the search domains', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-resolver-'));
  const path = join(folder, 'resolv.conf');
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
    ['nameserver 10.0.0.1\noptions ndots:5\n', []],
    ['search default.svc.cluster.local svc.cluster.local\n', ['default.svc.cluster.local', 'svc.cluster.local']],
    ['domain one.example\nsearch\ttwo.example . three.example # comment\n', ['two.example', 'three.example']],
    ['search a b\n; search c\ndomain d\r\n', ['d']],
    [`search ${'a b c d e f g h'}\n`, ['a', 'b', 'c', 'd', 'e', 'f']],
  ])('of %j are %j', (content, domains) => {
    writeFileSync(path, content);
    expect(readSearchDomains(path)).toEqual(domains);
  });

  it('are none without the file', () => {
    expect(readSearchDomains(join(folder, 'none'))).toEqual([]);
  });
});
