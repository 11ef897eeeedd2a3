import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { DEFAULT_PORT, DEFAULT_WAIT_SECONDS } from '../../src/cli/arguments.js';
import { MAX_EVENTS } from '../../src/cli/dev/event-store.js';
import { startTool, writeApp } from './tool.js';

const page = readFileSync('docs/tool.md', 'utf8');

it('docs/tool.md has the numbers of the code', () => {
  expect(page).toContain(`http://127.0.0.1:${DEFAULT_PORT}`);
  expect(page).toContain(`${DEFAULT_WAIT_SECONDS} seconds by default`);
  expect(page).toContain(`newest ${MAX_EVENTS.toLocaleString('en')} events`);
});

it('docs/tool.md shows what `faultline doctor` prints', async () => {
  const { folder, file } = writeApp(`
    import { init } from 'faultline';
    init({ tracesSampleRat: 0.2 });
    setTimeout(() => undefined, 60_000);`);
  const run = startTool(['doctor', file], { FAULTLINE_DSN: 'http://key@127.0.0.1:9/1' }, folder);
  const { stdout, code } = await run.ended();
  expect(page).toContain(`\`\`\`text\n${stdout.trimEnd()}\n\`\`\``);
  expect(code).toBe(1);
});
