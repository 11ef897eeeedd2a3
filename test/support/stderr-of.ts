import { vi } from 'vitest';
import { type ClientOptions, init } from '../../src/index.js';
import { startReceiver } from './receiver.js';
import { resetSdk } from './story.js';

/**
 * @param options beside the DSN of a destination that accepts everything
 * @param story what happens between the first `init` of a process and `close`
 * @returns what is written to stderr meanwhile
 */
export async function stderrOf(options: object, story: () => unknown): Promise<string> {
  const receiver = await startReceiver();
  resetSdk();
  let written = '';
  const write = vi.spyOn(process.stderr, 'write').mockImplementation((output) => {
    written += String(output);
    return true;
  });
  try {
    const client = init({ dsn: receiver.dsn, ...options } as ClientOptions);
    await story();
    await client.close(5000);
  } finally {
    write.mockRestore();
    resetSdk();
    await receiver.close();
  }
  return written;
}
