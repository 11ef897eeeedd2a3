import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSpecFile, repeatedTitles, writeTitles } from './coverage.js';

/** The sections of the specification, in its order. */
const SECTIONS = [
  'What the service does',
  'Event',
  'Enumerations and primitives',
  'EventHint',
  'Exception',
  'Mechanism',
  'RequestEventData',
  'Attachment',
  'Breadcrumb',
  'User',
  'Scope',
  'Span',
  'SpanAttributeValue and SpanAttributes',
  'SpanJSON',
  'SamplingContext',
  'Dynamic sampling context',
  'Configuration options',
  'Sampling rules',
  'States and transitions',
  'Endpoints',
  'Scope methods',
  'Capture',
  'Global functions',
  'Span creation',
  'Span methods',
  'Authentication',
  'Events',
  'Errors',
  'Limits',
  'Versioning',
];

const folder = new URL('.', import.meta.url);
const readme = fileURLToPath(new URL('README.md', folder));
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts') && name !== 'coverage.test.ts')
  .sort()
  .map((name) => readSpecFile(name, readFileSync(new URL(name, folder), 'utf8')));

describe('the suite of the specification', () => {
  it('has one file for each section, numbered in the order of the specification', () => {
    expect(files.map(({ section }) => section)).toEqual(SECTIONS);
    expect(files.map(({ file }) => Number(file.slice(0, 2)))).toEqual(files.map((_, i) => i + 1));
  });

  it('has no title twice in a file', () => {
    expect(repeatedTitles(files)).toEqual([]);
  });

  it('is listed in its README, which `npm run test:spec-list` writes', async () => {
    await expect(writeTitles(readFileSync(readme, 'utf8'), files)).toMatchFileSnapshot(readme);
  });
});

describe('the list of titles', () => {
  const FILE = { file: '01-span.test.ts', section: 'Span', titles: ['has an id', 'has a name'] };

  it('stands between two marks, below a heading for each section', () => {
    const list = '\n### [Span](01-span.test.ts)\n\n- has an id\n- has a name\n\n';
    expect(writeTitles('a\n<!-- titles -->\nold\n<!-- /titles -->\nb', [FILE])).toBe(
      `a\n<!-- titles -->\n${list}<!-- /titles -->\nb`,
    );
    expect(() => writeTitles('no marks', [FILE])).toThrow();
  });

  it('finds a title that is there twice', () => {
    expect(repeatedTitles([FILE])).toEqual([]);
    expect(repeatedTitles([{ ...FILE, titles: ['a', 'b', 'a'] }])).toEqual(['01-span.test.ts: a']);
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
