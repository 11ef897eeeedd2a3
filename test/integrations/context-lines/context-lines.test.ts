import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import fsPromises from 'node:fs/promises';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { exceptionFromError } from '../../../src/errors/thrown.js';
import { contextLinesIntegration } from '../../../src/integrations/context-lines/context-lines.js';
import type { Client, Integration } from '../../../src/model/contracts.js';
import type { Event } from '../../../src/model/event/event.js';
import type { StackFrame } from '../../../src/model/event/exception.js';
import { isShared } from '../../../src/model/event/shared-parts.js';

// Below the folder of the application, which is the only place that scripts are read from.
const folder = mkdtempSync(join(process.cwd(), 'test/.context-lines-'));
const outside = mkdtempSync(join(tmpdir(), 'faultline-context-'));
afterAll(() => {
  for (const one of [folder, outside]) rmSync(one, { recursive: true });
});

let fileCount = 0;
function fileOf(content: string, extension = '.js'): string {
  const file = join(folder, `source${fileCount++}${extension}`);
  writeFileSync(file, content);
  return file;
}

const numbered = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index + 1}`).join('\n');
const eventWith = (...frames: StackFrame[]): Event => ({ exception: { values: [{ stacktrace: { frames } }] } });
const framesOf = (event: Event) => event.exception!.values![0]!.stacktrace!.frames!;

function enrich(integration: Integration, event: Event): void | PromiseLike<void> {
  return integration.enrichEvent?.(event, {}, { settings: {} } as Client);
}

async function contextOf(frame: StackFrame, integration = contextLinesIntegration()): Promise<StackFrame> {
  const event = eventWith(frame);
  await enrich(integration, event);
  return framesOf(event)[0]!;
}

describe('a frame', () => {
  it('gets its source line with seven before and seven after', async () => {
    expect(await contextOf({ filename: fileOf(numbered(30)), lineno: 10 })).toMatchObject({
      pre_context: ['line 3', 'line 4', 'line 5', 'line 6', 'line 7', 'line 8', 'line 9'],
      context_line: 'line 10',
      post_context: ['line 11', 'line 12', 'line 13', 'line 14', 'line 15', 'line 16', 'line 17'],
    });
  });

  it.each([
    [1, [], ['line 2', 'line 3']],
    [2, ['line 1'], ['line 3', 'line 4']],
    [5, ['line 3', 'line 4'], []],
  ])('at the edge of the file gets what there is: line %i', async (lineno, before, after) => {
    const integration = contextLinesIntegration({ frameContextLines: 2 });
    expect(await contextOf({ filename: fileOf(numbered(5)), lineno }, integration)).toMatchObject({
      pre_context: before,
      context_line: `line ${lineno}`,
      post_context: after,
    });
  });

  it.each([
    [0, 0],
    [1, 1],
    [2.9, 2],
    [1000, 50],
  ])('with the option at %d gets %i lines on either side', async (frameContextLines, expected) => {
    const frame = await contextOf(
      { filename: fileOf(numbered(200)), lineno: 100 },
      contextLinesIntegration({ frameContextLines }),
    );
    expect(frame.context_line).toBe('line 100');
    expect([frame.pre_context?.length, frame.post_context?.length]).toEqual([expected, expected]);
  });

  it.each([-1, Number.NaN])('gets nothing with the option at %d', async (frameContextLines) => {
    const integration = contextLinesIntegration({ frameContextLines });
    expect((await contextOf({ filename: fileOf('a'), lineno: 1 }, integration)).context_line).toBeUndefined();
  });

  it.each([
    ['around the column', 500, `{snip} ${'0123456789'.repeat(14)} {snip}`],
    ['at its beginning', 10, `${'0123456789'.repeat(14)} {snip}`],
    ['at its end', 990, `{snip} ${'0123456789'.repeat(14)}`],
  ])('shows of a long line 140 characters %s', async (_, colno, expected) => {
    const filename = fileOf(`short\n${'0123456789'.repeat(100)}\n${'x'.repeat(1000)}`);
    const frame = await contextOf({ filename, lineno: 2, colno });
    expect(frame.context_line).toBe(expected);
    expect(frame.pre_context).toEqual(['short']);
    expect(frame.post_context).toEqual([`${'x'.repeat(140)} {snip}`]);
  });

  it('has no credentials in any of its lines, also where a long one is cut within them', async () => {
    const token = `ghp_${'Ab3dEf6hIj9kLm2nOp5qRs8tUv1wXy4z'}abcd`;
    const around = 'f(); '.repeat(40);
    const lines = [`const a = '${token}';`, "login({ password: 'leak' });", `${around}g('${token}'); ${around}`];
    const frame = await contextOf({ filename: fileOf(lines.join('\n')), lineno: 2, colno: 1 });
    expect(frame).toMatchObject({
      pre_context: ["const a = '[Filtered]';"],
      context_line: "login({ password: '[Filtered]' });",
    });
    // In the middle of the token.
    const column = around.length + 20;
    const cut = await contextOf({ filename: fileOf(lines.join('\n')), lineno: 3, colno: column });
    expect(cut.context_line).toMatch(/^\{snip\} .*g\('\[Filtered\]'\); .* \{snip\}$/);
  });

  it('is shown behind the packages of a bundle, too', async () => {
    const filename = fileOf(`${'// of a package\n'.repeat(30_000)}pay();\n`);
    const frame = await contextOf({ filename, lineno: 30_001 });
    expect([frame.pre_context?.at(-1), frame.context_line]).toEqual(['// of a package', 'pay();']);
  });

  it('of a real error shows the line that threw', async () => {
    const event: Event = { exception: { values: [exceptionFromError(new Error('boom'))] } };
    await enrich(contextLinesIntegration(), event);
    const frame = framesOf(event).findLast(({ filename }) => filename === fileURLToPath(import.meta.url));
    expect(frame?.context_line).toContain("exceptionFromError(new Error('boom'))");
  });

  it.each<[string, () => StackFrame]>([
    ['of Node', () => ({ filename: 'node:fs', lineno: 1 })],
    ['of a data URL', () => ({ filename: '<data:text/javascript>', lineno: 1 })],
    ['of minified code', () => ({ filename: fileOf('a', '.min.js'), lineno: 1 })],
    ['of a relative path', () => ({ filename: 'package.json', lineno: 1 })],
    ['without a line', () => ({ filename: fileOf('a') })],
    ['with a line of 0', () => ({ filename: fileOf('a'), lineno: 0 })],
    ['beyond line 100000', () => ({ filename: fileOf('\n'.repeat(100_001)), lineno: 100_001 })],
    ['beyond column 1000', () => ({ filename: fileOf('a'), lineno: 1, colno: 1001 })],
    ['beyond the end of the file', () => ({ filename: fileOf('a\nb\n'), lineno: 5 })],
    ['of a file that does not exist', () => ({ filename: join(folder, 'none.js'), lineno: 1 })],
    ['of a folder', () => ({ filename: folder, lineno: 1 })],
    ['of a device that never ends', () => ({ filename: '/dev/zero', lineno: 1 })],
    ['with a context of its own', () => ({ filename: fileOf('a'), lineno: 1, context_line: 'mine' })],
  ])('%s stays as it is', async (_, make) => {
    const frame = make();
    expect(await contextOf(frame)).toEqual(frame);
  });
});

describe('source that was read', () => {
  it('is remembered, so that the next event of the same place does not wait', async () => {
    const integration = contextLinesIntegration();
    const filename = fileOf(numbered(3));
    await contextOf({ filename, lineno: 2 }, integration);
    writeFileSync(filename, 'changed');
    const event = eventWith({ filename, lineno: 2 });
    expect(enrich(integration, event)).toBeUndefined();
    expect(framesOf(event)[0]?.context_line).toBe('line 2');
  });

  it('is not looked for again when it could not be found', async () => {
    const integration = contextLinesIntegration();
    const filename = join(folder, 'later.js');
    await contextOf({ filename, lineno: 1 }, integration);
    writeFileSync(filename, 'now it is there');
    expect(enrich(integration, eventWith({ filename, lineno: 1 }))).toBeUndefined();
  });

  it('is shared by concurrent events, each of which gets what it asked for', async () => {
    const integration = contextLinesIntegration({ frameContextLines: 0 });
    const filename = fileOf(numbered(50));
    const lines = Array.from({ length: 50 }, (_, index) => index + 1);
    const frames = await Promise.all(
      [...lines, ...lines].map((lineno) => contextOf({ filename, lineno }, integration)),
    );
    expect(frames.map((frame) => frame.context_line)).toEqual([...lines, ...lines].map((line) => `line ${line}`));
  });

  it('is of bounded amount, and read anew when it was forgotten', async () => {
    const integration = contextLinesIntegration();
    const filename = fileOf(numbered(2000));
    for (const first of [1, 401, 801]) {
      const frames = Array.from({ length: 400 }, (_, index) => ({ filename, lineno: first + index }));
      await enrich(integration, eventWith(...frames));
    }
    expect(enrich(integration, eventWith({ filename, lineno: 1200 }))).toBeUndefined();
    expect(enrich(integration, eventWith({ filename, lineno: 1 }))).toBeInstanceOf(Promise);
  });

  it('is one shared part of all events in which the call is the same', async () => {
    const integration = contextLinesIntegration();
    const filename = fileOf(numbered(3));
    const frame = await contextOf({ filename, lineno: 2 }, integration);
    expect(isShared(frame)).toBe(true);
    expect(await contextOf({ filename, lineno: 2 }, integration)).toBe(frame);
    const other = await contextOf({ filename, lineno: 2, function: 'other' }, integration);
    expect(other).toMatchObject({ function: 'other', pre_context: ['line 1'] });
    expect(await contextOf({ filename, lineno: 2 }, integration)).toEqual(frame);
  });
});

describe('an event', () => {
  it('is not changed below its own members', async () => {
    const frames = Object.freeze([Object.freeze({ filename: fileOf('a'), lineno: 1 })]) as StackFrame[];
    const exception = Object.freeze({
      values: Object.freeze([Object.freeze({ stacktrace: Object.freeze({ frames }) })]),
    });
    const event = { exception } as unknown as Event;
    await enrich(contextLinesIntegration(), event);
    expect(framesOf(event)[0]?.context_line).toBe('a');
  });

  it('keeps the frames that have no source among those that have', async () => {
    mkdirSync(join(folder, 'sub'), { recursive: true });
    const event = eventWith(
      { filename: 'node:fs', lineno: 1 },
      { filename: fileOf('a'), lineno: 1 },
      { function: 'x' },
    );
    await enrich(contextLinesIntegration(), event);
    expect(framesOf(event).map((frame) => frame.context_line)).toEqual([undefined, 'a', undefined]);
  });

  it.each<Event>([{}, { message: 'x' }, { exception: {} }, { exception: { values: [{ value: 'x' }] } }])(
    'without frames does not wait: %j',
    (event) => {
      expect(enrich(contextLinesIntegration(), event)).toBeUndefined();
    },
  );
});

describe('a file', () => {
  const secret = (name: string, link = false): StackFrame => {
    const file = join(outside, name);
    writeFileSync(file, 'secret');
    if (!link) return { filename: file, lineno: 1 };
    symlinkSync(file, join(folder, name));
    return { filename: join(folder, name), lineno: 1 };
  };

  it.each<[string, () => StackFrame]>([
    ['outside of the application', () => secret('outside.js')],
    ['behind a link out of the application', () => secret('linked.js', true)],
    [
      'behind a path that leads out of it',
      () => ({ filename: `${folder}/../../../../../../../etc/passwd`, lineno: 1 }),
    ],
    ['of the application that is no script', () => ({ filename: fileOf('SECRET=1', '.env'), lineno: 1 })],
    ['without an extension', () => ({ filename: fileOf('SECRET=1', ''), lineno: 1 })],
    ['of the system', () => ({ filename: '/proc/self/environ', lineno: 1 })],
    [
      'of the system, behind the working directory',
      () => ({ filename: '/proc/self/cwd/../../../etc/passwd', lineno: 1 }),
    ],
  ])('%s is not read', async (_, make) => {
    const frame = make();
    expect(await contextOf(frame)).toEqual(frame);
  });

  it('outside of the application is read once `require` has loaded it', async () => {
    const file = join(realpathSync(outside), 'loaded.js');
    writeFileSync(file, 'module.exports = 1;');
    createRequire(import.meta.url)(file);
    expect((await contextOf({ filename: file, lineno: 1 })).context_line).toBe('module.exports = 1;');
  });

  it('of a file system that does not answer holds an event up once, however many of them its frames are in', async () => {
    const { realpath } = fsPromises;
    const asked: string[] = [];
    fsPromises.realpath = ((path: string) => {
      asked.push(path);
      return new Promise(() => {});
    }) as typeof realpath;
    syncBuiltinESMExports();
    onTestFinished(() => {
      fsPromises.realpath = realpath;
      syncBuiltinESMExports();
    });
    const frames = [fileOf('a'), fileOf('b')].map((filename) => ({ filename, lineno: 1 }));
    const event = eventWith(...frames);
    await enrich(contextLinesIntegration(), event);
    expect(asked).toEqual([frames[0]!.filename]);
    expect(framesOf(event)).toEqual(frames);
  });

  it('is not read for the stack of an object that is no error', async () => {
    const event = eventWith({ filename: fileOf('a'), lineno: 1 });
    const hint = { originalException: { message: 'm', stack: 'E: m' } };
    await contextLinesIntegration().enrichEvent?.(event, hint, { settings: {} } as Client);
    expect(framesOf(event)[0]?.context_line).toBeUndefined();
  });
});
