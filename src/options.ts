import { types } from 'node:util';
import { createLogger, describe, describeReplacement } from './internal/diag.js';
import { guard } from './internal/guard.js';
import { parseFlag } from './internal/options/parse-flag.js';
import { describeUnknown, listUnknown, type UnknownName } from './internal/options/unknown-names.js';
import { copyOwn } from './internal/values/copy-own.js';
import { isArray, isObject, readList } from './internal/values/read.js';
import { limitLength } from './internal/values/strings.js';
import type { StoreOptions } from './model/delivery/store.js';
import { findLabelProblem, MAX_LABEL_LENGTHS } from './model/event/labels.js';
import type { Notify } from './model/notice.js';
import type { Options, ScrubbingOptions, Settings, StringMatcher } from './model/options.js';

/** Bound of intervals. A timer of Node's fires at once if its delay exceeds 2^31 - 1 ms. */
const MAX_INTERVAL_MILLIS = 86_400_000;
/** Longest `serverName` that is sent: names of hosts have at most 253 characters. */
const MAX_SERVER_NAME_LENGTH = 256;

const NON_EMPTY = 'a string that is not empty';
const MATCHERS = 'an array of strings that are not empty and of regular expressions';

const log = createLogger('options');

/** Called with what is wrong with a value. */
type Warn = (problem: string) => void;

/** One option: its default, its check, and the wording of that check. */
interface Row {
  /** Used when the option is absent or bad. */
  readonly default?: unknown;
  /** Used in place of `default` when the value is bad. */
  readonly whenBad?: unknown;
  /** Completes "must be …". */
  readonly expected: string;
  /** The value to use, or `undefined` when it is bad. */
  readonly parse: (value: unknown, warn: Warn) => unknown;
  /** What a bad value means, where that is not plain from the value that is used instead. */
  readonly consequence?: string;
  /** Whether the option is read from its environment variable when it is absent. */
  readonly isPlain?: boolean;
}

