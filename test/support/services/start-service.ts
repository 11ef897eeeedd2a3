import { fork } from 'node:child_process';
import { once } from 'node:events';
import { expect } from 'vitest';
import type { CategoryBalance } from '../../../src/index.js';
import type { Receiver } from '../receiver.js';

/** A service in a process of its own. */
export interface Service {
  readonly url: string;
  /** One for each application of the process, in their order; the first is `url`. */
  readonly urls: readonly string[];
  /** Asks the service to end; resolves with what it says of everything it captured. */
  stop(): Promise<{ flushed: boolean; balance: Record<string, CategoryBalance> }>;
}

export interface ServiceOptions {
  /** What runs; it calls `announce`. @default service.mjs */
  file?: URL;
  /** Options of Node. */
  execArgv?: string[];
}

/** Starts a service of the tests. */
export async function startService(
  env: Record<string, string>,
  { file = new URL('service.mjs', import.meta.url), execArgv = [] }: ServiceOptions = {},
): Promise<Service> {
  const child = fork(file, { env: { ...process.env, ...env }, execArgv });
  const message = async () => {
    const [first] = await Promise.race([once(child, 'message'), once(child, 'exit')]);
    if (typeof first !== 'object' || first === null) throw new Error(`${file.pathname} ended with status ${first}`);
    return first;
  };
  const { ports } = await message();
  const urls: string[] = ports.map((port: number) => `http://127.0.0.1:${port}`);
  return {
    url: urls[0]!,
    urls,
    async stop() {
      child.send('stop');
      const report = await message();
      if (child.exitCode === null) await once(child, 'exit');
      return report;
    },
  };
}

/** Stops a service; everything that it captured has then been delivered, discarded or stored, as its receiver confirms. */
export async function stopAndBalance(service: Service, receiver: Receiver): Promise<void> {
  const { flushed, balance } = await service.stop();
  const received: Record<string, number> = receiver.counts();
  expect(flushed).toBe(true);
  expect(receiver.violations).toEqual([]);
  for (const [category, { captured, recovered, delivered, discarded, queued, stored }] of Object.entries(balance)) {
    expect({ category, queued }).toEqual({ category, queued: 0 });
    expect(captured + recovered).toBe(delivered + discarded + stored);
    expect({ category, delivered }).toEqual({ category, delivered: received[category] ?? 0 });
  }
}
