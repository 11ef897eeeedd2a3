import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it('the example of an integration tells of each failed job what ran before and what waits, and cleans up', async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, ['examples/own-integration/index.js']);
  expect(stderr).toBe('');
  expect(stdout).toMatch(/error Error: mailbox full\n.+examples\/own-integration\/index\.js:\d+/);
  expect(stdout).toContain('tags job=mail\n');
  expect(stdout).toContain('warning; resize started, mail started; 2 waiting\n');
  expect(stdout).toContain('tags job=bill\n');
  expect(stdout).toContain('warning; resize started, mail started, index started, bill started; 0 waiting\n');
  expect(stdout).toContain('received: 2 error | lost: nothing\n');
  expect(stdout).toContain('listeners left on the queue: 0\n');
});
