import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** Prints how many calls the files of the suite have made, and the seed that repeats them. */
export async function setup({ provide }: TestProject) {
  if (process.env['FUZZ_RUNS']) process.env['FUZZ_SEED'] ??= String(Date.now() % 2 ** 31);
  const folder = await mkdtemp(join(tmpdir(), 'faultline-fuzz-'));
  const file = join(folder, 'calls');
  await writeFile(file, '');
  provide('callsFile', file);
  return async () => {
    const files = (await readFile(file, 'utf8')).trim().split('\n');
    const [calls, kilobytes] = [0, 1].map((column) => files.map((line) => Number(line.split(' ')[column])));
    const sum = calls!.reduce((total, count) => total + count, 0).toLocaleString('en');
    const seed = process.env['FUZZ_SEED'] ?? 'of the normal run';
    console.log(`fuzz: ${sum} public calls, seed ${seed}, at most ${Math.max(...kilobytes!) >> 10} MiB in a process`);
    await rm(folder, { recursive: true });
  };
}

declare module 'vitest' {
  interface ProvidedContext {
    callsFile: string;
  }
}
