import { afterAll, expect, vi } from 'vitest';
import { resetProcessWide } from '../../src/context/process-wide.js';
import { getClient } from '../../src/index.js';
import { resetOpenTelemetry } from '../support/story.js';

// The files of a process follow each other in any order. Each begins as if it were the first, and fails if it leaves
// something behind that another one could notice.
const before = lookAround();

afterAll(async () => {
  await getClient()?.close(0);
  resetOpenTelemetry();
  resetProcessWide();
  const after = lookAround();
  vi.useRealTimers();
  const names = new Set([...before.keys(), ...after.keys()]);
  const changed = [...names].filter((name) => before.get(name) !== after.get(name));
  expect(changed, 'what the file has changed in its process').toEqual([]);
});

function lookAround(): ReadonlyMap<string, unknown> {
  const { argv, env, exitCode, title } = process;
  return new Map<string, unknown>([
    ...process.eventNames().map((name) => [`listeners for ${String(name)}`, process.listenerCount(name)] as const),
    ...Object.entries(env).map(([name, value]) => [`variable ${name}`, value] as const),
    ...Object.getOwnPropertyNames(globalThis).map((name) => [`global ${name}`, true] as const),
    ...Object.entries({ Date, fetch, Map, Promise, Set, setImmediate, setInterval, setTimeout }),
    ...Object.entries({ argv: argv.join(' '), cwd: process.cwd(), exitCode, title }),
    ...Object.entries({ emit: process.emit, on: process.on, exit: process.exit, stderr: process.stderr.write }),
    ['Error.stackTraceLimit', Error.stackTraceLimit],
    ['Error.prepareStackTrace', Error.prepareStackTrace],
    ['fake timers', vi.isFakeTimers()],
  ]);
}
