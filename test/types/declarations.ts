import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const ROOT = join(import.meta.dirname, '../..');
const ENTRY = join(ROOT, 'dist/index.d.mts');
const MARK = '// @ts-expect-error';

/** The files whose right uses have to compile, and whose marked ones must not. */
const USES = readdirSync(import.meta.dirname)
  .filter((name) => name.endsWith('.ts') && !name.startsWith('declarations'))
  .map((name) => join(import.meta.dirname, name));

/** A complaint of the compiler. */
export interface Problem {
  /** Path in the package and number of the line. */
  readonly place: string;
  readonly code: number;
  readonly text: string;
}

/** A line that is marked as a wrong use. */
export interface WrongUse {
  /** Path in the package and number of the line. */
  readonly place: string;
  readonly line: string;
}

/** Parsed once for all programs: most of them is the same. */
const sourceFiles = new Map<string, ts.SourceFile | undefined>();

/**
 * Compiles the uses as somebody does who has installed the package: against its built declarations, which are checked
 * as well.
 *
 * @param marked whether the marks of wrong uses count; without them each of these is a problem
 */
export function compile(options: ts.CompilerOptions, marked = true): ts.Program {
  const host = ts.createCompilerHost({});
  const { getSourceFile } = host;
  host.getSourceFile = (name, languageVersion, ...rest) => {
    if (!marked && USES.includes(name)) return withoutMarks(name, languageVersion);
    const key = name + JSON.stringify(languageVersion);
    if (!sourceFiles.has(key)) sourceFiles.set(key, getSourceFile(name, languageVersion, ...rest));
    return sourceFiles.get(key);
  };
  return ts.createProgram({
    rootNames: [...USES, ENTRY],
    options: {
      noEmit: true,
      strict: true,
      skipLibCheck: false,
      target: ts.ScriptTarget.ES2023,
      types: ['node'],
      ...options,
    },
    host,
  });
}

/** What the compiler says of the uses and of the package's declarations; those of dependencies are not ours. */
export function problemsIn(program: ts.Program): Problem[] {
  const own = program.getSourceFiles().filter(({ fileName }) => !fileName.includes('/node_modules/'));
  return [
    ...program.getOptionsDiagnostics(),
    ...own.flatMap((file) => [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)]),
  ].map(({ file, start = 0, code, messageText }) => ({
    place: file ? placeOf(file.fileName, file.getLineAndCharacterOfPosition(start).line) : '',
    code,
    text: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));
}

/** The wrong uses of all files, in their order. */
export function readWrongUses(): WrongUse[] {
  return USES.flatMap((name) => {
    const lines = (ts.sys.readFile(name) ?? '').split('\n');
    return lines.flatMap((line, index) =>
      line.trimStart().startsWith(MARK) ? [{ place: placeOf(name, index + 1), line: lines[index + 1] ?? '' }] : [],
    );
  });
}

/** What the package exports, by name. */
export function exportsOf(program: ts.Program): Map<string, ts.Symbol> {
  const checker = program.getTypeChecker();
  const entry = checker.getSymbolAtLocation(program.getSourceFile(ENTRY)!)!;
  return new Map(
    checker.getExportsOfModule(entry).map((symbol) => [symbol.name, checker.getAliasedSymbol(symbol)] as const),
  );
}

/** The names of a type's own members. */
export function membersOf(symbol: ts.Symbol): string[] {
  return [...(symbol.members?.values() ?? [])]
    .filter(({ flags }) => flags & (ts.SymbolFlags.Method | ts.SymbolFlags.Property))
    .map(({ name }) => name)
    .filter((name) => /^\w/.test(name));
}

/** The members of an exported type that may be absent, but may not be `undefined`. */
export function strictlyOptionalIn(symbol: ts.Symbol, checker: ts.TypeChecker): string[] {
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isPropertySignature(node) && node.questionToken && node.type) {
      const type = checker.getTypeFromTypeNode(node.type);
      const parts = type.isUnion() ? type.types : [type];
      const takes = ts.TypeFlags.Undefined | ts.TypeFlags.Unknown | ts.TypeFlags.Any;
      if (!parts.some(({ flags }) => flags & takes)) found.push(`${symbol.name}.${node.name.getText()}`);
    }
    ts.forEachChild(node, visit);
  };
  const own = (symbol.declarations ?? []).filter((one) => !one.getSourceFile().fileName.includes('/node_modules/'));
  for (const declaration of own) visit(declaration);
  return found;
}

function placeOf(fileName: string, lineIndex: number): string {
  return `${relative(ROOT, fileName)}:${lineIndex + 1}`;
}

function withoutMarks(name: string, languageVersion: ts.ScriptTarget | ts.CreateSourceFileOptions): ts.SourceFile {
  const text = (ts.sys.readFile(name) ?? '').replaceAll(MARK, '//');
  return ts.createSourceFile(name, text, languageVersion);
}
