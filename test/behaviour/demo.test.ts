import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const REQUESTS = 120;

it('the demo turns each of its concurrent requests into one distributed trace, and each failure into one error', async () => {
  // So that on a busy machine only that one request times out which should.
  const env = { ...process.env, DEMO_REQUESTS: String(REQUESTS), PAYMENT_TIMEOUT_MILLIS: '8000' };
  const { stdout } = await promisify(execFile)(process.execPath, ['examples/demo.js'], { env }).catch((error) => {
    throw new Error(`exit code ${error.code}\n${error.stdout}\n${error.stderr}`);
  });
  expect(stdout).toMatch(/^product +36 +36 /m);
  expect(stdout).toMatch(/^paid +71 +142 /m);
  expect(stdout).toMatch(/^declined +12 +24 +\d+ +12$/m);
  expect(stdout).toMatch(/^timeout +1 +2 +\d+ +1$/m);
  expect(stdout).toMatch(/received: .*\b13 error\b.*\| lost: nothing/);
  expect(stdout).not.toContain('FAILED');
}, 60_000);
