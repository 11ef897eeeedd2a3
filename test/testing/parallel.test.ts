import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const FILES = 4;
const TESTS_PER_FILE = 250;

/** A file of tests that run at the same time, each of which sees nothing of the others. */
function fileOf(runner: string, file: number): string {
  return `
import assert from 'node:assert';
import { createServer } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { captureException, setTag, startSpan } from 'faultline';
import { anError, assertSent, recordEvents, reset } from 'faultline/testing';
${runner}

suite('file ${file}', () => {
  const sent = recordEvents();
  const server = createServer((request, response) => {
    captureException(new Error('in the server, of ' + request.url));
    response.end();
  });
  before(() => new Promise((resolve) => server.listen(0, '127.0.0.1', resolve)));
  after(async () => {
    server.close();
    server.closeAllConnections();
    await reset();
  });
  for (let id = 0; id < ${TESTS_PER_FILE}; id++) {
    test('test ' + id, () => sent.isolated(async (own) => {
      setTag('test', id);
      await sleep(id % 5);
      if (id % 10 === 0) {
        const url = 'http://127.0.0.1:' + server.address().port + '/' + id;
        await startSpan({ name: 'request' }, () => fetch(url).then((response) => response.text()));
        await own.next('error', 'in the server, of /' + id);
      }
      captureException(new Error('broken ' + id));
      await own.next('error', 'broken ' + id);
      assertSent(own.errors, anError({ value: 'broken ' + id, tags: { test: String(id) } }));
      assert.equal(own.errors.length, id % 10 === 0 ? 2 : 1);
    }));
  }
});
`;
}

const NODE_TEST = `
import { after, before, describe, it } from 'node:test';
const suite = (name, run) => describe(name, { concurrency: true }, run);
const test = it;`;
const VITEST = `
import { afterAll as after, beforeAll as before, describe, test } from 'vitest';
const suite = describe.concurrent;`;

describe('1,000 tests in four files at the same time', () => {
  let folder: string;
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined };

  beforeAll(() => {
    folder = mkdtempSync(join('test', 'tooling', 'tmp-'));
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  function write(runner: string, suffix: string): string[] {
    return Array.from({ length: FILES }, (_, file) => {
      const name = `${file}.${suffix}.mjs`;
      writeFileSync(join(folder, name), fileOf(runner, file));
      return name;
    });
  }

  it('pass with node:test, whose processes end by themselves', async () => {
    const files = write(NODE_TEST, 'node').map((name) => join(folder, name));
    const { stdout } = await promisify(execFile)(process.execPath, ['--test', '--test-reporter=tap', ...files], {
      env,
      maxBuffer: 64 * 1024 * 1024,
    });
    expect(/^# tests (\d+)$/m.exec(stdout)?.[1]).toBe(String(FILES * TESTS_PER_FILE));
    expect(stdout).toMatch(/^# fail 0$/m);
  }, 180_000);

  it('pass with Vitest', async () => {
    write(VITEST, 'vitest');
    writeFileSync(
      join(folder, 'vitest.config.mjs'),
      "export default { test: { include: ['*.vitest.mjs'], maxConcurrency: 100, testTimeout: 60_000 } };",
    );
    const args = [join('node_modules', 'vitest', 'vitest.mjs'), 'run', '--root', folder];
    const { stdout } = await promisify(execFile)(process.execPath, [...args, '--config', 'vitest.config.mjs'], { env });
    expect(stdout).toMatch(new RegExp(`Tests .*${FILES * TESTS_PER_FILE} passed`));
  }, 180_000);
});
