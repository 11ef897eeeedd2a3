import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the exporter example sends a trace of three spans as one transaction, with its error', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['examples/exporter-only/index.js']);
  expect(stderr).toBe('');
  expect(stdout).toContain('POST /orders');
  expect(stdout).toContain('INSERT order');
  expect(stdout).toContain('send receipt');
  expect(stdout).toContain('card expired');
  const received = stdout.split('\n').find((line) => line.startsWith('received:'));
  expect(received).toMatch(/\b1 transaction\b/);
  expect(received).toMatch(/\b3 span\b/);
  expect(received).toMatch(/\b1 error\b/);
  expect(received).toMatch(/lost: nothing/);
});
