import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import * as fs from 'node:fs';
import { chmodSync, mkdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { diag } from '@opentelemetry/api';
import { describe, expect, it, vi } from 'vitest';
import type { EnvelopeItem } from '../../src/model/delivery/envelope.js';
import type { Priority } from '../../src/model/delivery/item-types.js';
import { Ledger } from '../../src/model/delivery/ledger.js';
import type { StoreOptions } from '../../src/model/delivery/store.js';
import { createStore } from '../../src/store/create-store.js';
import { formatFileName, parseCounts, parseFileName } from '../../src/store/file-name.js';
import type { FileSystem } from '../../src/store/file-system.js';
import { ENVELOPE_FORMAT } from '../../src/transport/formats/envelope-format.js';
import { InFlightItems } from '../../src/transport/outbox/in-flight-items.js';
import { PendingEnvelope } from '../../src/transport/pending-envelope.js';
import { Spool } from '../../src/transport/spool/spool.js';
import { runScript } from '../integrations/run-script.js';
import { startReceiver } from '../support/receiver.js';
import { createDirectory, filesIn, onEnd } from './store-rig.js';

const DESTINATION = 'https://key@errors.example.com/1';

type Failing = Partial<Record<keyof FileSystem, () => never>>;

/** A store, with what is logged and what its ledger counts. */
function open(options: StoreOptions, failing: Failing = {}, clock = { now: Date.now() }) {
  const warn = vi.fn();
  diag.setLogger({ error: vi.fn(), warn, info: vi.fn(), debug: vi.fn(), verbose: vi.fn() });
  onEnd(() => diag.disable());
  const ledger = new Ledger();
  const settings = { transportOptions: { store: options } };
  const fileSystem = { ...fs, ...failing } as FileSystem;
  const store = createStore(settings, {
    env: {},
    destination: DESTINATION,
    ledger,
    fileSystem,
    clock: () => clock.now,
  })!;
  const add = (body: string, priority: Priority = 0) =>
    store.createFile({ priority, quantities: [['error', 1]], body }).releaseSync();
  const takeAll = async () => {
    const bodies: string[] = [];
    for (let taken = await store.take(); taken; taken = await store.take()) {
      bodies.push(Buffer.from(taken.body).toString());
      await taken.file.remove();
    }
    return bodies;
  };
  return { store, add, takeAll, warn, discards: () => ledger.takeUnreported(), balance: () => ledger.balance().error };
}

const NAME = {
  priority: 0 as const,
  createdMillis: 1_000_000,
  bytes: 10,
  envelopes: 1,
  start: 0,
  counts: '',
  owner: '1.2.3.4',
  serial: 1,
};
const CACHE_OVERFLOW = { reason: 'cache_overflow', category: 'error' } as const;

describe('the limits', () => {
  it('the oldest of the least important goes first', async () => {
    const directory = await createDirectory();
    const clock = { now: 1_000_000 };
    const { add, takeAll, discards, balance } = open({ directory, maxItems: 3, maxAgeMillis: 1e9 }, {}, clock);
    for (const [body, priority] of [
      ['session 1', 2],
      ['error 1', 0],
      ['session 2', 2],
      ['error 2', 0],
      ['error 3', 0],
    ] as const) {
      clock.now += 1;
      expect(add(body, priority)).toBe(true);
    }
    expect(discards()).toEqual([{ ...CACHE_OVERFLOW, quantity: 2 }]);
    expect(balance()).toMatchObject({ recovered: 2, discarded: 2 });
    clock.now += 1;
    add('error 4');
    expect(await takeAll()).toEqual(['error 2', 'error 3', 'error 4']);
  });

  it('bytes are limited, too', async () => {
    const directory = await createDirectory();
    const { add, takeAll, discards } = open({ directory, maxBytes: 120 });
    for (const letter of 'abcd') add(letter.repeat(40));
    expect(discards()).toEqual([{ ...CACHE_OVERFLOW, quantity: 2 }]);
    expect(await takeAll()).toEqual(['c'.repeat(40), 'd'.repeat(40)]);
  });

  it('what is too old is discarded', async () => {
    const directory = await createDirectory();
    const clock = { now: 1_000_000 };
    const { add, takeAll, discards } = open({ directory, maxAgeMillis: 1000 }, {}, clock);
    add('old');
    clock.now += 1001;
    add('new');
    expect(await takeAll()).toEqual(['new']);
    expect(discards()).toEqual([{ ...CACHE_OVERFLOW, quantity: 1 }]);
  });

  it('client reports are kept, because nothing else counts what they report', async () => {
    const directory = await createDirectory();
    const clock = { now: 1_000_000 };
    const { store, add, takeAll, discards } = open({ directory, maxItems: 2, maxAgeMillis: 1000 }, {}, clock);
    const report = (body: string) => ({ priority: 2, quantities: [], body }) as const;
    store.writeSync([{ priority: 2, quantities: [['session', 1]], body: 'session' }, report('report 1')]);
    clock.now += 1001;
    for (const letter of 'abc') add(letter);
    store.writeSync([report('report 2')]);
    expect(discards()).toEqual([
      { reason: 'cache_overflow', category: 'session', quantity: 1 },
      { ...CACHE_OVERFLOW, quantity: 1 },
    ]);
    expect(await takeAll()).toEqual(['b', 'c', 'report 1', 'report 2']);
  });

  it('client reports are limited among themselves', async () => {
    const directory = await createDirectory();
    const { store, takeAll } = open({ directory, maxItems: 2 });
    for (const body of ['1', '2', '3']) store.createFile({ priority: 2, quantities: [], body }).releaseSync();
    expect(await takeAll()).toEqual(['2', '3']);
  });
});

describe('two processes', () => {
  it('never take the same envelope', async () => {
    const directory = await createDirectory();
    const [one, other] = [open({ directory }), open({ directory })];
    for (let i = 0; i < 50; i++) one.add(`envelope ${i}`);
    const [a, b] = await Promise.all([one.takeAll(), other.takeAll()]);
    expect([...a, ...b].sort()).toEqual(Array.from({ length: 50 }, (_, i) => `envelope ${i}`).sort());
    expect(filesIn(directory)).toEqual([]);
  });

  it('leave alone what the other holds', async () => {
    const directory = await createDirectory();
    const [one, other] = [open({ directory }), open({ directory })];
    one.add('taken');
    const taken = await one.store.take();
    const copy = one.store.createFile({ priority: 0, quantities: [], body: 'a copy' });
    expect(copy.holdSync()).toBe(true);
    expect(await other.takeAll()).toEqual([]);
    expect(await taken!.file.release()).toBe(true);
    expect(copy.releaseSync()).toBe(true);
    expect((await other.takeAll()).sort()).toEqual(['a copy', 'taken']);
  });

  it.runIf(process.platform === 'linux')('leave alone what the other holds, however long that takes', async () => {
    const directory = await createDirectory();
    const clock = { now: 1_000_000 };
    const [one, other] = [open({ directory }, {}, clock), open({ directory }, {}, clock)];
    one.store.createFile({ priority: 0, quantities: [], body: 'a copy' }).holdSync();
    clock.now += 60 * 60_000;
    expect(await other.takeAll()).toEqual([]);
  });

  /** Changes the name of the holder. */
  const pretendHolder = (directory: string, change: (machine: string, start: string) => string) => {
    const file = filesIn(directory)[0]!;
    const renamed = file.replace(
      /(?<=envelopes\.)(\w+)\.(\w+)\.(\w+)/,
      (_, machine, thread, start) => `${change(machine, start).replace('#', thread)}`,
    );
    fs.renameSync(join(folderIn(directory), file), join(folderIn(directory), renamed));
  };

  it.each([
    ['on another machine', () => '0000.#.1'],
    ['of which nothing is known', (machine: string) => `${machine}.#.0`],
  ])('take over what a process %s has held for more than five minutes', async (_, change) => {
    const directory = await createDirectory();
    const clock = { now: 1_000_000 };
    const [one, other] = [open({ directory }, {}, clock), open({ directory }, {}, clock)];
    one.store.createFile({ priority: 0, quantities: [], body: 'a copy' }).holdSync();
    pretendHolder(directory, change);
    expect(await other.takeAll()).toEqual([]);
    clock.now += 5 * 60_000 + 1;
    expect(await other.takeAll()).toEqual(['a copy']);
  });

  it.each([
    ['with a name that says when', (name: string) => name, false],
    ['with a name as earlier versions gave it', (name: string) => name.replace(/-\d+\.tmp$/, '.tmp'), true],
  ])('delete what a process on another machine did not finish, after five minutes: %s', async (_, rename, atOnce) => {
    const directory = await createDirectory();
    const clock = { now: 1_000_000 };
    const die = () => expect.fail('killed');
    expect(open({ directory }, { renameSync: die, unlinkSync: die }, clock).add('half')).toBe(false);
    const [unfinished] = filesIn(directory);
    const path = folderIn(directory);
    fs.renameSync(join(path, unfinished!), join(path, rename(unfinished!.replace(/^\w+/, '0000'))));
    const { takeAll } = open({ directory }, {}, clock);
    expect(await takeAll()).toEqual([]);
    expect(filesIn(directory)).toHaveLength(atOnce ? 0 : 1);
    clock.now += 5 * 60_000 + 1;
    expect(await open({ directory }, {}, clock).takeAll()).toEqual([]);
    expect(filesIn(directory)).toEqual([]);
  });

  it('take over at once what a process of the same id has held before', async () => {
    const directory = await createDirectory();
    const [one, other] = [open({ directory }), open({ directory })];
    one.store.createFile({ priority: 0, quantities: [], body: 'a copy' }).holdSync();
    pretendHolder(directory, (machine, start) => `${machine}.#.${Number(start) - 1}`);
    expect(await other.takeAll()).toEqual(['a copy']);
  });
});

it.each([
  ['error.1e999', {}],
  ['error.0x10', {}],
  ['__proto__.5', {}],
  ['error.2,__proto__.5', { error: 2 }],
])('of counts in the name of a file (%s), the valid ones are taken', async (counts, expected) => {
  const name = formatFileName({ ...NAME, counts });
  expect(Object.fromEntries(parseCounts(parseFileName(name)!.counts))).toEqual(expected);
});

it('a file whose name claims more bytes than a file has is left alone', async () => {
  expect(parseFileName(formatFileName({ ...NAME, bytes: Number.MAX_SAFE_INTEGER }))).toBeUndefined();
});

it('a relative folder in a working directory that was deleted cannot be written to', async () => {
  const cwd = vi.spyOn(process, 'cwd').mockImplementation(() => {
    throw new Error('ENOENT: no such file or directory, uv_cwd');
  });
  onEnd(() => cwd.mockRestore());
  const { add } = open({ directory: 'relative' }, { mkdirSync: () => expect.fail('not there') });
  expect(add('one')).toBe(false);
});

describe('what is not to be taken yet', () => {
  it('is left until then', async () => {
    const directory = await createDirectory();
    const clock = { now: 1_000_000 };
    const { store, takeAll } = open({ directory }, {}, clock);
    store.createFile({ priority: 0, quantities: [['error', 1]], body: 'later' }).releaseSync(clock.now + 5000);
    expect(store.isEmpty()).toBe(true);
    expect([await takeAll(), store.mayTakeLater]).toEqual([[], true]);
    clock.now += 5000;
    expect(store.isEmpty()).toBe(false);
    expect([await takeAll(), store.mayTakeLater]).toEqual([['later'], false]);
  });

  it('is given up like everything else', async () => {
    const directory = await createDirectory();
    const { store, add, takeAll, discards } = open({ directory, maxItems: 3, transactions: true });
    for (const body of ['error 1', 'error 2']) add(body);
    const later = (body: string) => ({ priority: 1 as const, quantities: [['transaction', 1]] as const, body });
    for (const body of ['a', 'b', 'c']) store.writeSync([later(body)], Date.now() + 5000);
    expect(await takeAll()).toEqual(['error 1', 'error 2']);
    expect(discards()).toEqual([{ reason: 'cache_overflow', category: 'transaction', quantity: 2 }]);
  });

  it('is one file where it was being written already', async () => {
    const directory = await createDirectory();
    const { store, takeAll } = open({ directory });
    const file = store.createFile({ priority: 0, quantities: [['error', 1]], body: 'once' });
    const released = file.release();
    expect([file.releaseSync(Date.now() + 5000), await released]).toEqual([true, true]);
    expect(filesIn(directory)).toHaveLength(1);
    expect(await takeAll()).toEqual(['once']);
  });

  it('is taken at once when the clock was set back', async () => {
    const directory = await createDirectory();
    const clock = { now: 10_000_000 };
    const { store, takeAll } = open({ directory }, {}, clock);
    store.writeSync([{ priority: 0, quantities: [['error', 1]], body: 'later' }], clock.now + 5000);
    clock.now -= 3_600_000;
    expect(await takeAll()).toEqual(['later']);
  });
});

it('the copy of an envelope that was sent is deleted at once when the process ends', async () => {
  const directory = await createDirectory();
  const { store, warn } = open({ directory });
  const file = store.createFile({ priority: 0, quantities: [['error', 1]], body: 'fatal' });
  file.holdSync();
  const removed = file.remove();
  store.releaseSync();
  expect(filesIn(directory)).toEqual([]);
  await removed;
  expect(warn).not.toHaveBeenCalledWith('faultline/store', expect.anything(), expect.anything());
});

it('what is released at once while it is being written is one file, also if another process has taken it meanwhile', async () => {
  const directory = await createDirectory();
  let letOpen = () => {};
  const mayOpen = new Promise<void>((resolve) => {
    letOpen = resolve;
  });
  const promises = { ...fs.promises, open: (...args: [string]) => mayOpen.then(() => fs.promises.open(...args)) };
  const { store } = open({ directory }, { promises } as never);
  const file = store.createFile({ priority: 0, quantities: [['error', 1]], body: 'error' });
  const written = file.release();
  expect(file.releaseSync()).toBe(true);
  expect(await open({ directory }).takeAll()).toEqual(['error']);
  letOpen();
  expect(await written).toBe(true);
  expect(filesIn(directory)).toEqual([]);
});

it('what is released after a failure is what is left by then', async () => {
  const directory = await createDirectory();
  let fails = false;
  const rename = (...args: [string, string]) =>
    fails ? Promise.reject(new Error('no disk')) : fs.promises.rename(...args);
  const { store } = open({ directory }, { promises: { ...fs.promises, rename } } as never);
  store.writeSync(['first', 'second'].map((body) => ({ priority: 0, quantities: [['error', 1]], body }) as const));
  const first = await store.take();
  fails = true;
  expect(await first!.file.release()).toBe(false);
  fails = false;
  await first!.file.remove();
  expect(first!.file.releaseSync()).toBe(true);
  expect(await open({ directory }).takeAll()).toEqual(['second']);
});

describe('envelopes that are written together', () => {
  const envelope = (body: string, priority: Priority = 0) => ({ priority, quantities: [['error', 1]], body }) as const;
  const bodyOf = (taken: { readonly body: Uint8Array } | undefined) => taken && Buffer.from(taken.body).toString();

  it('are written as far as the disk has room', async () => {
    const directory = await createDirectory();
    let left = 30_000;
    const writeSync = (descriptor: number, content: Uint8Array, offset: number) => {
      if (content.byteLength > left) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      left -= content.byteLength;
      return fs.writeSync(descriptor, content, offset);
    };
    const { store } = open({ directory }, { writeSync } as never);
    const envelopes = Array.from({ length: 100 }, (_, i) => envelope(`${i} ${'x'.repeat(1000)}\n`));
    const written = store.writeSync(envelopes);
    expect(written.length).toBeGreaterThan(20);
    expect(written).toEqual(envelopes.slice(0, written.length));
    expect(await open({ directory }).takeAll()).toEqual(written.map(({ body }) => body));
  });

  it('are written although larger ones before them have no room, and a disk that takes nothing is asked a few times', async () => {
    const directory = await createDirectory();
    let asked = 0;
    const writeSync = (descriptor: number, content: Uint8Array, offset: number) => {
      asked += 1;
      if (content.byteLength > 5000) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return fs.writeSync(descriptor, content, offset);
    };
    const { store } = open({ directory }, { writeSync } as never);
    const [large, small, smaller] = [9000, 2000, 1000].map((length) => envelope('x'.repeat(length)));
    expect(store.writeSync([large!, small!, large!, smaller!])).toEqual([small, smaller]);
    // Fewer characters that take more bytes.
    const [umlauts, letters] = [envelope('ü'.repeat(3000)), envelope('x'.repeat(4000))];
    expect(store.writeSync([umlauts, letters])).toEqual([letters]);
    asked = 0;
    const shrinking = Array.from({ length: 100 }, (_, i) => envelope('x'.repeat(9000 - i)));
    expect(store.writeSync(shrinking)).toEqual([]);
    expect(asked).toBeLessThan(90);
  });

  it('are divided at the end of the process, too, where the file that they share has no room', async () => {
    const directory = await createDirectory();
    const writeSync = (descriptor: number, content: Uint8Array, offset: number) => {
      if (content.byteLength > 5000) throw Object.assign(new Error('full'), { code: 'ENOSPC' });
      return fs.writeSync(descriptor, content, offset);
    };
    const promises = { ...fs.promises, open: () => new Promise(() => {}) };
    const { store } = open({ directory }, { writeSync, promises } as never);
    const ledger = new Ledger();
    const inFlight = new InFlightItems(ledger);
    const spool = new Spool({ store, format: ENVELOPE_FORMAT, ledger, inFlight, clock: Date.now });
    const envelopes = ['a', 'b', 'c'].map((id) => {
      const item: EnvelopeItem = [{ type: 'event' }, { event_id: id.repeat(32), message: 'x'.repeat(2500) }];
      inFlight.add(item, [['error', 1]]);
      return new PendingEnvelope([{}, [item]], ENVELOPE_FORMAT);
    });
    for (const one of envelopes) void spool.store(one);
    await vi.waitFor(() => expect(envelopes.every(({ file }) => file !== undefined)).toBe(true));
    expect([...spool.storeSync(envelopes, true)]).toEqual(envelopes);
    expect(await open({ directory }).takeAll()).toHaveLength(3);
  });

  it('share a file, and are taken one by one', async () => {
    const directory = await createDirectory();
    const { store, takeAll } = open({ directory });
    const envelopes = Array.from({ length: 100 }, (_, i) => envelope(`envelope ${i}\n`));
    expect(store.writeSync(envelopes)).toEqual(envelopes);
    expect(filesIn(directory)).toHaveLength(1);
    expect(await takeAll()).toEqual(envelopes.map(({ body }) => body));
    expect(filesIn(directory)).toEqual([]);
  });

  it('have a file for each priority, and no large ones', async () => {
    const directory = await createDirectory();
    const { store, takeAll } = open({ directory });
    const large = Array.from({ length: 4 }, (_, i) => String(i).repeat(100_000));
    store.writeSync([envelope('session', 2), ...large.map((body) => envelope(body)), envelope('report', 2)]);
    expect(filesIn(directory)).toHaveLength(3);
    expect(await takeAll()).toEqual([...large, 'session', 'report']);
  });

  it('have files of a size in bytes, not in characters', async () => {
    const directory = await createDirectory();
    const { store } = open({ directory });
    store.writeSync(Array.from({ length: 4 }, () => envelope('ü'.repeat(100_000))));
    expect(filesIn(directory)).toHaveLength(4);
  });

  it('are given up in small parts when there are too many', async () => {
    const directory = await createDirectory();
    const { store, takeAll, discards } = open({ directory, maxItems: 32 });
    store.writeSync(Array.from({ length: 40 }, (_, i) => envelope(String(i))));
    expect(discards()).toEqual([{ ...CACHE_OVERFLOW, quantity: 8 }]);
    expect(await takeAll()).toEqual(Array.from({ length: 32 }, (_, i) => String(i + 8)));
  });

  it.each(['release', 'releaseSync'] as const)('go on with another process after `%s`', async (release) => {
    const directory = await createDirectory();
    const [one, other] = [open({ directory }), open({ directory })];
    one.store.writeSync(['a', 'b', 'c', 'd'].map((body) => envelope(body)));
    const a = await one.store.take();
    expect(bodyOf(a)).toBe('a');
    // Not awaited: the process may end at once.
    const removed = a!.file.remove();
    const b = await one.store.take();
    expect(bodyOf(b)).toBe('b');
    expect(await b!.file[release]()).toBe(true);
    await removed;
    expect(await other.takeAll()).toEqual(['b', 'c', 'd']);
    expect(filesIn(directory)).toEqual([]);
    expect(other.warn.mock.calls.filter(([name]) => name === 'faultline/store')).toEqual([]);
  });

  it('are left to others, when the process sends no more', async () => {
    const directory = await createDirectory();
    const [one, other] = [open({ directory }), open({ directory })];
    one.store.writeSync(['a', 'b'].map((body) => envelope(body)));
    await (await one.store.take())!.file.remove();
    one.store.releaseSync();
    expect(await one.store.take().then(bodyOf)).toBe('b');
    one.store.releaseSync();
    expect(await other.takeAll()).toEqual(['b']);
  });

  it('are deleted at once when the process ends after the last one was sent', async () => {
    const directory = await createDirectory();
    const { store } = open({ directory });
    store.writeSync(['a', 'b'].map((body) => envelope(body)));
    const removals = [(await store.take())!.file.remove(), (await store.take())!.file.remove()];
    store.releaseSync();
    expect(filesIn(directory)).toEqual([]);
    await Promise.all(removals);
  });

  it.each([
    ['one that is changed is discarded by itself', (content: Buffer) => content.fill('!', 6, 7), ['b', 'c'], 1],
    ['those behind the end of a file are discarded', (content: Buffer) => content.subarray(0, -1), ['a', 'b'], 1],
    ['those behind a damaged line are discarded', (content: Buffer) => content.fill('!', 0, 4), [], 3],
  ])('%s, and counted', async (_, damage, readable, discarded) => {
    const directory = await createDirectory();
    const { store, takeAll, discards } = open({ directory });
    store.writeSync(['aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', 'b', 'c'].map((body) => envelope(body)));
    const path = join(folderIn(directory), filesIn(directory)[0]!);
    const content = fs.readFileSync(path);
    const begin = content.indexOf('aaaa') - 6;
    writeFileSync(path, Buffer.concat([content.subarray(0, begin), damage(content.subarray(begin))]));
    expect((await takeAll()).map((body) => body[0])).toEqual(readable);
    expect(discards()).toEqual([{ reason: 'internal_sdk_error', category: 'error', quantity: discarded }]);
    expect(filesIn(directory)).toEqual([]);
  });
});

it('a damaged file is discarded and counted, and the next one is read', async () => {
  const directory = await createDirectory();
  const { add, takeAll, discards, warn } = open({ directory });
  const pathOf = (file: string) => join(folderIn(directory), file);
  add('short');
  const [short] = filesIn(directory);
  add('changed');
  const changed = filesIn(directory).find((file) => file !== short)!;
  add('whole');
  writeFileSync(pathOf(short!), 'sho');
  writeFileSync(pathOf(changed), fs.readFileSync(pathOf(changed), 'utf8').replace('changed', 'chanGed'));
  writeFileSync(pathOf('something else.txt'), 'not ours');
  expect(await takeAll()).toEqual(['whole']);
  expect(discards()).toEqual([{ reason: 'internal_sdk_error', category: 'error', quantity: 2 }]);
  expect(warn).toHaveBeenCalledTimes(2);
  expect(filesIn(directory)).toEqual(['something else.txt']);
});

it.skipIf(process.platform === 'win32')('what is no file stays where it is, and the next one is read', async () => {
  const directory = await createDirectory();
  const { add, takeAll, discards, warn } = open({ directory });
  add('pipe');
  add('room');
  add('link');
  add('file');
  const [pipe, folder, link] = filesIn(directory)
    .sort()
    .map((file) => join(folderIn(directory), file));
  for (const path of [pipe, folder, link]) rmSync(path!);
  execFileSync('mkfifo', [pipe!]);
  mkdirSync(folder!);
  symlinkSync('/etc/hosts', link!);
  expect(await takeAll()).toEqual(['file']);
  expect(discards()).toEqual([]);
  expect(warn).toHaveBeenCalledExactlyOnceWith(
    'faultline/store',
    expect.stringContaining('a stored file cannot be read'),
    expect.objectContaining({ message: expect.stringContaining('is not a file') }),
  );
  expect(fs.readdirSync(folderIn(directory)).sort()).toEqual([pipe, folder, link].map((path) => basename(path!)));
});

it('of a file that is longer than its name says, the rest is not read', async () => {
  const directory = await createDirectory();
  const { add, takeAll } = open({ directory });
  add('a');
  fs.truncateSync(join(folderIn(directory), filesIn(directory)[0]!), 2 ** 40);
  expect(await takeAll()).toEqual(['a']);
  expect(filesIn(directory)).toEqual([]);
});

it('a file whose name says that it holds nothing is deleted', async () => {
  const directory = await createDirectory();
  const { add, takeAll } = open({ directory });
  add('a');
  const file = filesIn(directory)[0]!;
  const name = formatFileName({ ...parseFileName(file)!, envelopes: 0, counts: '' });
  fs.renameSync(join(folderIn(directory), file), join(folderIn(directory), name));
  await takeAll();
  expect(filesIn(directory)).toEqual([]);
});

it('what is stored while the clock says nothing usable is read', async () => {
  const directory = await createDirectory();
  expect(open({ directory }, {}, { now: Number.NaN }).add('a')).toBe(true);
  expect(await open({ directory }, {}, { now: 1000 }).takeAll()).toEqual(['a']);
});

it('only the user of the process can read what is stored', async () => {
  const directory = await createDirectory();
  open({ directory }).add('private');
  const folder = folderIn(directory);
  for (const path of [folder, dirname(folder)]) expect(statSync(path).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, filesIn(directory)[0]!)).mode & 0o777).toBe(0o600);
});

