import { buildSync } from 'esbuild';
import { expect, it } from 'vitest';
import { runScript } from '../../integrations/run-script.js';

const { outputFiles } = buildSync({
  entryPoints: ['src/internal/node/stderr.ts'],
  platform: 'node',
  format: 'esm',
  write: false,
});

const write = (text: string) => `${outputFiles[0]!.text}
  setTimeout(() => { writeToStderr(${text}); console.log('done'); }, 200);`;

it('what is written to stderr arrives whole', async () => {
  const { stderr, stdout } = await runScript(write(`'ä'.repeat(100_000)`));
  expect({ stderr: stderr.length, stdout }).toEqual({ stderr: 100_000, stdout: 'done\n' });
});

it('what nobody reads is lost, and nothing else happens', async () => {
  const { status, stdout } = await runScript(write(`'x'.repeat(1_000_000)`), { closesStderr: true });
  expect({ status, stdout }).toEqual({ status: 0, stdout: 'done\n' });
});
