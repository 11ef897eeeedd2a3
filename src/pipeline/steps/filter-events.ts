import { matchesAny } from '../../internal/options/match.js';
import { isNonEmptyString, MAX_STRING_LENGTH } from '../../internal/values/strings.js';
import { Discard } from '../../model/delivery/outcome.js';
import { type Event, exceptionsOf } from '../../model/event/event.js';
import type { Exception } from '../../model/event/exception.js';
import type { Settings } from '../../model/options.js';
import type { Step } from '../step.js';

/** File names of frames that belong to no file. */
const NO_FILES = new Set(['<anonymous>', '[native code]']);

type Rule = readonly [discard: Discard, applies: (event: Event) => boolean];
type FilterSettings = Pick<Settings, 'ignoreErrors' | 'ignoreTransactions' | 'allowUrls' | 'denyUrls'>;

/** Discards events that match the filter options, and error events without content. Empty lists cost nothing. */
export function createFilterEvents(settings: FilterSettings): Step {
  const ofErrors = createErrorRules(settings);
  const ofTransactions = createTransactionRules(settings);
  return (event) => {
    const rules = event.type === undefined ? ofErrors : event.type === 'transaction' ? ofTransactions : NO_RULES;
    for (const [discard, applies] of rules) {
      if (applies(event)) return discard;
    }
    return event;
  };
}

const NO_RULES: readonly Rule[] = [];

function createErrorRules({ ignoreErrors, allowUrls, denyUrls }: FilterSettings): Rule[] {
  const rules: Rule[] = [[discardOf('the event has neither a message nor an exception that says anything'), isEmpty]];
  if (ignoreErrors.length > 0) {
    const isIgnored = (value: string) => matchesAny(value, ignoreErrors);
    rules.push([discardOf('ignoreErrors matches'), (event) => stringsOf(event).some(isIgnored)]);
  }
  if (denyUrls.length > 0) {
    const isDenied = (url: string | undefined) => url !== undefined && matchesAny(url, denyUrls);
    rules.push([discardOf('denyUrls matches'), (event) => isDenied(urlOf(event))]);
  }
  if (allowUrls.length > 0) {
    const isForeign = (url: string | undefined) => url !== undefined && !matchesAny(url, allowUrls);
    rules.push([discardOf('allowUrls does not match'), (event) => isForeign(urlOf(event))]);
  }
  return rules;
}

function createTransactionRules({ ignoreTransactions }: FilterSettings): Rule[] {
  if (ignoreTransactions.length === 0) return [];
  const isIgnored = ({ transaction }: Event) =>
    transaction !== undefined && matchesAny(cut(transaction), ignoreTransactions);
  return [[discardOf('ignoreTransactions matches'), isIgnored]];
}

function discardOf(detail: string): Discard {
  return new Discard('event_processor', detail);
}

function isEmpty(event: Event): boolean {
  if (event.message) return false;
  const exceptions = exceptionsOf(event);
  return exceptions.length > 0 && exceptions.every(isNothing);
}

function isNothing({ type, value, stacktrace }: Exception): boolean {
  return !stacktrace && !value && (!type || type === 'Error');
}

/** The strings to match an error event by: its message, and type, value and `type: value` of the caught exception. */
function stringsOf(event: Event): string[] {
  const { type, value } = exceptionsOf(event).at(-1) ?? {};
  const strings = [event.message, event.logentry?.message, type, value].filter(isNonEmptyString).map(cut);
  if (isNonEmptyString(type) && isNonEmptyString(value)) strings.push(`${type}: ${cut(value)}`);
  return strings;
}

/** The file that threw the caught exception. */
function urlOf(event: Event): string | undefined {
  const thrown = exceptionsOf(event).findLast(
    ({ stacktrace, mechanism }) => stacktrace?.frames?.length && mechanism?.parent_id === undefined,
  );
  const frame = thrown?.stacktrace?.frames?.findLast(
    ({ filename }) => isNonEmptyString(filename) && !NO_FILES.has(filename),
  );
  return frame?.filename === undefined ? undefined : cut(frame.filename);
}

/** Bounds the time that a pattern takes. */
function cut(value: string): string {
  return value.slice(0, MAX_STRING_LENGTH);
}
