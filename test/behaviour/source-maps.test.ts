import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
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
