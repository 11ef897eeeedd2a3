import * as fs from 'node:fs';
import { expect, it } from 'vitest';
import { Ledger } from '../../src/model/delivery/ledger.js';
import { createStore } from '../../src/store/create-store.js';
import { parseFileName } from '../../src/store/file-name.js';
import type { FileSystem } from '../../src/store/file-system.js';
import { createDirectory, filesIn } from './store-rig.js';

const KILLS = 1000;
const DEAD_PID = 2 ** 22 + 1;

/** A process that is killed. */
class Killed extends Error {}

/** A file system of a process that is killed after so many steps; writing a byte is a step, every other change is one. */
function createMortal(steps: number): { readonly fileSystem: FileSystem; readonly isDead: () => boolean } {
  let left = steps;
  let isDead = false;
  const step = () => {
    if (isDead || left <= 0) {
      isDead = true;
      throw new Killed();
    }
    left -= 1;
  };
  const mortal =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    (...args: Args): Result => {
      step();
      return call(...args);
    };
  const writeSync = (descriptor: number, content: Uint8Array, offset: number) => {
    if (isDead || content.byteLength - offset > left) {
      if (!isDead) fs.writeSync(descriptor, content, offset, left);
      isDead = true;
      throw new Killed();
    }
    left -= content.byteLength - offset;
    return fs.writeSync(descriptor, content, offset);
  };
  const { promises } = fs;
  const fileSystem = {
    ...fs,
    promises: {
      ...promises,
      rename: mortal(async (from: string, to: string) => fs.renameSync(from, to)),
      unlink: mortal(async (path: string) => fs.unlinkSync(path)),
    },
    openSync: mortal(fs.openSync),
    // The system closes what a dead process has open.
    closeSync: fs.closeSync,
    renameSync: mortal(fs.renameSync),
    unlinkSync: mortal(fs.unlinkSync),
    writeSync,
  } as unknown as FileSystem;
  return { fileSystem, isDead: () => isDead };
}

/** Numbers from 0 to 1 that are the same in each run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

it(`after each of ${KILLS} kills at any byte, the envelopes that were stored are there, and nothing else`, async () => {
  const seed = Number(process.env['FUZZ_SEED'] ?? 1);
  const random = createRandom(seed);
  const directory = await createDirectory();
  const settings = { transportOptions: { store: { directory } } };
  const openStore = (fileSystem?: FileSystem) => {
    const ledger = new Ledger();
    const options = { env: {}, destination: 'https://key@errors.example.com/1', ledger, fileSystem };
    return { ledger, store: createStore(settings, options)! };
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const bodies = Array.from({ length: 6 }, (_, i) => `${kill}-${i} ${'x'.repeat(random() * 200)}`);
    const { store: writer } = openStore(createMortal(Math.floor(random() * 800)).fileSystem);
    const stored = new Set<string>();
    const envelopes = bodies.map((body) => ({ priority: 0, quantities: [['error', 1]], body }) as const);
    for (const [i, envelope] of envelopes.slice(0, 3).entries()) {
      const file = writer.createFile(envelope);
      // Each third one is first held, as that of a crash.
      if (i === 2 && file.holdSync()) stored.add(envelope.body);
      if (file.releaseSync()) stored.add(envelope.body);
    }
    for (const { body } of writer.writeSync(envelopes.slice(3))) stored.add(body);
    for (const file of filesIn(directory)) pretendOwnerIsDead(directory, file);

    const { store: reader, ledger } = openStore();
    const read: string[] = [];
    for (let taken = await reader.take(); taken; taken = await reader.take()) {
      read.push(Buffer.from(taken.body).toString());
      await taken.file.remove();
    }
    // One that was renamed in the last step is there although the writer did not hear of it.
    for (const body of read) expect(bodies, `kill ${kill}, seed ${seed}`).toContain(body);
    expect(new Set(read).size).toBe(read.length);
    expect(read).toEqual(expect.arrayContaining([...stored]));
    expect(ledger.balance()).toEqual({});
    expect(filesIn(directory)).toEqual([]);
  }
});

it(`after each of ${KILLS} kills of one that sends, what it had not sent is there, and nothing else`, async () => {
  const seed = Number(process.env['FUZZ_SEED'] ?? 1);
  const random = createRandom(seed);
  const directory = await createDirectory();
  const openStore = (fileSystem?: FileSystem) => {
    const ledger = new Ledger();
    const options = { env: {}, destination: 'https://key@errors.example.com/1', ledger, fileSystem };
    return { ledger, store: createStore({ transportOptions: { store: { directory } } }, options)! };
  };
  for (let kill = 0; kill < KILLS; kill++) {
    const bodies = Array.from({ length: 4 }, (_, i) => `${kill}-${i} ${'x'.repeat(random() * 200)}`);
    openStore().store.writeSync(bodies.map((body) => ({ priority: 0, quantities: [['error', 1]], body })));
    const sendAll = async ({ fileSystem, isDead }: Partial<ReturnType<typeof createMortal>>) => {
      const { store, ledger } = openStore(fileSystem);
      const sent: string[] = [];
      for (let taken = await store.take(); taken && !isDead?.(); taken = await store.take()) {
        sent.push(Buffer.from(taken.body).toString());
        await taken.file.remove();
      }
      expect(ledger.balance()).toEqual({});
      return sent;
    };
    // To take the file is a step, and so is to settle one envelope of it.
    const sentBefore = await sendAll(createMortal(Math.floor(random() * 6)));
    for (const file of filesIn(directory)) pretendOwnerIsDead(directory, file);
    const sentAfter = await sendAll({});
    // One that was sent and not yet deleted is sent again.
    const isRepeated = sentBefore.length > 0 && sentAfter[0] === sentBefore.at(-1);
    expect([...sentBefore, ...sentAfter.slice(isRepeated ? 1 : 0)], `kill ${kill}, seed ${seed}`).toEqual(bodies);
    expect(filesIn(directory)).toEqual([]);
  }
});

/** Lets the names of files say that another process, which is dead, has written and held them. */
function pretendOwnerIsDead(directory: string, file: string): void {
  const own = `.${process.pid.toString(16)}.`;
  const path = fs.readdirSync(directory, { recursive: true, encoding: 'utf8' }).find((one) => one.endsWith(file))!;
  if (parseFileName(file)?.holder === undefined && !file.endsWith('.tmp')) return;
  fs.renameSync(`${directory}/${path}`, `${directory}/${path.replaceAll(own, `.${DEAD_PID.toString(16)}.`)}`);
}
