import { describe, expect, it } from 'vitest';
import { readLastResults } from '../../bench/results.js';
import { formatMarkdown } from '../../bench/table.js';
import { PROBLEMS } from '../../src/diagnosis/problems.js';
import * as faultline from '../../src/index.js';
import { getDefaultIntegrations } from '../../src/integrations/default.js';
import { OPTIONS, variableOf } from '../../src/options.js';
import { readPage } from './pages.js';

/** The cells of a table between two comments. */
function readTable(page: string, name: string): string[][] {
  const table = new RegExp(`<!-- ${name} -->([\\s\\S]*)<!-- /${name} -->`).exec(readPage(page))?.[1] ?? '';
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) => row.slice(2, -2).split(' | '));
}

describe('the table of options', () => {
  const rows = [...readPage('docs/options.md').matchAll(/^\| `(\w+)` \| (?:`(.+?)`)? ?\| (.+) \|$/gm)];

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

describe('the table of problems', () => {
  it('names each of them once, in the order of the table in the code', () => {
    const named = readTable('docs/troubleshooting.md', 'problems').flatMap(([codes]) =>
      codes!.replaceAll('`', '').split(', '),
    );
    expect(named).toEqual(PROBLEMS.map(({ code }) => code));
  });
});

describe('the table of integrations', () => {
  const rows = readTable('docs/integrations.md', 'integrations').map((cells) =>
    cells.map((cell) => cell.replaceAll('`', '')),
  );
  const factories = Object.entries(faultline).filter(([name]) => name.endsWith('Integration')) as [
    string,
    () => { name: string },
  ][];

  it('has a row for each, with the name that turns it off', () => {
    const named = new Map(rows.map(([factory, name]) => [factory, name]));
    expect(named).toEqual(new Map(factories.map(([factory, create]) => [factory, create().name])));
  });

  it('marks those that are on by default, in the order in which they run', () => {
    const defaults = getDefaultIntegrations({ maxBreadcrumbs: 100 }).map(({ name }) => name);
    expect(rows.flatMap(([, name, isDefault]) => (isDefault === 'on' ? name : []))).toEqual(defaults);
    expect(rows.filter(([, , isDefault]) => isDefault !== 'on' && isDefault !== 'off')).toEqual([]);
  });
});

describe('the tables of measurements', () => {
  it('are those of the committed results', () => {
    const page = readPage('docs/performance.md');
    for (const [name, table] of Object.entries(formatMarkdown(readLastResults()!))) {
      expect(page).toContain(`<!-- ${name} -->\n${table}\n<!-- /${name} -->`);
    }
  });
});
