import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import * as sentry from '../../src/sentry/sentry.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

const docs = readFileSync('docs/migrate.md', 'utf8');

const [first, second] = [...docs.matchAll(/```js\n([\s\S]*?)```/g)].map(([, code]) => code!);

async function run(code: string): Promise<Receiver> {
  const receiver = await startReceiver();
  const source = code.replace('https://publickey@errors.example.com/1', receiver.dsn);
  const { stderr } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', source]);
  expect(stderr).toBe('');
  await receiver.close();
  return receiver;
}

it('the first example of docs/migrate.md runs as pasted', async () => {
  const { events, transactions } = await run(first!);
  expect(events).toMatchObject([{ tags: { region: 'eu' } }]);
  expect(transactions).toMatchObject([{ transaction: 'job' }]);
});

it('the example of several clients runs as pasted', async () => {
  const { events } = await run(second!);
  expect(events).toMatchObject([{ exception: { values: [{ value: 'of the plugin' }] } }]);
});

it('docs/migrate.md names no function or integration that faultline/sentry lacks', () => {
  const firstCells = [...docs.matchAll(/^\| (.+?) \|/gm)].flatMap(([, cell]) => [...cell!.matchAll(/`(\w+)`/g)]);
  const named = firstCells.flatMap(([, name]) =>
    /Integration$|^(?:setup|get|span|capture|with|instrument)[A-Z]/.test(name!) ? [name!] : [],
  );
  expect(named.length).toBeGreaterThan(20);
  for (const name of named) expect(sentry, name).toHaveProperty(name);
});
