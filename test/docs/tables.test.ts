import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readLastResults } from '../../bench/results.js';
import { formatMarkdown } from '../../bench/table.js';
import { PROBLEMS } from '../../src/diagnosis/status.js';
import * as faultline from '../../src/index.js';
import { getDefaultIntegrations } from '../../src/integrations/default.js';
import { OPTIONS, variableOf } from '../../src/options.js';
import { readPage } from './pages.js';

/** The cells of a table between two comments. */
function readTable(page: string, name: string): string[][] {
  const table = new RegExp(`<!-- ${name} -->([\\s\\S]*)<!-- /${name} -->`).exec(readPage(page))?.[1] ?? '';
  const rows = table.trim().split('\n').slice(2);
  return rows.map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

/** The first cells of a table, without the marks of code. */
function readNames(page: string, name: string): string[] {
  return readTable(page, name).map(([first]) => first!.replaceAll('`', ''));
}

/** The members of an interface, by its source: its own, and those that it picks of another. */
function membersOf(source: string, name: string): string[] {
  const [, picked = '', body = ''] =
    new RegExp(`interface ${name}\\b(.*)\\{\\n([\\s\\S]*?)^\\}`, 'm').exec(source) ?? [];
  const own = [...body.matchAll(/^ {2}(?:readonly )?(\w+)\??[:(]/gm)].map(([, member]) => member!);
  return [...own, ...[...picked.matchAll(/'(\w+)'/g)].map(([, member]) => member!)];
}

describe('the table of options', () => {
  const rows = [...readPage('docs/options.md').matchAll(/^\| `(\w+)` \| (?:`(.+?)`)? ?\| (.+) \|$/gm)];

  it('has one row for each option, in the order of the table in the code', () => {
    expect(
      rows.map(([, name]) => name),
      'docs/options.md has a row for each option',
    ).toEqual(Object.keys(OPTIONS));
  });

  it.each(rows.map(([, name, fallback, meaning]) => ({ name: name!, fallback, meaning: meaning! })))(
    'tells the default and the variable of $name',
    ({ name, fallback, meaning }) => {
      const row = OPTIONS[name as keyof typeof OPTIONS];
      const written = row.default === undefined ? undefined : JSON.stringify(row.default).replaceAll('"', "'");
      expect(fallback).toBe(written);
      expect(meaning.includes(`\`${variableOf(name)}\``)).toBe(row.hasVariable === true);
    },
  );
});

describe('the table of the options of a receiver', () => {
  it('has each of them once', () => {
    const source = readFileSync('src/receiver/receiver.ts', 'utf8');
    expect(readNames('docs/tool.md', 'receiver options').sort()).toEqual(membersOf(source, 'ReceiverOptions').sort());
  });
});

describe('the table of problems', () => {
  it('names each of them once, in the order of the table in the code', () => {
    const named = readTable('docs/troubleshooting.md', 'problems').flatMap(([codes]) =>
      codes!.replaceAll('`', '').split(', '),
    );
    expect(named, 'docs/troubleshooting.md has a row for each problem').toEqual(PROBLEMS.map(({ code }) => code));
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
    const exported = new Map(factories.map(([factory, create]) => [factory, create().name]));
    expect(named, 'docs/integrations.md has a row for each integration').toEqual(exported);
  });

  it('marks those that are on by default, in the order in which they run', () => {
    const defaults = getDefaultIntegrations({ maxBreadcrumbs: 100 }).map(({ name }) => name);
    const on = rows.flatMap(([, name, isDefault]) => (isDefault === 'on' ? name : []));
    expect(on, 'docs/integrations.md').toEqual(defaults);
    expect(rows.filter(([, , isDefault]) => isDefault !== 'on' && isDefault !== 'off')).toEqual([]);
  });
});

describe('the table of options of integrations', () => {
  const rows = readTable('docs/integrations.md', 'integration options');
  const listed = rows.map(([, option, fallback], i) => {
    const factory = rows.slice(0, i + 1).findLast(([name]) => name !== '')![0];
    return { factory: factory!.replaceAll('`', ''), option: option!.replaceAll('`', ''), fallback };
  });
  const folder = 'src/integrations';
  const files = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((file) => file.endsWith('.ts'));
  const sources = files.map((file) => readFileSync(join(folder, file), 'utf8'));
  const shared = readFileSync('src/frameworks/shared/capture-framework-error.ts', 'utf8');
  const actual = sources.flatMap((source) =>
    [...source.matchAll(/export function (\w+Integration)\(options\?: (\w+)\)([\s\S]*?)^\}/gm)].flatMap(
      ([, factory, type, body]) => {
        const own = membersOf(source, type!);
        const members = own.length > 0 ? own : membersOf(shared, 'ErrorHandlerOptions');
        const [defaults] = body!.split('readOptions(')[1]?.split('}') ?? [];
        return members.map((option) => {
          const literal = new RegExp(`\\b${option}: ('\\w+'|'app:///'|\\d+|true|false|\\[\\])[,\\s]`).exec(
            defaults ?? '',
          );
          return { factory: factory!, option, fallback: literal ? `\`${literal[1]}\`` : '' };
        });
      },
    ),
  );

  it('has a row for each, with its default', () => {
    const byName = (all: typeof listed) => new Map(all.map((one) => [`${one.factory} ${one.option}`, one.fallback]));
    expect(byName(listed)).toEqual(byName(actual));
  });

  it('has them in the order of the table of integrations', () => {
    const order = readNames('docs/integrations.md', 'integrations');
    const factories = [...new Set(listed.map(({ factory }) => factory))];
    expect(factories).toEqual(order.filter((name) => factories.includes(name)));
  });
});

describe('the table of reasons', () => {
  it('names each, and marks those that count as losses', () => {
    const [, union] = /type DiscardReason =([\s\S]*?);\n\n/.exec(
      readFileSync('src/model/delivery/outcome.ts', 'utf8'),
    )!;
    const reasons = [...union!.matchAll(/\| '(\w+)'/g)].map(([, reason]) => reason);
    expect(readNames('docs/delivery.md', 'reasons')).toEqual(reasons);
    const [, losses] = /LOSSES.*\[([^\]]*)\]/.exec(readFileSync('src/model/delivery/ledger.ts', 'utf8'))!;
    const marked = readTable('docs/delivery.md', 'reasons').filter(([, , loss]) => loss === 'yes');
    expect(marked.map(([reason]) => reason!.replaceAll('`', ''))).toEqual(losses!.match(/\w+/g));
  });
});

describe('the tables of what hooks get', () => {
  it.each([
    ['hint', 'src/model/hint.ts', 'EventHint'],
    ['sampling context', 'src/model/options.ts', 'SamplingContext'],
  ])('list all fields: %s', (table, file, type) => {
    expect(readNames('docs/extending.md', table)).toEqual(membersOf(readFileSync(file, 'utf8'), type));
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
