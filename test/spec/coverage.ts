import ts from 'typescript';

/** One line of the README's table: a row or rule of the specification, and a test of it. */
export interface Row {
  readonly section: string;
  readonly rule: string;
  readonly file: string;
  readonly title: string;
}

/** The tests of one file of the suite. */
export interface SpecFile {
  readonly file: string;
  /** Title of the one `describe`. */
  readonly section: string;
  readonly titles: readonly string[];
}

const HEADER = /^\| section +\| row or rule +\| file +\| test +\|$/m;

/** The lines of the table in a markdown text. */
export function readTable(markdown: string): Row[] {
  const lines = markdown
    .slice(Math.max(markdown.search(HEADER), 0))
    .split('\n')
    .slice(2);
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end < 0 ? undefined : end).map((line) => {
    const [section = '', rule = '', file = '', title = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return { section, rule, file, title };
  });
}

/**
 * Reads the titles out of a file of the suite, where they stand in plain text: `it('title', …)`, or
 * `it.each([['title', …], …])('%s', …)`, below one `describe('section', …)`.
 *
 * @throws Error for a test whose title is written in another way, or that would not run
 */
export function readSpecFile(file: string, source: string): SpecFile {
  const sections: string[] = [];
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText().split(/[<(]/, 1)[0]!.replaceAll(/\s/g, '');
      if (called === 'describe') sections.push(textOf(node.arguments[0]));
      else if (called === 'it') titles.push(textOf(node.arguments[0]));
      else if (called === 'it.each' && ts.isCallExpression(node.expression)) titles.push(...titlesOfTable(node));
      else if (/^(describe|it|test)\b/.test(called) && called !== 'it.each') {
        throw new Error(`${file}: ${called} is not counted as a test`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  if (sections.length !== 1) throw new Error(`${file}: ${sections.length} sections in place of one`);
  return { file, section: sections[0]!, titles };
}

/** What keeps the table from being a map of the suite; one sentence each, none when all is well. */
export function problemsOf(rows: readonly Row[], files: readonly SpecFile[]): string[] {
  const problems: string[] = [];
  const mapped = new Set(rows.map(({ file, title }) => `${file}: ${title}`));
  for (const { section, rule, file, title } of rows) {
    const row = `${section}: ${rule}`;
    const found = files.find((one) => one.file === file);
    if (!section || !rule) problems.push(`a row is empty: ${title}`);
    else if (!file || !title) problems.push(`no test for ${row}`);
    else if (!found?.titles.includes(title)) problems.push(`no test "${title}" in ${file} for ${row}`);
    else if (found.section !== section) problems.push(`the test for ${row} is in section ${found.section}`);
  }
  for (const { file, titles } of files) {
    for (const title of titles) if (!mapped.has(`${file}: ${title}`)) problems.push(`no row for "${title}" in ${file}`);
    const twice = titles.filter((title, i) => titles.indexOf(title) !== i);
    problems.push(...twice.map((title) => `two tests "${title}" in ${file}`));
  }
  return problems;
}

function titlesOfTable(node: ts.CallExpression): string[] {
  const table = (node.expression as ts.CallExpression).arguments[0];
  if (textOf(node.arguments[0]) !== '%s' || !table || !ts.isArrayLiteralExpression(table)) throw unreadable(node);
  return table.elements.map((row) => textOf(ts.isArrayLiteralExpression(row) ? row.elements[0] : row));
}

function textOf(node: ts.Node | undefined): string {
  if (node && ts.isStringLiteralLike(node)) return node.text;
  throw unreadable(node);
}

function unreadable(node: ts.Node | undefined): Error {
  return new Error(`no title in plain text: ${node?.getText().slice(0, 200)}`);
}
