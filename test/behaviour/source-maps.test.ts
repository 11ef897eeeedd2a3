import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import ts from 'typescript';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { StackFrame } from '../../src/index.js';
import { type Receiver, startReceiver } from '../support/receiver.js';

/** Types and comments are not in what is compiled from it, so that no line keeps its number. */
const SHOP = `interface Card {
  readonly number: string;
}

export class Till {
  // Nothing is paid with a card that has no number.
  charge(card: Card): 'paid' {
    if (card.number === '') throw new RangeError('card declined');
    return 'paid';
  }
}
`;

const APP = `import { captureException, init } from 'faultline';
import { Till } from './shop.js';

type Step = () => unknown;

init({ dsn: process.env['DSN'] });

function attempt(step: Step): void {
  try {
    step();
  } catch (error: unknown) {
    captureException(error);
  }
}

attempt(() => new Till().charge({ number: '' }));
attempt(() => captureException('only a text'));
`;

const START = `process.setSourceMapsEnabled(true);
await import('./out/app.js');
`;

const ENABLED = ['--enable-source-maps', 'out/app.js'];

let receiver: Receiver;
let folder: string;

beforeEach(async () => {
  receiver = await startReceiver();
  // Inside the package, so that it finds the package by its own name.
  folder = resolve(mkdtempSync(join('test', 'tooling', 'tmp-')));
});

afterEach(async () => {
  await receiver.close();
  rmSync(folder, { recursive: true });
});

/** Writes the sources, and compiles them to the folder `out`. */
function compileApp(options: ts.CompilerOptions): void {
  const source = join(folder, 'my src');
  mkdirSync(source);
  writeFileSync(join(source, 'shop.ts'), SHOP);
  writeFileSync(join(source, 'app.ts'), APP);
  writeFileSync(join(folder, 'start.js'), START);
  const ofProject = { rootDir: source, outDir: join(folder, 'out'), module: ts.ModuleKind.NodeNext, types: [] };
  const unchecked = { target: ts.ScriptTarget.ES2022, removeComments: true, noCheck: true, noLib: true };
  ts.createProgram([join(source, 'app.ts')], { ...ofProject, ...unchecked, ...options }).emit();
}

/** Runs the application, and returns the frame that threw, of the error and of the text. */
async function run(args: string[]): Promise<[thrower: StackFrame, catcher: StackFrame]> {
  const env = { ...process.env, NODE_OPTIONS: '', DSN: receiver.dsn };
  const { stderr } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
  expect(stderr).toBe('');
  expect(receiver.violations).toEqual([]);
  const [thrower, catcher] = ['card declined', 'only a text'].map((value) => {
    const caught = receiver.events.map(({ exception }) => exception.values[0]!).find((one) => one.value === value);
    return caught?.stacktrace.frames.at(-1);
  });
  return [thrower!, catcher!];
}

function lineOf(source: string, text: string): number {
  return source.split('\n').findIndex((line) => line.includes(text)) + 1;
}

const THROWER = {
  function: 'Till.charge',
  lineno: lineOf(SHOP, 'throw'),
  colno: expect.any(Number),
  in_app: true,
};
const CATCHER = { lineno: lineOf(APP, 'only a text'), in_app: true };
const ORIGINAL_LINES = {
  pre_context: SHOP.split('\n').slice(0, THROWER.lineno - 1),
  context_line: SHOP.split('\n')[THROWER.lineno - 1],
  post_context: SHOP.split('\n').slice(THROWER.lineno, -1),
};

describe('where Node has source maps enabled, a frame is that of the source', () => {
  it.each<[string, ts.CompilerOptions, string[]]>([
    ['by the option, with a map beside the script', { sourceMap: true }, ENABLED],
    ['by the option, with a map in the script', { inlineSourceMap: true }, ENABLED],
    ['while it runs', { sourceMap: true }, ['start.js']],
  ])('%s', async (_, options, args) => {
    compileApp(options);
    const [thrower, catcher] = await run(args);
    expect(thrower).toMatchObject({ ...THROWER, ...ORIGINAL_LINES, filename: join(folder, 'my src', 'shop.ts') });
    expect(catcher).toMatchObject({ ...CATCHER, filename: join(folder, 'my src', 'app.ts') });
    expect(catcher.context_line).toBe("attempt(() => captureException('only a text'));");
  });

  it.each<[string, ts.CompilerOptions, string]>([
    ['whose file is gone', { sourceMap: true }, 'my src/shop.ts'],
    ['which is in the map alone', { sourceMap: true, inlineSources: true }, 'my src/shop.ts'],
    ['of a bundle, which has no file', { sourceMap: true, inlineSources: true, sourceRoot: 'webpack://shop' }, ''],
  ])('%s, and then has no lines', async (_, options, file) => {
    compileApp(options);
    rmSync(join(folder, 'my src'), { recursive: true });
    const [thrower, catcher] = await run(ENABLED);
    expect(thrower).toMatchObject({ ...THROWER, filename: file ? join(folder, file) : 'webpack://shop/shop.ts' });
    expect(catcher).toMatchObject(CATCHER);
    expect([thrower.context_line, catcher.context_line]).toEqual([undefined, undefined]);
  });
});

