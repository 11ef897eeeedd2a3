import { matchesAny } from '../../internal/options/match.js';
import { isNonEmptyString, MAX_STRING_LENGTH } from '../../internal/values/strings.js';
import { Discard } from '../../model/delivery/outcome.js';
import { type Event, exceptionsOf } from '../../model/event/event.js';
import type { Exception } from '../../model/event/exception.js';
import type { Settings } from '../../model/options.js';
import type { Step } from '../step.js';

/** File names of frames that belong to no file. */
const NO_FILES = new Set(['<anonymous>', '[native code]']);

type FilterSettings = Pick<Settings, 'ignoreErrors' | 'ignoreTransactions' | 'allowUrls' | 'denyUrls'>;

/** Discards events that match the filter options, and error events without content. */
export function createFilterEvents(settings: FilterSettings): Step {
  return (event) => {
    const detail = event.type === undefined ? findErrorRule(event, settings) : findTransactionRule(event, settings);
    return detail === undefined ? event : new Discard('event_processor', detail);
  };
}

/** Says which rule an error event breaks. */
function findErrorRule(event: Event, { ignoreErrors, allowUrls, denyUrls }: FilterSettings): string | undefined {
  if (isEmpty(event)) return 'the event has neither a message nor an exception that says anything';
  if (ignoreErrors.length > 0 && stringsOf(event).some((value) => matchesAny(value, ignoreErrors)))
    return 'ignoreErrors matches';
  const url = allowUrls.length > 0 || denyUrls.length > 0 ? urlOf(event) : undefined;
  if (url === undefined) return undefined;
  if (matchesAny(url, denyUrls)) return 'denyUrls matches';
  return allowUrls.length > 0 && !matchesAny(url, allowUrls) ? 'allowUrls does not match' : undefined;
}

function findTransactionRule({ type, transaction }: Event, { ignoreTransactions }: FilterSettings): string | undefined {
  if (type !== 'transaction' || transaction === undefined) return undefined;
  return matchesAny(cut(transaction), ignoreTransactions) ? 'ignoreTransactions matches' : undefined;
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
