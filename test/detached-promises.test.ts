import { join } from 'node:path';
import ts from 'typescript';
import { beforeAll, describe, expect, it } from 'vitest';

/**
 * Every promise in `src` is awaited, returned, kept, given a rejection handler, or handed to `runDetached`. Biome's
 * `noVoid` and `noFloatingPromises` say so while you type; this test also follows calls through types that Biome does
 * not know, and finds asynchronous callbacks whose result nobody takes.
 */

const SEED = join(process.cwd(), 'src/seed.ts');
const SEEDED = `
  import { settlesWithin } from './internal/deadline.js';
  import { runDetached } from './internal/run-detached.js';
  async function work(): Promise<void> {}
  interface Worker { readonly work?: () => PromiseLike<void> }
  export async function run(worker: Worker, isOn: boolean): Promise<void> {
    work();
    void work();
    settlesWithin(work(), 1).then(() => 1);
    work().finally(() => undefined);
    worker.work?.();
    isOn && work();
    isOn ? work() : undefined;
    [1].map(() => work());
    setTimeout(async () => work(), 1);
    [1].forEach(() => work());
    const listener: () => void = async () => {};
    await work();
    work().catch(() => undefined);
    work().then(undefined, listener);
    runDetached('work', work());
    const kept = work();
    await kept;
  }
`;

/** @returns what is detached in the files of `src`, and in one that has every way to detach a promise */
function findDetached(files: readonly string[]): { own: string[]; seeded: string[] } {
  const { config } = ts.readConfigFile('tsconfig.json', ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, process.cwd());
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  host.fileExists = (file) => file === SEED || fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === SEED ? ts.createSourceFile(file, SEEDED, ts.ScriptTarget.ES2022, true) : getSourceFile(file, ...rest);
  const program = ts.createProgram([...files, SEED], options, host);
  const checker = program.getTypeChecker();
  const own: string[] = [];
  const seeded: string[] = [];

  const isPromise = (type: ts.Type): boolean =>
    type.isUnion() ? type.types.some(isPromise) : checker.getPropertyOfType(type, 'then') !== undefined;
  const isListOfPromises = (type: ts.Type): boolean =>
    checker.isArrayType(type) && isPromise(checker.getTypeArguments(type as ts.TypeReference)[0]!);

  function isDetached(expression: ts.Expression): boolean {
    if (ts.isParenthesizedExpression(expression) || ts.isVoidExpression(expression)) {
      return isDetached(expression.expression);
    }
    if (ts.isBinaryExpression(expression)) {
      const { kind } = expression.operatorToken;
      const isAssignment = kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;
      return !isAssignment && isDetached(expression.right);
    }
    if (ts.isConditionalExpression(expression)) {
      return isDetached(expression.whenTrue) || isDetached(expression.whenFalse);
    }
    if (isCaught(expression)) return false;
    const type = checker.getTypeAtLocation(expression);
    return isPromise(type) || isListOfPromises(type);
  }

  /** Whether a rejection has a handler (`catch`, or `then` with two arguments), or is meant to have none. */
  function isCaught(expression: ts.Expression): boolean {
    if (!ts.isCallExpression(expression) || !ts.isPropertyAccessExpression(expression.expression)) return false;
    const method = expression.expression.name.text;
    if (expression.expression.getText() === 'Promise.reject') return true;
    return method === 'catch' || (method === 'then' && expression.arguments.length === 2);
  }

  /** Whether a function returns a promise where its caller expects nothing. */
  function isDetachedCallback(node: ts.Node): boolean {
    if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return false;
    const returned = checker.getSignatureFromDeclaration(node)?.getReturnType();
    if (returned === undefined || !isPromise(returned)) return false;
    const expected = checker.getContextualType(node)?.getCallSignatures() ?? [];
    return expected.some((one) => (one.getReturnType().flags & ts.TypeFlags.Void) !== 0);
  }

  function visit(node: ts.Node, file: ts.SourceFile): void {
    const isFound =
      (ts.isExpressionStatement(node) && isDetached(node.expression)) ||
      (ts.isVoidExpression(node) && isDetached(node)) ||
      isDetachedCallback(node);
    if (isFound) {
      const { line } = file.getLineAndCharacterOfPosition(node.getStart());
      if (file.fileName === SEED) seeded.push(node.getText());
      else own.push(`${file.fileName.split('/src/').pop()}:${line + 1}: ${node.getText()}`);
      return;
    }
    ts.forEachChild(node, (child) => visit(child, file));
  }

  for (const file of program.getSourceFiles()) if (isOwn(file)) visit(file, file);
  return { own, seeded };
}

function isOwn({ fileName, isDeclarationFile }: ts.SourceFile): boolean {
  return !isDeclarationFile && fileName.startsWith(join(process.cwd(), 'src'));
}

describe('promises in src', () => {
  let found: ReturnType<typeof findDetached>;
  beforeAll(() => {
    const files = ts.sys.readDirectory('src', ['.ts']).map((file) => join(process.cwd(), file));
    expect(files.length).toBeGreaterThan(100);
    found = findDetached(files);
  });

  it('are all awaited, kept, caught, or handed to runDetached', () => {
    expect(found.own).toEqual([]);
  });

  it('would be found if they were not', () => {
    expect(found.seeded).toEqual([
      'work();',
      'void work();',
      'settlesWithin(work(), 1).then(() => 1);',
      'work().finally(() => undefined);',
      'worker.work?.();',
      'isOn && work();',
      'isOn ? work() : undefined;',
      '[1].map(() => work());',
      'async () => work()',
      '() => work()',
      'async () => {}',
    ]);
  });
});
