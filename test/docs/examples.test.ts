import { type ChildProcess, execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPort } from '../support/find-port.js';
import { type Receiver, startReceiver } from '../support/receiver.js';
import { blocksOf, isProgram, PAGES, RUN_ELSEWHERE, readPage } from './pages.js';

const DSN = 'https://publickey@errors.example.com/1';

/** The commands of the pages, each with a test that runs it. */
const COMMANDS: Record<string, string> = {
  'npm install faultline @opentelemetry/api': 'test/matrix/installation.js',
  'npx faultline dev --stay -- node app.mjs': 'test/docs/first-minute.test.ts',
  [`FAULTLINE_DSN=${DSN} node --import faultline/register app.js`]: 'test/register.test.ts',
  'npx esbuild app.js --bundle --platform=node --format=cjs --outfile=dist/app.cjs': 'test/behaviour/bundled.test.ts',
  [`npx esbuild app.js --bundle --platform=node --format=esm --outfile=dist/app.mjs \\
  --banner:js="import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);"`]:
    'test/behaviour/bundled.test.ts',
  'https_proxy=http://user:password@proxy.example.com:3128 node app.js': 'test/transport/http/proxy.test.ts',
  'npx faultline dev -- node app.js': 'test/cli/dev.test.ts',
  'npx faultline dev -- node --import faultline/register app.js': 'test/cli/dev.test.ts',
  'npx faultline doctor app.js': 'test/cli/doctor.test.ts',
  [`FAULTLINE_DSN=${DSN} npx faultline send-test`]: 'test/cli/doctor.test.ts',
  'npm ci && npm run demo': 'test/behaviour/demo.test.ts',
  'npm cit': '.ci/run',
};

/**
 * What is no example: diagrams, JSON that the test of the package installs with, and output, which the test of the README
 * compares. Output behind "It prints:" belongs to its example and is no block of its own.
 */
const NO_EXAMPLES = ['mermaid', 'json', 'text'];

const blocks = PAGES.flatMap(blocksOf);
const examples = blocks.filter((block) => isProgram(block) && !(block.page in RUN_ELSEWHERE));

describe('an example', () => {
  let receiver: Receiver;
  let folder: string;

  beforeAll(async () => {
    receiver = await startReceiver();
    // Inside the package, so that it finds the package by its own name.
    folder = mkdtempSync(join('test', 'tooling', 'tmp-'));
  });

  afterAll(async () => {
    await receiver.close();
    rmSync(folder, { recursive: true });
  });

  it.each(examples)('runs as pasted: $page, $title', async ({ page, title, code, printed }) => {
    const file = join(
      folder,
      `${page}-${title}`.replaceAll(/\W+/g, '-') + (code.includes('require(') ? '.cjs' : '.mjs'),
    );
    const port = await findPort();
    writeFileSync(file, code.replaceAll(DSN, receiver.dsn).replaceAll('3000', String(port)));
    // As `faultline dev` does; options win over the variables.
    const env = { ...process.env, FAULTLINE_DSN: receiver.dsn, FAULTLINE_TRACES_SAMPLE_RATE: '1', FAULTLINE_DEV: '1' };
    const run = promisify(execFile)(process.execPath, [file], { env });
    if (code.includes("'SIGTERM'")) await terminate(run.child, port);
    const { stdout, stderr } = await run;
    expect(stderr).toMatch(title === 'Send errors only' ? /^faultline: only errors are shown, .*\n$/ : /^$/);
    if (printed) expect(stdout).toBe(printed);
    expect(receiver.violations).toEqual([]);
  });

  it('sends what the page says', () => {
    const sent = receiver.events.flatMap((event) => event.message ?? event.exception.values.at(-1)?.value);
    expect(sent).toEqual(
      expect.arrayContaining([
        'cart is stale',
        'one event',
        'by fetch',
        'tagged',
        '[Filtered] is locked',
        'of the plugin',
      ]),
    );
    expect(sent.filter((one) => one === 'order 7 is gone')).toHaveLength(1);
    expect(sent.filter((one) => one === 'card declined')).toHaveLength(1);
  });
});

/** Sends SIGTERM to a process that listens at a port. */
async function terminate(child: ChildProcess, port: number): Promise<void> {
  const isListening = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, 'localhost', () => resolve(true)).on('error', () => resolve(false));
      socket.end();
    });
  while (child.exitCode === null && !(await isListening())) await sleep(20);
  child.kill('SIGTERM');
}

describe('every block of every page', () => {
  it('is an example that some test runs, a command that some test runs, or no example', () => {
    const unknown = blocks.filter(
      (block) => !isProgram(block) && block.language !== 'sh' && !NO_EXAMPLES.includes(block.language),
    );
    expect(unknown).toEqual([]);
    const commands = blocks.flatMap(({ language, code }) => (language === 'sh' ? code.trim() : []));
    expect(new Set(commands)).toEqual(new Set(Object.keys(COMMANDS)));
    expect(Object.values(COMMANDS).filter((file) => !existsSync(file))).toEqual([]);
  });

  it('of output is compared with what its command or example prints', () => {
    const pages = blocks.flatMap(({ language, page }) => (language === 'text' ? page : []));
    // Compared by test/docs/first-minute.test.ts and test/cli/docs.test.ts.
    expect(pages).toEqual(['README.md', 'docs/tool.md']);
  });

  it('is found, however its fences are written', () => {
    for (const page of PAGES) {
      const fences = readPage(page).match(/^\s*(```|~~~)/gm)?.length ?? 0;
      const outputs = blocksOf(page).filter(({ printed }) => printed !== undefined).length;
      expect(2 * (blocksOf(page).length + outputs), page).toBe(fences);
    }
  });

  it('of pages that another test runs is read by that test', () => {
    for (const [page, file] of Object.entries(RUN_ELSEWHERE)) expect(readPage(file)).toContain(page);
  });
});
