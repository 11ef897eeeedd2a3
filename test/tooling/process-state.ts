import { hasSubscribers } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { vi } from 'vitest';
import { processWide } from '../../src/context/process-wide.js';
import { shareNotices } from '../../src/context/written-notices.js';
import { noteMistake, takeMistakes } from '../../src/internal/options/mistakes.js';
import { drawSeededHex } from '../../src/internal/randomness.js';

/** Objects whose functions, and those of whose classes, tests or the SDK may replace. */
const PATCHABLE = Object.entries<object>({
  ...{ globalThis, console, Error, JSON, Math, performance, process, Reflect },
  ...{ Arrays: Array.prototype, Functions: Function.prototype, Objects: Object.prototype },
  ...Object.fromEntries(
    'child_process crypto diagnostics_channel dns events fs http http2 https module net timers tls worker_threads'
      .split(' ')
      .map((name) => [name, process.getBuiltinModule(`node:${name}`)]),
  ),
});

/** Those that the SDK subscribes to. */
const CHANNELS =
  'child_process fastify.initialization http.client.request.created http.client.request.error http.client.response.finish http.server.request.start http.server.response.finish net.server.socket undici:client:sendHeaders undici:request:create undici:request:error undici:request:headers undici:request:trailers worker_threads'.split(
    ' ',
  );

interface ProcessState {
  readonly values: ReadonlyMap<string, unknown>;
  /** Node defines some of them at first use: one that is new has not been replaced. */
  readonly functions: ReadonlyMap<string, unknown>;
}

/** What a test file could leave in its process for the next one. */
export function readProcessState(): ProcessState {
  return {
    values: new Map<string, unknown>([...valuesOfProcess(), ...stateOfSdk()]),
    functions: new Map(
      PATCHABLE.flatMap(([name, object]) => [...functionsOf(name, object), ...methodsOf(name, object)]),
    ),
  };
}

/** The names of what differs. */
export function differences(before: ProcessState, after: ProcessState): string[] {
  const names = new Set([...before.values.keys(), ...after.values.keys()]);
  const { functions } = after;
  return [
    ...[...names].filter((name) => before.values.get(name) !== after.values.get(name)),
    ...[...before.functions].flatMap(([name, fn]) => (functions.has(name) && functions.get(name) !== fn ? [name] : [])),
  ];
}

function valuesOfProcess(): (readonly [string, unknown])[] {
  const { argv, env, exitCode, title } = process;
  return [
    ...process.eventNames().map((name) => [`listeners for ${String(name)}`, process.listenerCount(name)] as const),
    ...Object.entries(env).map(([name, value]) => [`variable ${name}`, value] as const),
    ...Object.entries({ argv: argv.join(' '), cwd: process.cwd(), exitCode, title }),
    ...PATCHABLE.flatMap(([name, object]) =>
      Object.getOwnPropertyNames(object).map((key) => [`${name}.${key} exists`, true] as const),
    ),
    ...CHANNELS.map((name) => [`subscribers of ${name}`, hasSubscribers(name)] as const),
    ['Error.stackTraceLimit', Error.stackTraceLimit],
    ['Error.prepareStackTrace', Error.prepareStackTrace],
    ['fake timers', vi.isFakeTimers()],
  ];
}

/** Without what belongs to an object and is found only by it. */
function stateOfSdk(): [string, unknown][] {
  const mistakes = [...takeMistakes()];
  for (const mistake of mistakes) noteMistake(mistake);
  const notices = shareNotices()?.filter((notice) => notice !== 0);
  const { scopesOfEmptyContexts, ...shared } = processWide();
  const state = {
    ...shared,
    scopesOfEmptyContexts: scopesOfEmptyContexts.getStore(),
    mistakes,
    notices,
    seeded: drawSeededHex(1),
  };
  return Object.entries(state).map(([name, value]) => [`${name} of the SDK`, inspect(value, { depth: 4 })]);
}

function functionsOf(name: string, object: object): [string, unknown][] {
  return Reflect.ownKeys(object).flatMap((key) => {
    const value: unknown = Reflect.getOwnPropertyDescriptor(object, key)?.value;
    return typeof value === 'function' ? [[`${name}.${String(key)}`, value]] : [];
  });
}

function methodsOf(name: string, object: object): [string, unknown][] {
  return functionsOf(name, object).flatMap(([path, value]) => {
    const { prototype } = value as { prototype?: unknown };
    return typeof prototype === 'object' && prototype ? functionsOf(`${path}.prototype`, prototype) : [];
  });
}
