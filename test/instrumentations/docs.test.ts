import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPort } from '../support/find-port.js';
import { startReceiver } from '../support/receiver.js';

const examples = ['docs/frameworks.md', 'docs/workers-and-serverless.md'].flatMap((page) => {
  const sections = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8').split(/^## /m);
  return sections.flatMap((section) => {
    const title = section.split('\n', 1)[0]!;
    return [...section.matchAll(/```[jt]s\n([\s\S]*?)```/g)].map(([, code]) => ({ title, code: code! }));
  });
});

/** What has to be called for the example to fail; the others fail by themselves. */
const INVOKES: Record<string, string> = { 'AWS Lambda': 'await handler({}).catch(() => undefined);' };
const PATHS: Record<string, string> = {
  'Apollo Server': '/?query={broken}',
  'GraphQL Yoga': '/graphql?query={broken}',
};
/** In these, the application captures the error that it catches. */
const CAPTURES_ITSELF: ReadonlySet<string> = new Set(['Other frameworks']);

describe('an example of the pages on frameworks and workers', () => {
  let folder: string;

  beforeAll(() => {
    // Beside the dependencies of the examples.
    folder = mkdtempSync(new URL('tmp-', import.meta.url).pathname);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(examples)('sends what is broken: $title', async ({ title, code }) => {
    const receiver = await startReceiver();
    const port = await findPort();
    const runnable = `${code.replace('https://publickey@errors.example.com/1', receiver.dsn).replace('3000', String(port))}
      ${INVOKES[title] ?? ''}`;
    const file = join(folder, 'app.mjs');
    const compilerOptions = {
      target: ts.ScriptTarget.ES2022,
      experimentalDecorators: true,
      emitDecoratorMetadata: true,
    };
    writeFileSync(file, ts.transpileModule(runnable, { compilerOptions }).outputText);
    const child = spawn(process.execPath, [file], { stdio: 'ignore' });
    try {
      const isSent = () => receiver.events.length > 0;
      for (let i = 0; i < 100 && !isSent(); i++) {
        const init = { headers: { 'apollo-require-preflight': 'yes' }, signal: AbortSignal.timeout(1000) };
        await fetch(`http://localhost:${port}${PATHS[title] ?? '/broken/7'}`, init).catch(() => undefined);
        await sleep(100);
      }
      expect(receiver.events[0]?.exception.values.at(-1)).toMatchObject({
        value: 'broken',
        mechanism: { handled: CAPTURES_ITSELF.has(title) },
      });
    } finally {
      child.kill();
      await receiver.close();
    }
  });
});
