import { fileURLToPath } from 'node:url';
import { describe, expect, it, vi } from 'vitest';
import { parseStack } from '../../src/errors/stack.js';
import { close, init, startSpan } from '../../src/index.js';
import fc from '../support/fast-check.js';

function catchError(run: () => unknown): Error {
  try {
    run();
  } catch (error) {
    return error as Error;
  }
  throw new Error('nothing was thrown');
}

const parseLine = (line: string) => parseStack(`Error: boom\n${line}`)[0];
const SDK_FOLDER = fileURLToPath(new URL('../../src/', import.meta.url));

describe('a line of a stack', () => {
  it.each([
    ['a function', '    at foo (/app/a.js:1:2)', { function: 'foo', filename: '/app/a.js', lineno: 1, colno: 2 }],
    [
      "a git dependency in pnpm's folder",
      '    at foo (/app/node_modules/.pnpm/a@git+https+++me+SECRET@host+a.git+1f/node_modules/a/b.js:1:2)',
      { filename: '/app/node_modules/.pnpm/a@git+https+++[filtered]@host+a.git+1f/node_modules/a/b.js', lineno: 1 },
    ],
    ['no function', '    at /app/a.js:1:2', { function: '?', filename: '/app/a.js', lineno: 1, colno: 2 }],
    ['an async function', '    at async foo (/app/a.js:1:2)', { function: 'foo', filename: '/app/a.js' }],
    ['async without a function', '    at async /app/a.js:1:2', { function: '?', filename: '/app/a.js' }],
    ['a method', '    at Foo.bar (/app/a.js:1:2)', { function: 'Foo.bar' }],
    ['an alias', '    at Foo.bar [as baz] (/app/a.js:1:2)', { function: 'Foo.bar [as baz]' }],
    ['a constructor', '    at new Foo (/app/a.js:1:2)', { function: 'new Foo' }],
    ['a bound function', '    at bound foo (/app/a.js:1:2)', { function: 'bound foo' }],
    ['an anonymous method', '    at Object.<anonymous> (/app/a.js:1:2)', { function: 'Object.?' }],
    [
      'an anonymous method with an alias',
      '    at Object.<anonymous> [as handler] (/app/a.js:1:2)',
      { function: 'Object.? [as handler]' },
    ],
    ['an anonymous function', '    at <anonymous> (/app/a.js:1:2)', { function: '?', filename: '/app/a.js' }],
    ['a private method', '    at Foo.#bar (/app/a.js:1:2)', { function: 'Foo.#bar' }],
    [
      'the loader',
      '    at Object.Module._extensions..js (node:internal/modules/cjs/loader:1:2)',
      { function: 'Module._extensions..js', filename: 'node:internal/modules/cjs/loader', in_app: false },
    ],
    [
      'a list of promises',
      '    at async Promise.all (index 3)',
      { function: 'Promise.all', filename: 'index 3', lineno: undefined, in_app: false },
    ],
    [
      'no place',
      '    at new Promise (<anonymous>)',
      { function: 'new Promise', filename: '<anonymous>', in_app: false },
    ],
    ['nothing', '    at <anonymous>', { function: '?', filename: '<anonymous>', in_app: false }],
    ['native code', '    at Array.map (native)', { function: 'Array.map', filename: undefined, in_app: false }],
    [
      'evaluated code, at the place that evaluated it',
      '    at eval (eval at foo (/app/a.js:3:4), <anonymous>:1:1)',
      { function: 'eval', filename: '/app/a.js', lineno: 3, colno: 4, in_app: true },
    ],
    [
      'code evaluated by evaluated code',
      '    at bar (eval at <anonymous> (eval at foo (/app/a.js:3:4)), <anonymous>:1:1)',
      { function: 'bar', filename: '/app/a.js', lineno: 3, colno: 4 },
    ],
    ['a file URL', '    at foo (file:///app/a%20b.mjs:1:2)', { filename: '/app/a b.mjs', in_app: true }],
    ['a file URL that cannot be decoded', '    at foo (file:///app/100%.mjs:1:2)', { filename: '/app/100%.mjs' }],
    ['a percent sign in a path', '    at foo (/app/a%20b.js:1:2)', { filename: '/app/a%20b.js' }],
    [
      'blanks and parentheses in a path',
      '    at foo (/my (app)/a.js:1:2)',
      { function: 'foo', filename: '/my (app)/a.js' },
    ],
    ['the same without a function', '    at /my (app)/a.js:1:2', { function: '?', filename: '/my (app)/a.js' }],
    [
      'a Windows path',
      '    at foo (C:\\app\\src\\a.js:1:2)',
      { filename: 'C:\\app\\src\\a.js', module: 'a', lineno: 1, in_app: true },
    ],
    ['a Windows file URL', '    at foo (file:///C:/app/a.mjs:1:2)', { filename: 'C:/app/a.mjs', in_app: true }],
    ['a dependency', '    at foo (/app/node_modules/x/lib/a.js:1:2)', { module: 'x.lib:a', in_app: false }],
    ['a Windows dependency', '    at foo (C:\\app\\node_modules\\x\\a.js:1:2)', { module: 'x:a', in_app: false }],
    [
      'a dependency of a dependency',
      '    at foo (/app/node_modules/x/node_modules/@y/z/a.cjs:1:2)',
      { module: '@y.z:a', in_app: false },
    ],
    ['a module of Node', '    at foo (node:fs:1:2)', { filename: 'node:fs', module: 'node:fs', in_app: false }],
    ['a URL', '    at foo (https://example.com/a.js:1:2)', { filename: 'https://example.com/a.js', in_app: true }],
    ['a relative path', '    at foo (./a.js:1:2)', { filename: './a.js', in_app: true }],
    [
      'a wrapper of webpack',
      '    at foo (error: ./src/a.js:1:2)',
      { function: 'foo', filename: './src/a.js', lineno: 1 },
    ],
    [
      'code in a data URL',
      '    at foo (data:text/javascript;base64,YXQgZm9v:1:2)',
      { function: 'foo', filename: '<data:text/javascript;base64>', lineno: undefined },
    ],
    ['a line without a column', '    at foo (/app/a.js:7:)', { filename: '/app/a.js', lineno: 7, colno: undefined }],
    ['another indentation and line end', '\tat foo (/app/a.js:1:2)\r', { function: 'foo', lineno: 1, colno: 2 }],
  ])('may name %s', (_, line, expected) => {
    expect(parseLine(line)).toMatchObject(expected);
  });

  it.each([
    ['prose', 'look at me'],
    ['prose that begins like a frame', '    at the gates'],
    ['an error', '    at Error: boom (/app/a.js:1:2)'],
    ['nothing', ''],
    ['a few dashes', '---'],
  ])('may be no frame, but %s', (_, line) => {
    expect(parseLine(line)).toBeUndefined();
  });

  it.each([
    ['in its folder', '/app/a.mjs', 'a'],
    ['below its folder', '/app/sub/dir/a.mjs', 'sub.dir:a'],
    ['elsewhere', '/application/sub/a.js', 'a'],
  ])('names the module of the application %s', async (_, file, expected) => {
    const script = process.argv[1]!;
    process.argv[1] = '/app/main.js';
    vi.resetModules();
    const { parseStack: parseAnew } = await import('../../src/errors/stack.js');
    expect(parseAnew(`Error\n    at foo (${file}:1:2)`)[0]?.module).toBe(expected);
    process.argv[1] = script;
  });

  it('is cut after 1024 characters', () => {
    const [frame] = parseStack(`Error\n    at foo (/app/${'x'.repeat(5000)}.js:1:2)\n    at bar (/app/b.js:1:2)`);
    expect(frame).toMatchObject({ function: 'bar' });
  });
});