describe('a frame is that of the script', () => {
  it.each<[string, ts.CompilerOptions, string[]]>([
    ['where source maps are not enabled', { sourceMap: true }, ['out/app.js']],
    ['that has no map', {}, ENABLED],
  ])('%s', async (_, options, args) => {
    compileApp(options);
    const [thrower] = await run(args);
    expect(thrower).toMatchObject({ function: 'Till.charge', filename: join(folder, 'out', 'shop.js') });
    expect(thrower.lineno).not.toBe(THROWER.lineno);
    expect(thrower.context_line).toContain("throw new RangeError('card declined')");
  });

  it('whose map cannot be read', async () => {
    compileApp({ sourceMap: true });
    writeFileSync(join(folder, 'out', 'shop.js.map'), '{"version":3,');
    const [thrower] = await run(ENABLED);
    expect(thrower).toMatchObject({ function: 'Till.charge', filename: join(folder, 'out', 'shop.js') });
  });
});

describe('of files outside of the application', () => {
  const SOURCE =
    'interface Card {\n  readonly number: string;\n}\n\nexport function charge(card: Card): never {\n  throw new RangeError(card.number);\n}\n';

  it('the sources of loaded code are read, and none that a stack only names', async () => {
    const root = mkdtempSync(join(tmpdir(), 'faultline-sources-'));
    for (const part of ['src', 'app/out']) mkdirSync(join(root, part), { recursive: true });
    const write = (file: string, content: string) => writeFileSync(join(root, file), content);
    const { outputText, sourceMapText = '' } = ts.transpileModule(SOURCE, {
      fileName: 'shop.ts',
      compilerOptions: { sourceMap: true, module: ts.ModuleKind.CommonJS, sourceRoot: '../../src' },
    });
    write('src/shop.ts', SOURCE);
    write('src/private.ts', "export const plan = 'nobody should know';\n");
    write('app/package.json', '{}');
    write('app/out/shop.js', outputText);
    write('app/out/shop.js.map', sourceMapText);
    write(
      'app/out/app.js',
      `const { captureException, init } = require(${JSON.stringify(resolve('dist/index.cjs'))});
      init({ dsn: process.env.DSN });
      try { require('./shop.js').charge({ number: 'declined' }); } catch (error) { captureException(error); }
      const stack = ['${root}/src/private.ts', '/etc/passwd', '/proc/self/environ', __filename]
        .map((file) => '    at f (' + file + ':1:1)').join('\\n');
      captureException(Object.assign(new Error('forged'), { stack: 'Error: forged\\n' + stack }));
      captureException({ message: 'pretended', stack: 'E: pretended\\n' + stack });`,
    );
    const env = { ...process.env, NODE_OPTIONS: '', DSN: receiver.dsn };
    await promisify(execFile)(process.execPath, ['--enable-source-maps', 'out/app.js'], {
      cwd: join(root, 'app'),
      env,
    });
    rmSync(root, { recursive: true });
    const readFiles = (value: string) => {
      const { exception } = receiver.events.find((event) => event.exception.values[0]!.value === value)!;
      const frames: StackFrame[] = exception.values[0]!.stacktrace.frames;
      return frames.filter(({ context_line }) => context_line !== undefined).map(({ filename }) => filename);
    };
    expect(readFiles('declined').at(-1)).toBe(join(root, 'src/shop.ts'));
    expect(readFiles('forged')).toEqual([join(root, 'app/out/app.js')]);
    expect(readFiles('pretended')).toEqual([]);
    expect(receiver.requests.map(({ body }) => String(body)).join()).not.toContain('nobody should know');
  });
});
