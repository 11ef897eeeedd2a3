import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** What the tests store on disk is in one folder for the run, which is deleted with all that is in it. */
export async function setup({ provide }: TestProject) {
  const root = await mkdtemp(join(tmpdir(), 'faultline-test-store-'));
  provide('storeRoot', root);
  return () => rm(root, { recursive: true, force: true });
}

declare module 'vitest' {
  interface ProvidedContext {
    storeRoot: string;
  }
}