describe('a stack', () => {
  it('becomes frames from the outermost call to the one that threw', () => {
    const frames = parseStack('Error: boom\n    at thrower (/app/a.js:1:2)\n    at main (/app/b.js:3:4)');
    expect(frames.map((frame) => frame.function)).toEqual(['main', 'thrower']);
  });

  it('of a real error names the functions that were called', () => {
    function inner(): Error {
      return new Error('boom');
    }
    function outer(): Error {
      return inner();
    }
    const frames = parseStack(outer().stack).slice(-2);
    expect(frames.map((frame) => frame.function)).toEqual(['outer', 'inner']);
    expect(frames.every((frame) => frame.in_app && frame.filename === fileURLToPath(import.meta.url))).toBe(true);
  });

  it.each([
    ['undefined', undefined],
    ['empty', ''],
    ['a header alone', 'Error: boom'],
  ])('may be %s', (_, stack) => {
    expect(parseStack(stack)).toEqual([]);
  });

  it('is read up to 50 frames, those nearest to the throw', () => {
    const lines = Array.from({ length: 80 }, (_, index) => `    at f${index} (/app/a.js:1:2)`);
    const frames = parseStack(['Error', ...lines].join('\n'));
    expect(frames).toHaveLength(50);
    expect(frames.at(-1)?.function).toBe('f0');
    expect(frames[0]?.function).toBe('f49');
  });

  it('may have a message of several lines', () => {
    const message = 'first\nlook at me\n--------\nlast';
    const frames = parseStack(`Error: ${message}\n    at foo (/app/a.js:1:2)`, message);
    expect(frames.map((frame) => frame.function)).toEqual(['foo']);
  });

  it('has no frames in its message, whatever that looks like', () => {
    const message = 'boom\n    at fake (/app/fake.js:1:2)';
    const frames = parseStack(`TypeError: ${message}\n    at foo (/app/a.js:1:2)`, message);
    expect(frames.map((frame) => frame.function)).toEqual(['foo']);
  });

  it('is read in bounded time behind a message that nobody knows', () => {
    const stack = `Error: ${'line\n'.repeat(2_000_000)}    at foo (/app/a.js:1:2)`;
    expect(parseStack(stack)).toEqual([]);
    expect(parseStack(stack, 'line\n'.repeat(2_000_000).slice(0, -1))).toHaveLength(1);
  });

  it('keeps a separator as a frame', () => {
    const frames = parseStack('Error\n    at foo (/app/a.js:1:2)\n    ----------\n    at bar (/app/b.js:1:2)');
    expect(frames.map(({ filename }) => filename)).toEqual(['/app/b.js', '----------', '/app/a.js']);
  });

  it('gives native frames the file that threw', () => {
    const frames = parseStack('Error\n    at foo (/app/a.js:1:2)\n    at Array.map (native)');
    expect(frames[0]).toMatchObject({ function: 'Array.map', filename: '/app/a.js', in_app: false });
  });

  const SDK = `    at runInSpan (${SDK_FOLDER}tracing/start-span.ts:1:2)`;
  const OTEL = '    at ContextAPI.with (/app/node_modules/@opentelemetry/api/build/src/api/context.js:1:2)';
  const STORAGE = '    at AsyncLocalStorage.run (node:internal/async_local_storage/async_context_frame:1:2)';
  const APPLICATION = '    at work (/app/a.js:1:2)';
  const MAIN = '    at main (/app/b.js:3:4)';
  const namesIn = (...lines: string[]) => parseStack(['Error', ...lines].join('\n')).map((frame) => frame.function);

  it('has no frames of the SDK, of OTel, and of the storage that carries their context', () => {
    expect(namesIn(SDK, APPLICATION, SDK, STORAGE, SDK, OTEL, SDK, MAIN)).toEqual(['main', 'work']);
    expect(namesIn('    at Object.open (node:fs:1:2)', OTEL, APPLICATION)).toEqual(['work', 'Object.open']);
  });

  it('has none of the storage between OTel and the callback that it calls', () => {
    expect(namesIn(APPLICATION, STORAGE, OTEL, SDK, STORAGE, SDK, MAIN)).toEqual(['main', 'work']);
  });

  it("keeps the application's own storage", () => {
    expect(namesIn(APPLICATION, STORAGE, MAIN)).toEqual(['main', 'AsyncLocalStorage.run', 'work']);
  });

  it('begins in OTel if the error was thrown there', () => {
    expect(namesIn(OTEL, OTEL, APPLICATION, OTEL, MAIN)).toEqual([
      'main',
      'work',
      'ContextAPI.with',
      'ContextAPI.with',
    ]);
  });

  it('of the SDK and Node alone is kept', () => {
    expect(namesIn(SDK)).toHaveLength(1);
    const timer = '    at listOnTimeout (node:internal/timers:1:2)';
    expect(namesIn(SDK, STORAGE, timer)).toEqual(['listOnTimeout', 'AsyncLocalStorage.run', 'runInSpan']);
    for (const place of ['async Promise.all (index 0)', 'new Promise (<anonymous>)']) {
      expect(namesIn(SDK, `    at ${place}`)).toHaveLength(2);
    }
  });

  it('inside nested spans holds the functions of the application alone', async () => {
    function thrower(): never {
      throw new Error('deep');
    }
    const nest = (depth: number): unknown =>
      startSpan({ name: 'nested' }, () => (depth === 0 ? thrower() : nest(depth - 1)));
    init({ tracesSampleRate: 1 });
    const frames = parseStack(catchError(() => nest(5)).stack);
    await close();
    const own = frames.slice(frames.findIndex(({ function: name }) => name === 'nest'));
    expect(own.every(({ filename }) => filename === fileURLToPath(import.meta.url))).toBe(true);
    expect(own.filter(({ function: name }) => name === 'nest')).toHaveLength(6);
    expect(own.at(-1)?.function).toBe('thrower');
  });

  it('is parsed to new frames each time, so that a hook may change them', () => {
    const stack = 'Error\n    at foo (/app/a.js:1:2)';
    parseStack(stack)[0]!.function = 'changed';
    expect(parseStack(stack)[0]!.function).toBe('foo');
  });

  it('may be any text at all', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.string({ unit: 'binary' }),
      fc.constantFrom('\n', '    at ', ' (', ')', ':1:2', 'async ', 'file://', 'data:', 'eval at ', '%', '\\', '\r'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.option(fc.string(), { nil: undefined }), (pieces, message) => {
        const frames = parseStack(pieces.join(''), message);
        expect(frames.length).toBeLessThanOrEqual(50);
        for (const frame of frames) expect(typeof frame.function).toBe('string');
      }),
      { numRuns: 2000 },
    );
  });
});
