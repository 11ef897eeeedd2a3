import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const run = promisify(execFile);

const examples = readFileSync('docs/testing.md', 'utf8')
  .split(/^##? /m)
  .flatMap((section) =>
    [...section.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => ({
      title: section.split('\n', 1)[0]!,
      code: code!,
    })),
  );

/** The number of tests that pass; the others run under node:test. Vitest has Jest's globals. */
const IN_VITEST: Record<string, number> = { Vitest: 2, Jest: 1 };
const REQUIRE = "import { createRequire } from 'node:module';\nconst require = createRequire(import.meta.url);\n";

describe('an example of docs/testing.md', () => {
  let folder: string;

  beforeAll(() => {
    // Inside the package, so that it finds the package by its own name.
    folder = mkdtempSync(join('test', 'tooling', 'tmp-'));
    writeFileSync(join(folder, 'vitest.config.mjs'), "export default { test: { include: ['*.mjs'], globals: true } };");
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(examples)(
    'passes as pasted, and its process ends by itself: $title',
    async ({ title, code }) => {
      const name = `${title.replaceAll(/\W/g, '-')}.mjs`;
      writeFileSync(join(folder, name), code.includes('require(') ? REQUIRE + code : code);
      const passing = IN_VITEST[title];
      const args =
        passing !== undefined
          ? [
              join('node_modules', 'vitest', 'vitest.mjs'),
              'run',
              '--root',
              folder,
              '--config',
              'vitest.config.mjs',
              name,
            ]
          : ['--test', '--test-reporter=tap', join(folder, name)];
      const { stdout } = await run(process.execPath, args, { env: { ...process.env, NODE_TEST_CONTEXT: undefined } });
      expect(stdout).toMatch(passing ? new RegExp(`Tests .*${passing} passed`) : /^# fail 0$/m);
    },
    60_000,
  );
});
