import { formatWithOptions, inspect } from 'node:util';
import { addBreadcrumb } from '../capture.js';
import { getClient } from '../context/current-scopes.js';
import { guard } from '../internal/guard.js';
import { matchesAny } from '../internal/match.js';
import { isObjectOrFunction } from '../internal/read.js';
import { readOptions } from '../internal/read-options.js';
import { markWrapped } from '../internal/wrapped.js';
import type { Client, Integration } from '../model/contracts.js';
import type { StringMatcher } from '../model/options.js';
import type { SeverityLevel } from '../model/severity.js';
import { maskText } from '../scrubbing/credentials.js';
import { namesOf, type SensitiveNames } from '../scrubbing/sensitive-names.js';
import { filterFields } from '../scrubbing/structured-text.js';

type Method = 'debug' | 'info' | 'warn' | 'error' | 'log' | 'trace' | 'assert';

const LEVELS: Record<Method, SeverityLevel> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  log: 'log',
  trace: 'log',
  assert: 'log',
};

const MAX_ARGUMENTS = 20;
const MAX_CHARS = 2000;
/** Cut before scrubbing, to bound its time; long enough that a credential cut here is cut off afterwards. */
const MAX_SCRUBBED_CHARS = 2 * MAX_CHARS;
/** Breadcrumbs live long; they keep bounded strings, never the logged objects. */
const INSPECTION = { depth: 2, maxArrayLength: 20, maxStringLength: MAX_CHARS, breakLength: Number.POSITIVE_INFINITY };

/** Options of {@link consoleIntegration}. */
export interface ConsoleOptions {
  /** Messages without a breadcrumb: those that contain a string or match a pattern. @default [] */
  filter?: StringMatcher[] | undefined;
}

/** Adds a breadcrumb for each console message, without credentials. */
export function consoleIntegration(options?: ConsoleOptions): Integration {
  const { filter = [] } = readOptions(options, { filter: 'list' });
  return {
    name: 'Console',
    setup(client) {
      const recorder = new ConsoleRecorder(client, globalThis.console, filter);
      const methods = Object.keys(LEVELS) as Method[];
      const restores = methods.map((method) => guard(`console.${method}`, () => recorder.wrap(method), undefined));
      return () => {
        recorder.stop();
        for (const restore of restores) restore?.();
      };
    },
  };
}

class ConsoleRecorder {
  readonly #client: Client;
  readonly #console: Console;
  readonly #filter: readonly StringMatcher[];
  readonly #names: SensitiveNames;
  /** Console methods call one another, and code that handles a breadcrumb may log. */
  #isBusy = false;
  #isStopped = false;

  constructor(client: Client, console: Console, filter: readonly StringMatcher[]) {
    this.#client = client;
    this.#filter = filter;
    this.#console = console;
    this.#names = namesOf(client.settings);
  }

  /** @returns restores the original, unless other code has wrapped the method since */
  wrap(method: Method): () => void {
    const recorder = this;
    const target = this.#console;
    const original = target[method] as (...args: unknown[]) => unknown;
    const wrapper = function (this: unknown, ...args: unknown[]): unknown {
      if (recorder.#isBusy || recorder.#isStopped) return Reflect.apply(original, this, args);
      recorder.#isBusy = true;
      try {
        guard('console breadcrumb', () => recorder.#record(method, args), undefined);
        return Reflect.apply(original, this, args);
      } finally {
        recorder.#isBusy = false;
      }
    };
    target[method] = markWrapped(wrapper, original);
    return () => {
      if (target[method] === wrapper) target[method] = original;
    };
  }

  /** From now on, wrappers that could not be removed do nothing. */
  stop(): void {
    this.#isStopped = true;
  }

  #record(method: Method, args: readonly unknown[]): void {
    if (getClient() !== this.#client) return;
    if (method === 'assert' && args[0]) return;
    const logged = (method === 'assert' ? args.slice(1) : args).slice(0, MAX_ARGUMENTS);
    const level = LEVELS[method];
    const kept = logged.map((value) => toKept(value, this.#names));
    const message = method === 'assert' ? describeFailure(kept) : format(kept);
    if (matchesAny(message, this.#filter)) return;
    addBreadcrumb(
      { category: 'console', level, message, data: { arguments: kept, logger: 'console' } },
      { input: args, level },
    );
  }
}

function describeFailure(kept: readonly unknown[]): string {
  return kept.length > 0 ? `Assertion failed: ${format(kept)}` : 'Assertion failed';
}

function format(kept: readonly unknown[]): string {
  const [first] = kept;
  return cut(
    typeof first === 'string' && first.includes('%')
      ? formatWithOptions(INSPECTION, ...kept)
      : kept.map(String).join(' '),
  );
}

function toKept(value: unknown, names: SensitiveNames): unknown {
  if (typeof value === 'string') return cut(maskText(value.slice(0, MAX_SCRUBBED_CHARS), names));
  return isObjectOrFunction(value) ? cut(inspectWithoutSecrets(value, names)) : value;
}

function inspectWithoutSecrets(value: unknown, names: SensitiveNames): string {
  const printed = maskText(inspect(value, INSPECTION).slice(0, MAX_SCRUBBED_CHARS), names);
  return names.areMentionedIn(printed) ? filterFields(printed, names) : printed;
}

function cut(printed: string): string {
  // The detour makes a copy: a slice would keep the whole string in memory.
  return printed.length > MAX_CHARS
    ? `${Buffer.from(printed.slice(0, MAX_CHARS), 'utf16le').toString('utf16le')}...`
    : printed;
}
