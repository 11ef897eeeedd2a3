import { types } from 'node:util';
import { createLogger } from './internal/diag.js';
import { guardOwn } from './internal/guard.js';
import {
  allowList,
  callback,
  count,
  flag,
  flagOrUrl,
  interval,
  listRow,
  matchers,
  nonEmptyString,
  type OptionRow,
  parseNonBlank,
  parseObject,
  parseString,
  rate,
  type Warn,
} from './internal/options/option-rows.js';
import { membersOf, parseRow } from './internal/options/parse-row.js';
import { STORE_ROWS, TRANSPORT_ROWS } from './internal/options/transport-rows.js';
import { describeUnknown, listUnknown, type UnknownName } from './internal/options/unknown-names.js';
import { WITHOUT_EFFECT } from './internal/options/without-effect.js';
import { copyOwn } from './internal/values/copy-own.js';
import { describe } from './internal/values/in-message.js';
import { isSpanProcessor } from './internal/values/is-span-processor.js';
import { isObject, readList } from './internal/values/read.js';
import { limitLength } from './internal/values/strings.js';
import { findLabelProblem, MAX_LABEL_LENGTHS } from './model/event/labels.js';
import type { Notify } from './model/notice.js';
import type { Options, ScrubbingOptions, Settings, StringMatcher } from './model/options.js';

/** Longest `serverName` that is sent: names of hosts have at most 253 characters. */
const MAX_SERVER_NAME_LENGTH = 256;

const log = createLogger('options');

/** Every option, in the order of docs/options.md. */
export const OPTIONS: { readonly [Name in keyof Required<Options>]: OptionRow } = {
  dsn: { expected: 'a string', parse: parseString, consequence: 'nothing is sent', hasVariable: true },
  environment: { ...label('environment'), default: 'production' },
  release: label('release'),
  dist: label('dist'),
  sampleRate: { ...rate(), default: 1 },
  maxSameErrorsPerSecond: { ...count(), default: 100 },
  tracesSampleRate: { ...rate(), whenBad: 0 },
  tracesSampler: callback(),
  beforeSend: callback(),
  beforeSendTransaction: callback(),
  beforeSendSpan: callback(),
  beforeBreadcrumb: callback(),
  integrations: {
    expected: 'an array of integrations, or a function from the default ones to the list to use',
    parse: (value) => (Array.isArray(value) || typeof value === 'function' ? value : undefined),
  },
  defaultIntegrations: {
    expected: 'false or an array of integrations',
    parse: (value) => (value === false || Array.isArray(value) ? value : undefined),
  },
  maxBreadcrumbs: { ...count(), default: 100 },
  maxValueLength: { ...count(), default: 250 },
  normalizeDepth: { ...count(), default: 3 },
  normalizeMaxBreadth: { ...count(), default: 1000 },
  ignoreErrors: { ...matchers('ignoreErrors'), default: [] },
  ignoreTransactions: { ...matchers('ignoreTransactions'), default: [] },
  ignoreSpans: {
    ...listRow(
      'ignoreSpans',
      'an array of strings, regular expressions and objects with name, op or attributes',
      isSpanMatcher,
    ),
    default: [],
  },
  allowUrls: {
    ...allowList('allowUrls'),
    default: [],
    whenBad: [/(?!)/],
    consequence: 'no error that has a stack is sent',
  },
  denyUrls: { ...matchers('denyUrls'), default: [] },
  tracePropagationTargets: {
    ...allowList('tracePropagationTargets'),
    whenBad: [],
    consequence: 'no request gets trace headers',
  },
  propagateTraceparent: { ...flag(), default: false },
  transport: callback(),
  transportOptions: {
    ...membersOf('transportOptions', TRANSPORT_ROWS satisfies Record<keyof Settings['transportOptions'], OptionRow>),
    default: {},
  },
  tunnel: nonEmptyString(),
  spotlight: flagOrUrl('true, false or a URL such as http://localhost:8969/stream'),
  debug: { ...flag(), default: false },
  quiet: { ...flag(), default: false },
  enabled: { ...flag(), default: true },
  sendDefaultPii: { ...flag(), default: false },
  scrubbing: { expected: 'an object with fields, headers, patterns or allow', parse: parseScrubbing },
  serverName: {
    ...nonEmptyString(),
    parse: (value) => limitLength(parseNonBlank(value) ?? '', MAX_SERVER_NAME_LENGTH) || undefined,
  },
  shutdownTimeout: { ...count('milliseconds, a number of at least 0'), default: 2000 },
  attachStacktrace: { ...flag(), default: false },
  stackTraceLimit: { ...count(), default: 50 },
  sendClientReports: { ...flag(), default: true },
  clientReportIntervalMillis: { ...interval(), default: 60_000 },
  sessionIntervalMillis: { ...interval(), default: 60_000 },
  captureSpanErrors: { ...flag(), default: true },
  captureRecordedExceptions: { ...flag(), default: false },
  skipOpenTelemetrySetup: { ...flag(), default: false },
  openTelemetrySpanProcessors: {
    ...listRow('openTelemetrySpanProcessors', 'an array of span processors', isSpanProcessor),
    consequence: 'nothing in it gets a span',
    default: [],
  },
  strictTraceContinuation: { ...flag(), default: false },
  trustIncomingSampling: {
    expected: "'always', 'own' or 'never'",
    parse: (value) => (value === 'always' || value === 'own' || value === 'never' ? value : undefined),
    default: 'always',
    whenBad: 'never',
    hasVariable: true,
  },
  maxForcedTracesPerSecond: count(),
  orgId: {
    ...nonEmptyString(),
    expected: 'a number of at least 0, or a string that is not empty',
    parse: (value) => (typeof value === 'number' && value >= 0 ? value : parseNonBlank(value)),
  },
};

