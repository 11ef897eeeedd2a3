import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import ts from 'typescript';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type ReceiverOptions, startReceiver } from '../support/receiver.js';

let folder: string;

/** Makes JavaScript of the sources, so that a process of its own can run them as they are now. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'faultline-transport-'));
  await symlink(resolve('node_modules'), join(folder, 'node_modules'));
  await writeFile(join(folder, 'package.json'), '{"type":"module"}');
  for (const unit of ['internal', 'model', 'transport']) {
    await cp(join('src', unit), join(folder, unit), { recursive: true });
    for (const name of await readdir(join(folder, unit), { recursive: true })) {
      if (!name.endsWith('.ts')) continue;
      const source = await readFile(join(folder, unit, name), 'utf8');
      const compilerOptions = {
        target: ts.ScriptTarget.ES2022,
        module: ts.ModuleKind.ESNext,
        verbatimModuleSyntax: true,
      };
      const { outputText } = ts.transpileModule(source, { compilerOptions });
      await writeFile(join(folder, unit, name.replace(/ts$/, 'js')), outputText);
    }
  }
});

afterAll(() => rm(folder, { recursive: true }));

/** Runs a script that has sent one event; resolves when its process has ended, and rejects when that was a failure. */
async function run(respond: ReceiverOptions['respond'], script: string) {
  const receiver = await startReceiver({ respond });
  const moduleUrl = (path: string) => JSON.stringify(pathToFileURL(join(folder, path)).href);
  const program = `
    import { createOutbox } from ${moduleUrl('transport/create-outbox.js')};
    import { parseDsn } from ${moduleUrl('transport/dsn.js')};
    import { createEventItems } from ${moduleUrl('model/items/event-items.js')};
    import { Ledger } from ${moduleUrl('model/delivery/ledger.js')};
    const settings = {
      enabled: true,
      sendClientReports: true,
      clientReportIntervalMillis: 60_000,
      transportOptions: { timeoutMillis: 60_000 },
    };
    const outbox = createOutbox({ settings, dsn: parseDsn('${receiver.dsn}'), ledger: new Ledger() });
    outbox.send(createEventItems({ event_id: 'a'.repeat(32), timestamp: 1 }, []));
    ${script}`;
  try {
    return await new Promise<string>((resolve, reject) => {
      const args = ['--input-type=module', '--eval', program];
      execFile(process.execPath, args, { timeout: 50_000 }, (error, stdout) =>
        error ? reject(error) : resolve(stdout),
      );
    });
  } finally {
    await receiver.close();
  }
}

it('a request without an answer does not keep the process alive', async () => {
  expect(await run({ hang: true }, `console.log('done');`)).toBe('done\n');
});

it('a connection that is kept does not keep the process alive', async () => {
  expect(await run({}, `console.log(await outbox.flush(5000));`)).toBe('true\n');
});

it('a script that ends in waiting for flush lives until the answer', async () => {
  expect(await run({ delayMillis: 300 }, 'console.log(await outbox.flush(5000));')).toBe('true\n');
  expect(await run({ delayMillis: 300 }, 'console.log(await outbox.flush());')).toBe('true\n');
});

it('a script that ends in waiting for flush lives until time is up', async () => {
  expect(await run({ hang: true }, 'console.log(await outbox.flush(300));')).toBe('false\n');
});