describe('a folder is refused, and that is said once', () => {
  it.each<[string, (directory: string) => string]>([
    [
      'which every user may write to',
      (directory) => {
        chmodSync(directory, 0o777);
        return 'every user may write to';
      },
    ],
    [
      'which is a symbolic link',
      (directory) => {
        rmSync(directory, { recursive: true });
        mkdirSync(`${directory}-target`);
        onEnd(() => rmSync(`${directory}-target`, { recursive: true }));
        symlinkSync(`${directory}-target`, directory);
        return 'is a symbolic link';
      },
    ],
    [
      'whose inner folder is a symbolic link',
      (directory) => {
        const inner = dirname(folderIn(directory));
        mkdirSync(join(directory, 'target'));
        symlinkSync(join(directory, 'target'), inner);
        return 'is a symbolic link';
      },
    ],
    [
      'whose inner folder others may write to',
      (directory) => {
        const inner = dirname(folderIn(directory));
        mkdirSync(inner);
        chmodSync(inner, 0o770);
        return 'other users may write to';
      },
    ],
    [
      'which is a file',
      (directory) => {
        rmSync(directory, { recursive: true });
        writeFileSync(directory, '');
        return 'is not a folder';
      },
    ],
  ])('one %s', async (_, prepare) => {
    const directory = await createDirectory();
    const message = prepare(directory);
    const { add, takeAll, warn } = open({ directory });
    expect(add('a')).toBe(false);
    expect(add('b')).toBe(false);
    expect(await takeAll()).toEqual([]);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'faultline/store',
      expect.stringContaining('cannot be stored on disk'),
      expect.objectContaining({ message: expect.stringContaining(message) }),
    );
  });

  it.skipIf(process.platform !== 'linux')('one that cannot be made, and whose parent seems to be missing', () => {
    const { add, warn } = open({ directory: '/proc/nowhere/store' });
    expect(add('a')).toBe(false);
    expect(warn).toHaveBeenCalledExactlyOnceWith(
      'faultline/store',
      expect.stringContaining('cannot be stored on disk'),
      expect.objectContaining({ message: expect.stringContaining('ENOENT') }),
    );
  });

  it.skipIf(process.getuid?.() !== 0)('one that belongs to another user', async () => {
    const directory = await createDirectory();
    fs.chownSync(directory, 12_345, 12_345);
    const { add, warn } = open({ directory });
    expect(add('a')).toBe(false);
    expect(String(warn.mock.calls[0]?.[2])).toContain('belongs to another user');
  });
});

