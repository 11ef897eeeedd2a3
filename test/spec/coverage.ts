import ts from 'typescript';

/** The tests of one file of the suite. */
export interface SpecFile {
  readonly file: string;
  /** Title of the one `describe`. */
  readonly section: string;
  readonly titles: readonly string[];
}

const LIST = /(<!-- titles -->\n)[\s\S]*(<!-- \/titles -->)/;

/** The README with its list of rules written anew: a heading per section and file, the titles below it. */
export function writeTitles(readme: string, files: readonly SpecFile[]): string {
  if (!LIST.test(readme)) throw new Error('the README has no place for the titles');
  const sections = files.map(({ file, section, titles }) => {
    const rules = titles.map((title) => `- ${title}`);
    return `### [${section}](${file})\n\n${rules.join('\n')}\n`;
  });
  return readme.replace(LIST, (_, begin: string, end: string) => `${begin}\n${sections.join('\n')}\n${end}`);
}

/** Titles that occur more than once in a file, as `file: title`. */
export function repeatedTitles(files: readonly SpecFile[]): string[] {
  return files.flatMap(({ file, titles }) =>
    titles.filter((title, i) => titles.indexOf(title) !== i).map((title) => `${file}: ${title}`),
  );
}

/**
 * Reads the titles out of a file of the suite, where they are string literals: `it('title', …)`, or
 * `it.each([['title', …], …])('%s', …)`, inside one `describe('section', …)`.
 *
 * @throws Error for a title that is computed, and for a test that is skipped, to do, or runs alone
 */
export function readSpecFile(file: string, source: string): SpecFile {
  const sections: string[] = [];
  const titles: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText().split(/[<(]/, 1)[0]!.replaceAll(/\s/g, '');
      if (called === 'describe') sections.push(readTitle(node.arguments[0]));
      else if (called === 'it') titles.push(readTitle(node.arguments[0]));
      else if (called === 'it.each' && ts.isCallExpression(node.expression)) titles.push(...readTitles(node));
      else if (/^(describe|it|test)\b/.test(called) && called !== 'it.each') {
        throw new Error(`${file}: ${called} is not counted as a test`);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true));
  if (sections.length !== 1) throw new Error(`${file}: ${sections.length} sections instead of one`);
  return { file, section: sections[0]!, titles };
}

function readTitles(node: ts.CallExpression): string[] {
  const table = (node.expression as ts.CallExpression).arguments[0];
  if (readTitle(node.arguments[0]) !== '%s' || !table || !ts.isArrayLiteralExpression(table)) throw unreadable(node);
  return table.elements.map((row) => readTitle(ts.isArrayLiteralExpression(row) ? row.elements[0] : row));
}

function readTitle(node: ts.Node | undefined): string {
  if (node && ts.isStringLiteralLike(node)) return node.text;
  throw unreadable(node);
}

function unreadable(node: ts.Node | undefined): Error {
  return new Error(`not a title: ${node?.getText().slice(0, 200)}`);
}
