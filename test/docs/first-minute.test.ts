import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPort } from '../support/find-port.js';
import { blocksOf, readPage } from './pages.js';

const blocks = blocksOf('README.md');
const esm = blocks.find(({ language }) => language === 'js')!.code;
const shown = blocks.find(({ language }) => language === 'text')!.code;
/** The two lines that the README says for CommonJS. */
const [, ...requires] = /`(const http = require.*;)` and\s+`(const .*;)`/.exec(readPage('README.md'))!;

const VARIANTS = [
  { name: 'app.mjs', code: esm },
  { name: 'app.cjs', code: esm.replace(/^import .*\nimport .*\n/, `${requires.join('\n')}\n`) },
  { name: 'app.mts', code: esm.replace('(id)', '(id: number)') },
];

/** Node 20 does not run TypeScript: the same file without types. */
function withoutTypes(code: string): string {
  const compilerOptions = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext };
  return ts.transpileModule(code, { compilerOptions }).outputText;
}

/** Without what differs in each run: bars, durations, ports, and numbers of lines. */
function simplify(printed: string): string[] {
  return printed.split('\n').map((line) =>
    line
      .replaceAll(/[█·]+|[\d.]+ m?s\b|\d+(?= │)/g, '')
      .replace(/\(app.*\)/, '')
      .replace(/localhost:\d+/, 'localhost')
      .replaceAll(/\s+/g, ' ')
      .trim(),
  );
}

describe('the first minute of the README', () => {
  let folder: string;
  beforeAll(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'faultline-first-')));
    mkdirSync(join(folder, 'node_modules'));
    symlinkSync(resolve('.'), join(folder, 'node_modules/faultline'));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(VARIANTS)('prints what the README shows, with $name', { timeout: 120_000 }, async ({ name, code }) => {
    const file = join(folder, name.replace('.mts', '-types.mjs'));
    writeFileSync(file, (name === 'app.mts' ? withoutTypes(code) : code).replaceAll('3000', String(await findPort())));
    const command = ['dev', '--port', String(await findPort()), '--', process.execPath, file];
    const run = promisify(execFile)(process.execPath, [resolve('dist/cli.cjs'), ...command], { cwd: folder });
    const { stderr } = await run;
    // Blank lines of the source are lost with the types.
    const expected = simplify(shown).filter((line) => line !== '│');
    expect(simplify(stderr)).toEqual(expect.arrayContaining(expected));
  });
});