interface OptionObservers {
  /** Called as soon as `debug` is known to be on, before problems of other options are logged. */
  readonly onDebug?: () => void;
  /** Writes to stderr what certainly loses data: unusable values, and unknown names. */
  readonly notify?: Notify;
  /** Called with everything that is wrong. */
  readonly onProblem?: Warn;
}

/**
 * Checks the options and fills in defaults. A bad value is logged with the option's name and replaced by the row's
 * `whenBad`, else by the default. Never throws.
 *
 * @param env environment variables; options win over them
 */
export function resolveOptions(
  options: unknown,
  env: NodeJS.ProcessEnv,
  { onDebug, notify, onProblem }: OptionObservers = {},
): Settings {
  const warn: Warn = (problem) => {
    log.warn(problem);
    onProblem?.(problem);
  };
  const present = copyOwn(parseObject(options));
  const settings: Record<string, unknown> = {};
  const forStderr: string[] = [];
  const warnOnStderr: Warn = (problem) => {
    warn(problem);
    forStderr.push(problem);
  };
  for (const name of new Set<keyof Options>(['debug', ...(Object.keys(OPTIONS) as (keyof Options)[])])) {
    const row: OptionRow = OPTIONS[name];
    const isGiven = present[name] !== undefined && present[name] !== null;
    const value = isGiven ? present[name] : row.hasVariable ? readVariable(name, row, env) : undefined;
    const source = isGiven ? name : variableOf(name);
    settings[name] = value === undefined ? row.default : parseRow(source, row, value, warnOnStderr, warn);
    if (name === 'debug' && settings[name]) onDebug?.();
  }
  if (options !== undefined && !parseObject(options)) {
    // A string is not shown, because it may be a DSN with a secret.
    const found = typeof options === 'string' ? 'a string' : describe(options);
    warnOnStderr(`the options must be an object such as { dsn }, but are ${found}; they are ignored`);
  }
  const hasDsn = (present['dsn'] ?? env['FAULTLINE_DSN']) != null;
  const hasDestination = hasDsn || settings['spotlight'] || settings['transport'];
  if (env['SENTRY_DSN'] && !hasDestination)
    warnOnStderr(
      'SENTRY_DSN is read by faultline/sentry only, and there is no dsn: nothing is sent. Set FAULTLINE_DSN',
    );
  const resolved = Object.freeze(settings) as unknown as Settings;
  if (forStderr.length > 0) notify?.('bad-value', forStderr.join('. '), resolved);
  const unknown = findUnknown(present, settings, env);
  if (unknown.length > 0) {
    const message = describeUnknown(unknown);
    warn(message);
    notify?.('unknown-option', message, resolved);
  }
  return resolved;
}

const VARIABLE_PREFIX = 'FAULTLINE_';

