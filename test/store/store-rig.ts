import { readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type Client, type ClientOptions, init } from '../../src/index.js';
import type { CategoryBalance } from '../../src/model/delivery/ledger.js';
import type { DataCategory } from '../../src/model/delivery/outcome.js';
import { resetOpenTelemetry } from '../support/story.js';

/** Run after the test, the last one first. */
export function onEnd(cleanUp: () => unknown): void {
  onTestFinished(async () => void (await cleanUp()));
}

/** A folder that exists for one test. */
export async function createDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'faultline-store-'));
  onEnd(() => rm(directory, { recursive: true, force: true }));
  return directory;
}

/** The names of the files below a directory. */
export function filesIn(directory: string): string[] {
  const entries = readdirSync(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

/** A client whose process could have ended: closing it leaves what is not sent to the next one. */
export function start(options: ClientOptions): Client {
  const client = init({ defaultIntegrations: false, ...options });
  onEnd(async () => {
    await client.close(0);
    resetOpenTelemetry();
  });
  return client;
}

/** What the ledger counts, without zeros. */
export function balanceOf({ ledger }: Client): Partial<Record<DataCategory, Partial<CategoryBalance>>> {
  const rows = Object.entries(ledger.balance()).map(([category, counts]) => {
    return [category, Object.fromEntries(Object.entries(counts).filter(([, count]) => count !== 0))] as const;
  });
  return Object.fromEntries(rows.filter(([, counts]) => Object.keys(counts).length > 0));
}