it.each(['EROFS', 'ENOSPC', 'EMFILE'])('an error of the disk (%s) is said once and never thrown', async (code) => {
  const directory = await createDirectory();
  const openSync = () => {
    throw Object.assign(new Error(code), { code });
  };
  const promises = { ...fs.promises, open: async () => openSync() };
  const { store, add, warn } = open({ directory }, { openSync, promises } as never);
  expect(add('a')).toBe(false);
  expect(await store.createFile({ priority: 0, quantities: [], body: 'b' }).release()).toBe(false);
  expect(warn).toHaveBeenCalledOnce();
  expect(filesIn(directory)).toEqual([]);
});

it('what cannot be opened for now stays where it is', async () => {
  const directory = await createDirectory();
  open({ directory }).add('a');
  const promises = {
    ...fs.promises,
    open: async () => Promise.reject(Object.assign(new Error(), { code: 'EMFILE' })),
  };
  const { takeAll, discards } = open({ directory }, { promises } as never);
  expect(await takeAll()).toEqual([]);
  expect(discards()).toEqual([]);
  expect(await open({ directory }).takeAll()).toEqual(['a']);
});

it('a folder that is deleted meanwhile is created again', async () => {
  const directory = await createDirectory();
  const { store, add, takeAll } = open({ directory });
  add('gone');
  rmSync(directory, { recursive: true });
  expect(await takeAll()).toEqual([]);
  expect(add('a')).toBe(true);
  rmSync(directory, { recursive: true });
  expect(await store.createFile({ priority: 0, quantities: [], body: 'b' }).release()).toBe(true);
  expect(await takeAll()).toEqual(['b']);
});

