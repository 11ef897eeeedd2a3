import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { DEFAULT_PORT, DEFAULT_WAIT_SECONDS } from '../../src/cli/arguments.js';
import { MAX_EVENTS } from '../../src/cli/dev/event-store.js';
import { writeApp } from './tool.js';

const page = readFileSync('docs/tool.md', 'utf8');

it('the example of docs/tool.md prints what it says', async () => {
  const [, code, printed] = /```js\n([\s\S]*?)```\n\nIt prints:\n\n```text\n([\s\S]*?)```/.exec(page)!;
  const { folder, file } = writeApp(code!);
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [file], { cwd: folder });
  expect([stdout, stderr]).toEqual([printed, '']);
});

it('docs/tool.md has the numbers of the code', () => {
  expect(page).toContain(`http://127.0.0.1:${DEFAULT_PORT}`);
  expect(page).toContain(`${DEFAULT_WAIT_SECONDS} seconds by default`);
  expect(page).toContain(`newest ${MAX_EVENTS.toLocaleString('en')} events`);
});
