import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { event, postEnvelope, report, transaction } from '../support/envelope-bytes.js';

/** Waits for output of a process that matches; looks at everything written since the call. */
function createReader({ stdout }: ChildProcess) {
  let output = '';
  stdout!.setEncoding('utf8').on('data', (text) => {
    output += text;
  });
  return async (pattern: RegExp): Promise<string> => {
    for (;;) {
      const match = pattern.exec(output);
      if (match !== null) return match[1] ?? match[0];
      await once(stdout!, 'data');
    }
  };
}

it('the receiver prints errors at once, and a trace when all of it has arrived', async () => {
  const child = spawn(process.execPath, ['examples/receiver/index.js'], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill());
  const untilPrinted = createReader(child);
  const dsn = await untilPrinted(/FAULTLINE_DSN=(\S+)/);
  const post = (bytes: Buffer) => postEnvelope({ dsn }, bytes);

  await post(event({ server_name: 'shop', exception: { values: [{ type: 'CardError', value: 'expired' }] } }));
  await untilPrinted(/^error CardError: expired\n.*tags none\n[\s\S]*received: 1 error \| lost: nothing/m);
  await post(transaction({ server_name: 'shop', spans: [] }));
  const trace = await untilPrinted(/^(trace .*: 1 span, 1 error[\s\S]*1 transaction, 1 span)/m);
  expect(trace).toMatch(/GET \/ .*shop\n.*✗ CardError: expired/);
  await post(report({ reason: 'x', category: 'error', quantity: 2 }));
  await untilPrinted(/lost: 2 error \(x\)/);
}, 10_000);
