import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import * as faultline from '../src/index.js';
import { SDK_VERSION } from '../src/internal/version.js';

/** The names that the package's root exports as types alone. */
function exportedTypes(): string[] {
  const source = ts.createSourceFile('index.ts', readFileSync('src/index.ts', 'utf8'), ts.ScriptTarget.Latest);
  return source.statements
    .filter(ts.isExportDeclaration)
    .flatMap(({ exportClause, isTypeOnly }) =>
      exportClause && ts.isNamedExports(exportClause)
        ? exportClause.elements.filter((one) => isTypeOnly || one.isTypeOnly)
        : [],
    )
    .map(({ name }) => name.text);
}

const UPDATE = 'a change that is meant: run this file with `--update`, and commit the snapshot';

describe('the package', () => {
  it('exports exactly these names', () => {
    expect(Object.keys(faultline).sort(), UPDATE).toMatchSnapshot();
  });

  it('exports exactly these types', () => {
    expect(exportedTypes().sort(), UPDATE).toMatchSnapshot();
  });

  it('has the version that package.json says', () => {
    expect(SDK_VERSION).toBe(JSON.parse(readFileSync('package.json', 'utf8')).version);
  });
});