/** Every option, in the order of docs/options.md. */
export const OPTIONS: { readonly [Name in keyof Required<Options>]: Row } = {
  dsn: { expected: 'a string', parse: parseString, consequence: 'nothing is sent', isPlain: true },
  environment: { ...label('environment'), default: 'production' },
  release: { ...label('release') },
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
    ...listOf(
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
  transportOptions: { expected: 'an object', parse: parseObject, default: {} },
  tunnel: nonEmptyString(),
  spotlight: { expected: 'true, false or a URL', parse: parseSpotlight, isPlain: true },
  debug: { ...flag(), default: false },
  quiet: { ...flag(), default: false },
  enabled: { ...flag(), default: true },
  sendDefaultPii: { ...flag(), default: false },
  scrubbing: { expected: 'an object with fields, headers, patterns or allow', parse: parseScrubbing },
  serverName: {
    ...nonEmptyString(),
    parse: (value) => limitLength(parseString(value) ?? '', MAX_SERVER_NAME_LENGTH) || undefined,
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
    expected: 'an array of span processors',
    consequence: 'nothing in it gets a span',
    parse: (value) => (Array.isArray(value) ? readList(value) : undefined),
    default: [],
  },
  strictTraceContinuation: { ...flag(), default: false },
  trustIncomingSampling: {
    expected: "'always', 'own' or 'never'",
    parse: (value) => (value === 'always' || value === 'own' || value === 'never' ? value : undefined),
    default: 'always',
    whenBad: 'never',
    isPlain: true,
  },
  maxForcedTracesPerSecond: count(),
  orgId: {
    expected: 'a string or a number',
    parse: (value) => (typeof value === 'string' || typeof value === 'number' ? value : undefined),
    isPlain: true,
  },
};

/**
 * Checks the options and fills in defaults. A bad value is logged with the option's name and replaced by the default.
 * Never throws.
 *
 * @param env environment variables; options win over them
 * @param onDebug called as soon as `debug` is known to be on, before problems of other options are logged
 * @param notify called with what is plainly wrong: values that cannot be used, and names that are no options
 * @param onProblem called with everything that is wrong
 */
export function resolveOptions(
  options: unknown,
  env: NodeJS.ProcessEnv,
  onDebug: () => void = () => undefined,
  notify: Notify = () => undefined,
  onProblem: Warn = () => undefined,
): Settings {
  const warn: Warn = (problem) => {
    log.warn(problem);
    onProblem(problem);
  };
  const present = copyOwn(parseObject(options));
  const settings: Record<string, unknown> = {};
  const aloud: string[] = [];
  const warnAloud: Warn = (problem) => {
    warn(problem);
    aloud.push(problem);
  };
  for (const name of new Set<keyof Options>(['debug', ...(Object.keys(OPTIONS) as (keyof Options)[])])) {
    const row: Row = OPTIONS[name];
    const isGiven = present[name] !== undefined && present[name] !== null;
    const value = isGiven ? present[name] : row.isPlain ? readVariable(name, row, env) : undefined;
    const source = isGiven ? name : variableOf(name);
    // `release: process.env.RELEASE ?? ''` is no mistake.
    const warnOfBad = value === '' && row.expected === NON_EMPTY ? warn : warnAloud;
    settings[name] = value === undefined ? row.default : parseRow(source, row, value, warn, warnOfBad);
    if (name === 'debug' && settings[name]) onDebug();
  }
  if (options !== undefined && !parseObject(options)) {
    // Of a string nothing is shown: it may be a DSN with a secret.
    const found = typeof options === 'string' ? 'a string' : describe(options);
    warnAloud(`the options must be an object such as { dsn }, but are ${found}; they are ignored`);
  }
  const hasDestination = [present['dsn'], env['FAULTLINE_DSN'], settings['spotlight'], settings['transport']].some(
    (one) => one != null,
  );
  if (env['SENTRY_DSN'] && !hasDestination)
    warnAloud('SENTRY_DSN is read by faultline/sentry only, and there is no dsn: nothing is sent. Set FAULTLINE_DSN');
  // A client that is not enabled has nothing to lose.
  const quiet = settings['quiet'] === true || settings['enabled'] !== true;
  if (aloud.length > 0) notify('bad-value', aloud.join('. '), { quiet });
  const unknown = findUnknown(present, settings, env);
  if (unknown.length > 0) {
    const message = describeUnknown(unknown);
    warn(message);
    notify('unknown-option', message, { quiet });
  }
  return Object.freeze(settings) as unknown as Settings;
}

const VARIABLE_PREFIX = 'FAULTLINE_';

/** The environment variable of an option: `tracesSampleRate` is `FAULTLINE_TRACES_SAMPLE_RATE`. */
export function variableOf(name: string): string {
  return `${VARIABLE_PREFIX}${name.replace(/[A-Z]/g, '_$&').toUpperCase()}`;
}

/** Without their prefix. */
const VARIABLES = [
  ...Object.entries(OPTIONS).flatMap(([name, { isPlain }]) =>
    isPlain ? variableOf(name).slice(VARIABLE_PREFIX.length) : [],
  ),
  'STORE_DIR',
  // Set by `faultline dev` and `faultline doctor`.
  'DEV',
  'DOCTOR_FOLDER',
  'DOCTOR_SEND',
];

type TransportOption = keyof Settings['transportOptions'];
const TRANSPORT_OPTIONS: TransportOption[] = ['headers', 'bufferSize', 'timeoutMillis', 'proxy', 'caCerts', 'store'];
const STORE_OPTIONS: (keyof StoreOptions)[] = ['directory', 'maxBytes', 'maxItems', 'maxAgeMillis', 'transactions'];

/** A number arrives as a string; one that is none is reported as it is. */
function readVariable(name: string, { parse }: Row, env: NodeJS.ProcessEnv): unknown {
  const value = env[variableOf(name)] || undefined;
  const isNumber = value !== undefined && value.trim() !== '' && (parse === parseCount || parse === parseInterval);
  return isNumber ? Number(value) : value;
}

function findUnknown(
  present: Record<string, unknown>,
  settings: Record<string, unknown>,
  env: NodeJS.ProcessEnv,
): UnknownName[] {
  // A custom transport may have options of its own.
  const transportOptions = settings['transport'] === undefined ? copyOwn(settings['transportOptions']) : {};
  const variables = Object.keys(env).filter((name) => name.startsWith(VARIABLE_PREFIX));
  return [
    ...listUnknown('option', '', present, Object.keys(OPTIONS)),
    ...listUnknown('option', 'scrubbing.', copyOwn(parseObject(present['scrubbing'])), SCRUBBING_LISTS),
    ...listUnknown('option', 'transportOptions.', transportOptions, TRANSPORT_OPTIONS),
    ...listUnknown('option', 'transportOptions.store.', copyOwn(transportOptions['store']), STORE_OPTIONS),
    ...listUnknown(
      'variable',
      VARIABLE_PREFIX,
      Object.fromEntries(variables.map((name) => [name.slice(VARIABLE_PREFIX.length), env[name] || undefined])),
      VARIABLES,
    ),
  ];
}

/** @param name of the option or of the environment variable */
function parseRow(name: string, row: Row, value: unknown, warn: Warn, warnOfBad: Warn): unknown {
  const parsed = guard(`reading the option ${name}`, () => row.parse(value, warn), undefined);
  if (parsed !== undefined) return parsed;
  const replacement = 'whenBad' in row ? row.whenBad : row.default;
  const found = isArray(value) ? 'a list without one' : describe(value);
  warnOfBad(
    `${name}: must be ${row.expected}, but is ${found}; ${row.consequence ?? describeReplacement(replacement)}`,
  );
  return replacement;
}

function nonEmptyString(): Row {
  return { expected: NON_EMPTY, parse: (value) => parseString(value) || undefined, isPlain: true };
}

/** A name that events are found by. One that servers may drop is used all the same, and logged. */
function label(name: keyof typeof MAX_LABEL_LENGTHS): Row {
  const maxLength = MAX_LABEL_LENGTHS[name];
  const parse = (value: unknown, warn: Warn): string | undefined => {
    const parsed = parseString(value);
    if (!parsed) return undefined;
    const problem = findLabelProblem(parsed, maxLength);
    if (problem) warn(`${name}: ${describe(parsed)} ${problem}`);
    return limitLength(parsed, maxLength);
  };
  return { ...nonEmptyString(), parse };
}

function rate(): Row {
  return { expected: 'a number from 0 to 1', parse: parseRate, isPlain: true };
}

function count(expected = 'a number of at least 0'): Row {
  return { expected, parse: parseCount, isPlain: true };
}

function interval(): Row {
  return {
    expected: `milliseconds, a number above 0 and at most ${MAX_INTERVAL_MILLIS}`,
    parse: parseInterval,
    isPlain: true,
  };
}

function flag(): Row {
  return { expected: 'true or false', parse: parseFlag, isPlain: true };
}

function callback(): Row {
  const parse = (value: unknown) => (typeof value === 'function' ? value : undefined);
  return { expected: 'a function', parse };
}

function matchers(name: keyof Options): Row {
  return listOf(name, MATCHERS, isMatcher);
}

/** A list of what may pass. If it is not empty and no element can be used, nothing passes: it was to keep something back. */
function allowList(name: keyof Options): Row {
  const { parse, ...row } = matchers(name);
  const isUsable = (value: unknown): boolean =>
    !isArray(value) || value.length === 0 || readList(value).some(isMatcher);
  return { ...row, parse: (value, warn) => (isUsable(value) ? parse(value, warn) : undefined) };
}

/**
 * A list; one element counts as a list of it. A bad element must not cost the others their effect: something would leave
 * that should not.
 */
function listOf(name: keyof Options, expected: string, isUsable: (value: unknown) => boolean): Row {
  const parse = (value: unknown, warn: Warn): unknown[] | undefined => {
    if (!Array.isArray(value)) return isUsable(value) ? [value] : undefined;
    const usable = readList(value).filter(isUsable);
    if (usable.length < value.length) warn(`${name}: must be ${expected}; other elements are ignored`);
    return usable;
  };
  return { expected, parse };
}

function parseCount(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 ? value : undefined;
}

function parseInterval(value: unknown): number | undefined {
  return typeof value === 'number' && value > 0 && value <= MAX_INTERVAL_MILLIS ? value : undefined;
}

function parseString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function parseObject(value: unknown): object | undefined {
  return isObject(value) && !isArray(value) ? value : undefined;
}

/** `true` keeps all and `false` none, as results of `tracesSampler` do. */
function parseRate(value: unknown): number | undefined {
  if (typeof value === 'boolean') return Number(value);
  if (typeof value !== 'number' && (typeof value !== 'string' || value.trim() === '')) return undefined;
  const number = Number(value);
  return number >= 0 && number <= 1 ? number : undefined;
}

function isSpanMatcher(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || isObject(value);
}

/** Accepts a flag or the URL of the sidecar. */
function parseSpotlight(value: unknown): boolean | string | undefined {
  const parsed = parseFlag(value);
  if (parsed !== undefined) return parsed;
  return typeof value === 'string' && URL.canParse(value) ? value : undefined;
}

/** An empty string, as of a variable that is not set, would match everything. */
function isMatcher(value: unknown): boolean {
  return (typeof value === 'string' && value !== '') || types.isRegExp(value);
}

/** A copy of a pattern has its source and flags, whatever its own properties say. */
function copyMatcher(value: unknown): StringMatcher | undefined {
  if (typeof value === 'string') return value || undefined;
  return types.isRegExp(value) ? guard('a pattern of scrubbing', () => new RegExp(value), undefined) : undefined;
}

const SCRUBBING_LISTS: readonly (keyof ScrubbingOptions)[] = ['fields', 'headers', 'patterns', 'allow'];

/** One bad element must not cost the others their effect: something would leave that should not. */
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
