import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as sentry from '../../src/sentry/sentry.js';
import { startReceiver } from '../support/receiver.js';

const docs = readFileSync('docs/migrate.md', 'utf8');
const [, example] = /```js\n([\s\S]*?)```/.exec(docs)!;

it('the first example of docs/migrate.md runs as pasted', async () => {
  const receiver = await startReceiver();
  const source = example!.replace('https://publickey@errors.example.com/1', receiver.dsn);
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source]);
  await receiver.close();
  expect(stderr).toBe('');
  const { events, transactions } = receiver;
  expect(events).toMatchObject([{ tags: { region: 'eu' } }]);
  expect(transactions).toMatchObject([{ transaction: 'job' }]);
});

it('docs/migrate.md names no function or integration that faultline/sentry lacks', () => {
  const firstCells = [...docs.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)]);
  const named = firstCells.flatMap(([, name]) =>
    /Integration$|^(?:setup|get|span|capture|with|instrument)[A-Z]/.test(name!) ? [name!] : [],
  );
  expect(named.length).toBeGreaterThan(20);
  for (const name of named) expect(sentry, name).toHaveProperty(name);
});