/** The environment variable of an option: `tracesSampleRate` is `FAULTLINE_TRACES_SAMPLE_RATE`. */
export function variableOf(name: string): string {
  return `${VARIABLE_PREFIX}${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** The names of all environment variables, without the prefix. */
const VARIABLES = [
  ...Object.entries(OPTIONS).flatMap(([name, { hasVariable }]) =>
    hasVariable ? variableOf(name).slice(VARIABLE_PREFIX.length) : [],
  ),
  'STORE_DIR',
  // Set by `faultline dev` and `faultline doctor`.
  'DEV',
  'DOCTOR_FOLDER',
  'DOCTOR_SEND',
];

const SPAN_MATCHER_MEMBERS = ['name', 'op', 'attributes'];

/**
 * Variables are text. That of a numeric option is converted; text that is not a number is kept, so that the warning can show
 * it.
 */
function readVariable(name: string, { isNumber }: OptionRow, env: NodeJS.ProcessEnv): unknown {
  const value = env[variableOf(name)] || undefined;
  const number = isNumber && value?.trim() ? Number(value) : Number.NaN;
  return Number.isNaN(number) ? value : number;
}

function findUnknown(
  present: Record<string, unknown>,
  settings: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): UnknownName[] {
  // A custom transport may have its own options.
  const transportOptions = settings['transport'] === undefined ? copyOwn(settings['transportOptions']) : {};
  const variables = Object.keys(env).filter((name) => name.startsWith(VARIABLE_PREFIX));
  return [
    ...listUnknown('option', '', present, Object.keys(OPTIONS), WITHOUT_EFFECT),
    ...readList(settings['ignoreSpans']).flatMap((matcher, i) =>
      listUnknown('member', `ignoreSpans[${i}].`, copyOwn(parseObject(matcher)), SPAN_MATCHER_MEMBERS),
    ),
    ...listUnknown('option', 'scrubbing.', copyOwn(parseObject(present['scrubbing'])), SCRUBBING_LISTS),
    ...listUnknown('option', 'transportOptions.', transportOptions, Object.keys(TRANSPORT_ROWS)),
    ...listUnknown('option', 'transportOptions.store.', copyOwn(transportOptions['store']), Object.keys(STORE_ROWS)),
    ...listUnknown(
      'variable',
      VARIABLE_PREFIX,
      Object.fromEntries(variables.map((name) => [name.slice(VARIABLE_PREFIX.length), env[name] || undefined])),
      VARIABLES,
    ),
  ];
}

/** A label by which servers index events. A value that some servers drop is used and logged. */
function label(name: keyof typeof MAX_LABEL_LENGTHS): OptionRow {
  const maxLength = MAX_LABEL_LENGTHS[name];
  const parse = (value: unknown, _: Warn, mention: Warn): string | undefined => {
    const parsed = parseNonBlank(value);
    if (!parsed) return undefined;
    const problem = findLabelProblem(parsed, maxLength);
    if (problem) mention(`${name}: ${describe(parsed)} ${problem}`);
    return limitLength(parsed, maxLength);
  };
  return { ...nonEmptyString(), parse };
}

function isSpanMatcher(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || isObject(value);
}

/** Copies a pattern, so that properties that were overridden on the original have no effect. */
function copyMatcher(value: unknown): StringMatcher | undefined {
  if (typeof value === 'string') return value || undefined;
  return types.isRegExp(value) ? guardOwn('a pattern of scrubbing', () => new RegExp(value)) : undefined;
}

const SCRUBBING_LISTS: readonly (keyof ScrubbingOptions)[] = ['fields', 'headers', 'patterns', 'allow'];

/** One bad element must not disable the others: see `listRow`. */
function parseScrubbing(value: unknown, warn: Warn): ScrubbingOptions | undefined {
  if (!parseObject(value)) return undefined;
  const given = copyOwn(value);
  const parsed: ScrubbingOptions = {};
  for (const name of SCRUBBING_LISTS) {
    const list = given[name];
    if (list === undefined) continue;
    const usable = readList(list)
      .map(copyMatcher)
      .filter((one) => one !== undefined);
    if (!Array.isArray(list) || usable.length < list.length) {
      warn(`scrubbing.${name}: must be an array of strings and regular expressions; other elements are ignored`);
    }
    if (usable.length > 0) parsed[name] = usable;
  }
  return Object.freeze(parsed);
}
