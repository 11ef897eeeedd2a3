import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { problemsOf, type Row, readSpecFile, readTable } from './coverage.js';

/** How many rows and rules each section of the specification has, in its order. */
const ROWS: Record<string, number> = {
  'What the service does': 9,
  Event: 29,
  'Enumerations and primitives': 7,
  EventHint: 9,
  Exception: 7,
  Mechanism: 6,
  RequestEventData: 7,
  Attachment: 3,
  Breadcrumb: 6,
  User: 5,
  Scope: 33,
  Span: 3,
  'SpanAttributeValue and SpanAttributes': 18,
  SpanJSON: 15,
  SamplingContext: 6,
  'Dynamic sampling context': 5,
  'Configuration options': 31,
  'Sampling rules': 7,
  'States and transitions': 7,
  Endpoints: 5,
  'Scope methods': 19,
  Capture: 9,
  'Global functions': 7,
  'Span creation': 10,
  'Span methods': 7,
  Authentication: 3,
  Events: 9,
  Errors: 9,
  Limits: 11,
  Versioning: 2,
};

const folder = new URL('.', import.meta.url);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .sort()
  .map((name) => readSpecFile(name, readFileSync(new URL(name, folder), 'utf8')));
const rows = readTable(readFileSync(new URL('README.md', folder), 'utf8'));

describe('the table of the specification', () => {
  it('maps every row to a test that exists, and every test to a row', () => {
    expect(problemsOf(rows, files)).toEqual([]);
  });

  it('has every row', () => {
    const sections = [...new Set(rows.map(({ section }) => section))];
    const counts = sections.map((section) => {
      const rules = rows.filter((row) => row.section === section).map(({ rule }) => rule);
      return [section, new Set(rules).size];
    });
    expect(Object.fromEntries(counts)).toEqual(ROWS);
    expect(sections).toEqual(Object.keys(ROWS));
  });

  it('has one file for each section, in the order of the specification', () => {
    expect(files.map(({ section }) => section)).toEqual(Object.keys(ROWS));
    expect(files.map(({ file }) => Number(file.slice(0, 2)))).toEqual(files.map((_, i) => i + 1));
  });
});

const ROW: Row = { section: 'Span', rule: 'has an id', file: '01-span.test.ts', title: 'has an id' };
const FILE = { file: '01-span.test.ts', section: 'Span', titles: ['has an id'] };

describe('the check of the table', () => {
  it.each<[what: string, row: Row, file: typeof FILE, problem: RegExp]>([
    ['a row without a test', { ...ROW, title: '' }, FILE, /^no test for Span: has an id$/],
    ['a row without a rule', { ...ROW, rule: '' }, FILE, /^a row is empty/],
    ['a title that is not in its file', { ...ROW, title: 'has an ID' }, FILE, /^no test "has an ID" in 01-span/],
    ['a file that is not there', { ...ROW, file: '02-span.test.ts' }, FILE, /^no test "has an id" in 02-span/],
    ['a test of another section', { ...ROW, section: 'Event' }, FILE, /is in section Span$/],
    ['a test without a row', ROW, { ...FILE, titles: ['has an id', 'more'] }, /^no row for "more" in 01-span/],
    ['a title that is there twice', ROW, { ...FILE, titles: ['has an id', 'has an id'] }, /^two tests/],
  ])('finds %s', (_, row, file, problem) => {
    expect(problemsOf([ROW], [FILE])).toEqual([]);
    expect(problemsOf([row], [file])).toContainEqual(expect.stringMatching(problem));
  });

  it('reads tables from markdown', () => {
    const table = '| section | row or rule | file | test |\n| --- | --- | --- | --- |\n';
    expect(readTable(`# T\n\n${table}| Span | has an id | 01-span.test.ts | has an id |\n\nafter`)).toEqual([ROW]);
    expect(readTable(`${table}| Span | has an id | 01-span.test.ts |  |\n`)).toEqual([{ ...ROW, title: '' }]);
  });

  it('reads titles from calls of it and from the rows of it.each', () => {
    const source = `describe('Span', () => {
      it('a', () => {});
      it.each<[title: string, n: number]>([['b', 1], ['c', 2]])('%s', () => {});
    });`;
    expect(readSpecFile('f', source)).toEqual({ file: 'f', section: 'Span', titles: ['a', 'b', 'c'] });
  });

  it.each([
    ['is skipped', `it.skip('a', () => {});`],
    ['is to do', `it.todo('a');`],
    ['runs alone', `it.only('a', () => {});`],
    ['has a computed title', `it(\`a \${1}\`, () => {});`],
    ['has the title of a template', `it.each([['a']])('is %s', () => {});`],
    ['has rows from elsewhere', `it.each(rows)('%s', () => {});`],
    ['is in a section of its own', `describe('More', () => {});`],
  ])('refuses a test that %s', (_, body) => {
    expect(() => readSpecFile('f', `describe('Span', () => { ${body} });`)).toThrow();
  });
});
