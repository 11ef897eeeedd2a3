import dns, { type LookupAddress } from 'node:dns';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { LookupFunction } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NameLookup } from '../../../src/transport/http/lookup.js';
import { readDnsNames, readHostsFile } from '../../../src/transport/http/lookup-files.js';
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
  names: readonly string[] = [hostname],
) {
  const name = new NameLookup(hostname, readHosts, () => names);
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

  it('is looked up under further names, one after the other, until DNS knows one', async () => {
    const { queries } = await serveNames((name) => (name.endsWith('.b.example') ? { a: ['192.0.2.1'] } : 'unknown'));
    const system = vi.spyOn(dns.promises, 'lookup');
    const names = ['relay.a.example', 'relay.b.example', 'relay'];
    expect(await find(createLookup('relay', undefined, names))).toEqual([{ address: '192.0.2.1', family: 4 }]);
    expect(queries.filter((query) => query.startsWith('A '))).toEqual(['A relay.a.example', 'A relay.b.example']);
    expect(system).not.toHaveBeenCalled();
  });

  it('is not asked of the system when the servers of a search domain are silent', async () => {
    await serveNames((name) => (name === 'relay.internal' ? 'unknown' : undefined));
    const system = vi.spyOn(dns.promises, 'lookup');
    const found = find(createLookup('relay.internal', undefined, ['relay.internal', 'relay.internal.a.example']));
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

describe('DNS is asked about the names that the system would ask about', () => {
  const folder = mkdtempSync(join(tmpdir(), 'faultline-resolver-'));
  const path = join(folder, 'resolv.conf');
  beforeEach(() => {
    vi.stubEnv('LOCALDOMAIN', undefined);
    vi.stubEnv('RES_OPTIONS', undefined);
  });
  afterEach(() => void vi.unstubAllEnvs());
  afterAll(() => rmSync(folder, { recursive: true }));

  const pod = 'search default.svc.cluster.local svc.cluster.local\noptions ndots:5 timeout:1\n';
  const inPod = ['default.svc.cluster.local', 'svc.cluster.local'];
  it.each([
    ['nameserver 10.0.0.1\noptions ndots:5\n', 'relay.dev', ['relay.dev']],
    [pod, 'relay.dev', [...inPod.map((domain) => `relay.dev.${domain}`), 'relay.dev']],
    [pod, 'a.b.c.d.e', [...inPod.map((domain) => `a.b.c.d.e.${domain}`), 'a.b.c.d.e']],
    [pod, 'a.b.c.d.e.f', ['a.b.c.d.e.f', ...inPod.map((domain) => `a.b.c.d.e.f.${domain}`)]],
    [pod, 'relay.dev.', ['relay.dev.']],
    ['search a.example\n', 'relay', ['relay.a.example', 'relay']],
    ['search a.example\n', 'relay.dev', ['relay.dev', 'relay.dev.a.example']],
    ['search a.example\noptions ndots:0\n', 'relay', ['relay', 'relay.a.example']],
    ['search a.example\noptions ndots:2 rotate\noptions ndots:1\n', 'a.b', ['a.b', 'a.b.a.example']],
    [
      'search a.example\noptions ndots:99\n',
      `${'a.'.repeat(15)}b`,
      [`${'a.'.repeat(15)}b`, `${'a.'.repeat(15)}b.a.example`],
    ],
    [
      'domain one.example\nsearch\ttwo.example . three.example # comment\n',
      'a',
      ['a.two.example', 'a.three.example', 'a'],
    ],
    ['search a b\n; search c\ndomain d\r\n', 'x', ['x.d', 'x']],
    [`search ${'a b c d e f g h'}\n`, 'x', ['x.a', 'x.b', 'x.c', 'x.d', 'x.e', 'x.f', 'x']],
  ])('%j, %s: %j', (content, hostname, names) => {
    writeFileSync(path, content);
    expect(readDnsNames(hostname, path)).toEqual(names);
  });

  it('with the domains and options of the environment', () => {
    writeFileSync(path, pod);
    vi.stubEnv('RES_OPTIONS', 'ndots:1');
    expect(readDnsNames('relay.dev', path)[0]).toBe('relay.dev');
    vi.stubEnv('LOCALDOMAIN', 'a.example b.example');
    expect(readDnsNames('relay.dev', path)).toEqual(['relay.dev', 'relay.dev.a.example', 'relay.dev.b.example']);
  });

  it('and only about the name itself without the file', () => {
    expect(readDnsNames('relay', join(folder, 'none'))).toEqual(['relay']);
  });
});
