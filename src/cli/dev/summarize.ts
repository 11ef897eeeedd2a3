import { createHash } from 'node:crypto';
import { toList, toObject, toText } from '../../receiver/read-json.js';
import type { Json } from '../../receiver/received.js';
import {
  culpritOf,
  describeFrame,
  describePairs,
  exceptionsIn,
  fileOf,
  framesIn,
  isUnhandled,
  levelOf,
  serviceOf,
  titleOf,
  toMillis,
  traceContextOf,
  traceOf,
} from '../../receiver/render/describe-event.js';
import { toLine } from '../../receiver/render/inert.js';
import type { EventSummary } from './summary.js';

const MAX_TITLE_LENGTH = 300;
const MAX_PLACE_LENGTH = 160;
const MAX_NAME_LENGTH = 60;
const MAX_SEARCH_LENGTH = 1000;
const DEFAULT_FINGERPRINT = /^\{\{\s*default\s*\}\}$/;
/** What differs between messages of one kind: numbers, and ids. */
const VARIABLE = /\b[0-9a-f]{8,}\b|\d+/gi;

/** @param folder paths below it are shown without it */
export function summarize(
  event: Json,
  kind: EventSummary['kind'],
  number: number,
  nowMillis: number,
  folder: string,
): EventSummary {
  const { traceId, parentId } = traceOf(event);
  const timeMillis = toMillis(event['timestamp']) ?? nowMillis;
  const isError = kind === 'error';
  const title = toLine(isError ? titleOf(event) : toText(event['transaction']), MAX_TITLE_LENGTH);
  const culprit = culpritOf(exceptionsIn(event)[0]);
  const place = culprit ? describeFrame(culprit, folder) : toText(event['transaction']);
  const service = toLine(serviceOf(event), MAX_NAME_LENGTH);
  return {
    number,
    kind,
    timeMillis,
    level: toLine(levelOf(event), 10),
    title,
    place: isError ? toLine(place, MAX_PLACE_LENGTH) : toLine(toText(traceContextOf(event)['op']), MAX_NAME_LENGTH),
    group: isError ? groupOf(event) : '',
    isUnhandled: isError && isUnhandled(event),
    traceId: toLine(traceId, MAX_NAME_LENGTH),
    service,
    isRoot: !isError && parentId === '',
    duration: isError ? 0 : Math.max(0, timeMillis - (toMillis(event['start_timestamp']) ?? timeMillis)),
    spanCount: isError ? 0 : 1 + toList(event['spans']).length,
    search: searchOf(event, [title, place, service]),
  };
}

function searchOf(event: Json, words: readonly string[]): string {
  const request = toObject(event['request']);
  const user = toObject(event['user']);
  const tags = Object.entries(toObject(event['tags'])).map(([key, value]) => `${key}:${toText(value)}`);
  const members = ['transaction', 'environment', 'release', 'event_id'].map((name) => toText(event[name]));
  const all = [...words, traceOf(event).traceId, toText(request['url']), describePairs(user), ...members, ...tags];
  return toLine(all.join(' '), MAX_SEARCH_LENGTH).toLowerCase();
}

/** Events with the same group are one issue: that of the event's fingerprint, or else of its types and frames. */
export function groupOf(event: Json): string {
  const fingerprint = toList(event['fingerprint']).map(toText);
  const parts =
    fingerprint.length === 0
      ? defaultGroupOf(event)
      : fingerprint.flatMap((part) => (DEFAULT_FINGERPRINT.test(part) ? defaultGroupOf(event) : part));
  return createHash('sha1').update(parts.join('\0')).digest('hex').slice(0, 16);
}

/**
 * The line of the error distinguishes errors in functions without a name. Lines of the callers are left out, so that few edits
 * make another issue.
 */
function defaultGroupOf(event: Json): string[] {
  const exceptions = exceptionsIn(event);
  const [caught] = exceptions;
  if (caught === undefined) {
    const template = toText(toObject(event['logentry'])['message']);
    return [levelOf(event), template || withoutVariables(titleOf(event))];
  }
  const frames = framesIn(caught);
  const own = frames.filter(({ in_app }) => in_app === true);
  const calls = (own.length > 0 ? own : frames).map((frame) => `${nameOf(frame)} ${fileOf(frame)}`);
  const line = toText(own[0]?.['lineno']);
  const types = exceptions.map(({ type }) => toText(type));
  return calls.length > 0 ? [...types, ...calls, line] : [...types, withoutVariables(toText(caught['value']))];
}

/** V8 names one function in several ways, by its receiver: `pay`, `Object.pay`, `Cart.pay [as checkout]`, `new Cart`. */
function nameOf(frame: Json): string {
  const name = toText(frame['function']).replace(/ \[as [^\]]*\]$/, '');
  return name.slice(Math.max(name.lastIndexOf('.'), name.lastIndexOf(' ')) + 1);
}

function withoutVariables(message: string): string {
  return message.slice(0, MAX_TITLE_LENGTH).replace(VARIABLE, '#');
}
