import { formatWithOptions, inspect } from 'node:util';
import { addBreadcrumb, addLateBreadcrumb } from '../../capture.js';
import { getClient } from '../../context/current-scopes.js';
import { nowSeconds } from '../../internal/clock.js';
import { matchesAny } from '../../internal/options/match.js';
import { readOptions } from '../../internal/options/read-options.js';
import { isObjectOrFunction } from '../../internal/values/read.js';
import { limitLength, truncate } from '../../internal/values/strings.js';
import type { Integration } from '../../model/contracts.js';
import type { Breadcrumb } from '../../model/event/breadcrumb.js';
import type { SeverityLevel } from '../../model/event/severity.js';
import type { StringMatcher } from '../../model/options.js';
import { maskText } from '../../scrubbing/credentials.js';
import { FILTERED, namesOf, type SensitiveNames } from '../../scrubbing/sensitive-names.js';
import { filterFields } from '../../scrubbing/text/structured-text.js';
import { filterQuery } from '../../scrubbing/urls.js';
import {
  CONSOLE_METHODS,
  type ConsoleMethod,
  describeAssertion,
  INSPECTION,
  loggedBy,
  observeConsole,
  readLevels,
} from './console-methods.js';
import { filterNamedArguments } from './named-arguments.js';

const LEVELS: Record<ConsoleMethod, SeverityLevel> = {
  debug: 'debug',
  info: 'info',
  warn: 'warning',
  error: 'error',
  log: 'log',
  trace: 'log',
  assert: 'log',
};

/** Breadcrumbs live long; they keep bounded strings, never the logged objects. */
const MAX_CHARS = INSPECTION.maxStringLength;
/** Cut before scrubbing, to bound its time; long enough that a credential cut here is cut off afterwards. */
const MAX_SCRUBBED_CHARS = 2 * MAX_CHARS;
/** Shorter arguments are words and counts. */
const MIN_SECRET_CHARS = 4;
const MIN_CARD_DIGITS = 12;

/** Options of {@link consoleIntegration}. */
export interface ConsoleOptions {
  /** Messages without a breadcrumb: those that contain a string or match a pattern. @default [] */
  filter?: StringMatcher[] | undefined;
  /** Methods whose messages become breadcrumbs. @default all */
  levels?: ConsoleMethod[] | undefined;
}

/** Adds a breadcrumb for each console message, without credentials. */
export function consoleIntegration(options?: ConsoleOptions): Integration {
  const { filter, levels } = readOptions('consoleIntegration', options, { filter: [], levels: [...CONSOLE_METHODS] });
  const methods = readLevels('consoleIntegration', levels);
  return {
    name: 'Console',
    setup(client) {
      const names = namesOf(client.settings);
      const before = (method: ConsoleMethod, args: readonly unknown[]) => {
        if (getClient() === client) recordCall(method, args, filter, names);
      };
      return observeConsole(methods, { before });
    },
  };
}

function recordCall(
  method: ConsoleMethod,
  input: readonly unknown[],
  filter: readonly StringMatcher[],
  names: SensitiveNames,
): void {
  const logged = loggedBy(method, input);
  if (!logged) return;
  const hint = { input, level: LEVELS[method] };
  if (filter.length === 0 && !logged.some(isObjectOrFunction)) {
    const timestamp = nowSeconds();
    const unchanging = logged.map((one) => (typeof one === 'string' ? limitLength(one, MAX_SCRUBBED_CHARS) : one));
    // Formatting and scrubbing take longer than writing the line, and most lines are never sent.
    addLateBreadcrumb(() => ({ timestamp, ...toBreadcrumb(method, unchanging, names) }), hint);
  } else {
    // The application may change its objects.
    const breadcrumb = toBreadcrumb(method, logged, names);
    if (!matchesAny(breadcrumb.message, filter)) addBreadcrumb(breadcrumb, hint);
  }
}

function toBreadcrumb(
  method: ConsoleMethod,
  logged: readonly unknown[],
  names: SensitiveNames,
): Breadcrumb & { message: string } {
  const kept = filterNamedArguments(logged, names).map((value) => toKept(value, names));
  const template = readTemplate(logged);
  // Masked after formatting: `password=%s` would lose the place of its value.
  const printed = template === undefined ? kept : [template, ...kept.slice(1)];
  const formatted = method === 'assert' ? describeAssertion(format(printed)) : format(printed);
  const isSearched = template !== undefined || mayNameNext(kept, names);
  const message = isSearched ? maskText(formatted, names) : formatted;
  const args = message === formatted ? kept : kept.map((one) => (isMasked(one, formatted, message) ? FILTERED : one));
  return { category: 'console', level: LEVELS[method], message, data: { arguments: args, logger: 'console' } };
}

/** The first argument, when the others may be put into it. */
function readTemplate([first, ...rest]: readonly unknown[]): string | undefined {
  return typeof first === 'string' && first.includes('%') && rest.length > 0 ? truncate(first, MAX_CHARS) : undefined;
}

/** Whether an argument may be the name of what follows: `console.log('token:', token)`. */
function mayNameNext(kept: readonly unknown[], names: SensitiveNames): boolean {
  return kept.length > 1 && kept.some((one) => typeof one === 'string' && names.areCredentialsMentionedIn(one));
}

/** Whether masking has removed an argument from the message. */
function isMasked(argument: unknown, before: string, after: string): boolean {
  const printed = String(argument);
  return printed.length >= MIN_SECRET_CHARS && before.includes(printed) && !after.includes(printed);
}

function format(kept: readonly unknown[]): string {
  const [first] = kept;
  const hasTemplate = typeof first === 'string' && first.includes('%');
  const formatted = hasTemplate ? formatWithOptions(INSPECTION, ...kept) : kept.map(String).join(' ');
  return truncate(formatted, MAX_CHARS);
}

function toKept(value: unknown, names: SensitiveNames): unknown {
  if (typeof value === 'string') return truncate(maskText(value.slice(0, MAX_SCRUBBED_CHARS), names), MAX_CHARS);
  if (isObjectOrFunction(value)) return truncate(inspectWithoutSecrets(value, names), MAX_CHARS);
  // Payment cards, and symbols that describe a token.
  const printed = String(value);
  const masked = printed.length < MIN_CARD_DIGITS ? printed : maskText(printed.slice(0, MAX_SCRUBBED_CHARS), names);
  return masked === printed ? value : truncate(masked, MAX_CHARS);
}

function inspectWithoutSecrets(value: unknown, names: SensitiveNames): string {
  const shown = inspect(value, INSPECTION)
    .slice(0, MAX_SCRUBBED_CHARS)
    .replace(PARAMETERS, (list) => filterEach(list, names));
  const printed = maskText(shown, names);
  return names.areMentionedIn(printed) ? filterFields(printed, names) : printed;
}

/** Parameters have more names of credentials than fields: `key`, `code`. A printed `URL` has them, too. */
const PARAMETERS = /URLSearchParams \{[^}]{1,4096}\}/g;
const PARAMETER = /'([^']{1,64})' => '([^']{1,2048})'/g;

function filterEach(parameters: string, names: SensitiveNames): string {
  return parameters.replace(PARAMETER, (parameter, name: string, value: string) => {
    const query = `${name}=${encodeURIComponent(value)}`;
    return filterQuery(query, names) === query ? parameter : `'${name}' => '${FILTERED}'`;
  });
}