it.skipIf(process.getuid?.() !== 0)(
  'a server that begins as root and goes on as another user loses nothing',
  async () => {
    const receiver = await startReceiver();
    onEnd(() => receiver.close());
    receiver.respondWith({ delayMillis: 60_000 });
    // The folder of the tests is for their user alone.
    const directory = fs.mkdtempSync('/tmp/faultline-store-');
    onEnd(() => rmSync(directory, { recursive: true }));
    chmodSync(directory, 0o1777);
    const { stderr, stdout } = await runScript(
      `import { captureException, init } from 'faultline';
    const client = init({ defaultIntegrations: false });
    captureException(new Error('while root'), { captureContext: { level: 'fatal' } });
    setTimeout(() => {
      process.setgroups([]);
      process.setgid(12_345);
      process.setuid(12_345);
      captureException(new Error('afterwards'), { captureContext: { level: 'fatal' } });
      captureException(new Error('unsent'));
      process.on('exit', () => console.log(JSON.stringify(client.ledger.balance().error)));
      process.exit();
    }, 500);`,
      { env: { FAULTLINE_DSN: receiver.dsn, FAULTLINE_STORE_DIR: directory } },
    );
    expect({ stderr, balance: JSON.parse(stdout) }).toMatchObject({
      stderr: '',
      balance: { captured: 3, stored: 3, discarded: 0 },
    });
    const [folder] = fs.readdirSync(join(directory, 'faultline-12345'));
    const files = fs.readdirSync(join(directory, 'faultline-12345', folder!));
    expect(files.reduce((sum, file) => sum + parseFileName(file)!.envelopes, 0)).toBe(3);
  },
);

it('nothing is created before something is stored', async () => {
  const directory = await createDirectory();
  const { takeAll } = open({ directory });
  expect(await takeAll()).toEqual([]);
  expect(fs.readdirSync(directory)).toEqual([]);
});

/** Where the files of this test's destination are. */
function folderIn(directory: string): string {
  const hash = createHash('sha256').update(DESTINATION).digest('hex').slice(0, 16);
  return join(directory, `faultline-${process.getuid!()}`, `v1-${hash}`);
}
