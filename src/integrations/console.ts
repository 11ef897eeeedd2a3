import { formatWithOptions, inspect } from 'node:util';
import { addBreadcrumb } from '../capture.js';
import { getClient } from '../context/current-scopes.js';
import { matchesAny } from '../internal/match.js';
import { isObjectOrFunction } from '../internal/read.js';
import { readOptions } from '../internal/read-options.js';
import type { Integration } from '../model/contracts.js';
import type { StringMatcher } from '../model/options.js';
import type { SeverityLevel } from '../model/severity.js';
import { maskText } from '../scrubbing/credentials.js';
import { namesOf, type SensitiveNames } from '../scrubbing/sensitive-names.js';
import { filterFields } from '../scrubbing/structured-text.js';
import { type ConsoleMethod, loggedBy, observeConsole } from './console-methods.js';

const LEVELS: Record<ConsoleMethod, SeverityLevel> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  log: 'log',
  trace: 'log',
  assert: 'log',
};

const ALL = Object.keys(LEVELS) as ConsoleMethod[];

const MAX_CHARS = 2000;
/** Cut before scrubbing, to bound its time; long enough that a credential cut here is cut off afterwards. */
const MAX_SCRUBBED_CHARS = 2 * MAX_CHARS;
/** Breadcrumbs live long; they keep bounded strings, never the logged objects. */
const INSPECTION = { depth: 2, maxArrayLength: 20, maxStringLength: MAX_CHARS, breakLength: Number.POSITIVE_INFINITY };

/** Options of {@link consoleIntegration}. */
export interface ConsoleOptions {
  /** Messages without a breadcrumb: those that contain a string or match a pattern. @default [] */
  filter?: StringMatcher[] | undefined;
  /** Methods whose messages become breadcrumbs. @default all */
  levels?: ConsoleMethod[] | undefined;
}

/** Adds a breadcrumb for each console message, without credentials. */
export function consoleIntegration(options?: ConsoleOptions): Integration {
  const { filter = [], levels = ALL } = readOptions(options, { filter: 'list', levels: 'list' });
  return {
    name: 'Console',
    setup(client) {
      const names = namesOf(client.settings);
      const before = (method: ConsoleMethod, args: readonly unknown[]) => {
        if (getClient() === client) record(method, args, filter, names);
      };
      return observeConsole(
        ALL.filter((method) => levels.includes(method)),
        { before },
      );
    },
  };
}

function record(
  method: ConsoleMethod,
  args: readonly unknown[],
  filter: readonly StringMatcher[],
  names: SensitiveNames,
): void {
  const kept = loggedBy(method, args)?.map((value) => toKept(value, names));
  if (!kept) return;
  const level = LEVELS[method];
  const message = method === 'assert' ? describeFailure(kept) : format(kept);
  if (matchesAny(message, filter)) return;
  addBreadcrumb(
    { category: 'console', level, message, data: { arguments: kept, logger: 'console' } },
    { input: args, level },
  );
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
