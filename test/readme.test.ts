import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PROBLEMS } from '../src/diagnosis/problems.js';
import { OPTIONS, variableOf } from '../src/options.js';
import { type Receiver, startReceiver } from './support/receiver.js';

const readme = readFileSync('README.md', 'utf8');
const examples = readme
  .split(/^#{2,3} /m)
  .flatMap((section) =>
    [...section.matchAll(/```js\n([\s\S]*?)```(?:\n\nIt prints:\n\n```text\n([\s\S]*?)```)?/g)].map(
      ([, code, printed]) => ({ title: section.split('\n', 1)[0]!, code: code!, printed }),
    ),
  );

describe('an example of the README', () => {
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

  it.each(examples)('runs as pasted: $title', async ({ title, code, printed }) => {
    const file = join(folder, `${title.replaceAll(' ', '-')}.mjs`);
    writeFileSync(file, code.replaceAll('https://publickey@errors.example.com/1', receiver.dsn));
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [file]);
    expect(stderr).toBe('');
    if (printed) expect(stdout).toBe(printed);
    expect(receiver.violations).toEqual([]);
  });

  it('sends what the README says', () => {
    const sent = receiver.events.flatMap((event) => event.message ?? event.exception.values.at(-1)?.value);
    expect(sent).toEqual(
      expect.arrayContaining(['connection lost', 'cart is stale', 'one event', 'by fetch', 'tagged']),
    );
    expect(sent.filter((one) => one === 'connection lost')).toHaveLength(1);
    expect(sent.filter((one) => one === 'card declined')).toHaveLength(1);
  });
});

describe('the option table of the README', () => {
  const rows = [...readme.matchAll(/^\| `(\w+)` \| (?:`(.+?)`)? ?\| (.+) \|$/gm)];

  it('has one row for each option, in the order of the table in the code', () => {
    expect(rows.map(([, name]) => name)).toEqual(Object.keys(OPTIONS));
  });

  it.each(rows.map(([, name, fallback, meaning]) => ({ name: name!, fallback, meaning: meaning! })))(
    'tells the default and the variable of $name',
    ({ name, fallback, meaning }) => {
      const row = OPTIONS[name as keyof typeof OPTIONS];
      const written = row.default === undefined ? undefined : JSON.stringify(row.default).replaceAll('"', "'");
      expect(fallback).toBe(written);
      expect(meaning.includes(`\`${variableOf(name)}\``)).toBe(row.isPlain === true);
    },
  );
});

describe('the table of problems in the README', () => {
  it('names each of them once, in the order of the table in the code', () => {
    const table = /<!-- problems -->([\s\S]*)<!-- \/problems -->/.exec(readme)?.[1] ?? '';
    const named = [...table.matchAll(/^\| (`.+?`) \|/gm)].flatMap(([, codes]) =>
      codes!.replaceAll('`', '').split(', '),
    );
    expect(named).toEqual(PROBLEMS.map(({ code }) => code));
  });
});
