import { fork } from 'node:child_process';
import { once } from 'node:events';
import type { CategoryBalance } from '../../../src/index.js';

/** A service in a process of its own. */
export interface Service {
  readonly url: string;
  /** Asks the service to end; resolves with what it says of everything it captured. */
  stop(): Promise<{ flushed: boolean; balance: Record<string, CategoryBalance> }>;
}

/** Starts the service of the tests. */
export async function startService(env: Record<string, string>): Promise<Service> {
  const child = fork(new URL('service.mjs', import.meta.url), { env: { ...process.env, ...env } });
  const [{ port }] = await once(child, 'message');
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      child.send('stop');
      const [report] = await once(child, 'message');
      if (child.exitCode === null) await once(child, 'exit');
      return report;
    },
  };
}
