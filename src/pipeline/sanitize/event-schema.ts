import { createSpanId, readEventId } from '../../internal/ids.js';
import { copyLimited } from '../../internal/values/copy-own.js';
import { normalize } from '../../internal/values/normalize.js';
import { digitsOf } from '../../internal/values/placeholders.js';
import { isArray, isObject, readProperty } from '../../internal/values/read.js';
import { ERROR_TYPE, type Event } from '../../model/event/event.js';
import { readSeverityLevel } from '../../model/event/severity.js';
import type { SpanJSON } from '../../model/event/span-json.js';
import { isNoObject } from '../../model/scope/check-data.js';
import { readFingerprint } from '../../model/scope/fingerprint.js';
import { readSpanId, readTraceId } from '../../model/trace.js';
import {
  body,
  boolean,
  json,
  label,
  lastOf,
  listOf,
  mapOf,
  mediumObject,
  number,
  only,
  record,
  type Sanitizer,
  seconds,
  smallObject,
  spreadableObject,
  string,
  withDefaults,
  withOwnBudget,
} from './sanitizers.js';

/** More linked errors would add nothing. */
const MAX_EXCEPTIONS = 200;
/** Servers keep this many. */
const MAX_FRAMES = 250;
const MAX_STACK_SIZE = 256 * 1024;
/** Source lines before and after a frame. */
const MAX_LINES = 50;
/** Of other lists, whose size is limited as well. */
const MAX_ELEMENTS = 10_000;

const level: Sanitizer = (value) => readSeverityLevel('captureEvent', value);
const position = only((value) => Number.isSafeInteger(value) && (value as number) > 0);
const nonEmptyString: Sanitizer = (value, budget) => string(value, budget) || undefined;
/** Objects are replaced by the name of their class, for example `[Object]`. */
const primitive: Sanitizer = (value, budget) => {
  if (typeof value === 'bigint') return digitsOf(value);
  return isObject(value) ? string(normalize(value, 0, 0), budget) : json(value, budget);
};
const strings = lastOf(string, MAX_ELEMENTS);
const lines = lastOf(label, MAX_LINES);
const link = record({ trace_id: readTraceId, span_id: readSpanId, attributes: mediumObject }, ['trace_id', 'span_id']);
const measurements = mapOf(withDefaults(record({ value: number, unit: label }, ['value']), { unit: () => '' }));

const frame = record({
  filename: label,
  abs_path: label,
  function: label,
  module: label,
  lineno: position,
  colno: position,
  in_app: boolean,
  pre_context: lines,
  context_line: label,
  post_context: lines,
  vars: mediumObject,
  platform: label,
});

const partialMechanism = record({
  type: nonEmptyString,
  handled: boolean,
  synthetic: boolean,
  data: smallObject,
  meta: smallObject,
  description: string,
  help_link: string,
  source: string,
  exception_id: number,
  parent_id: number,
  is_exception_group: boolean,
});
/** For a partial mechanism of the application. */
export const sanitizePartialMechanism = withOwnBudget(partialMechanism);
export const sanitizeMechanism = withDefaults(partialMechanism, { type: () => 'generic' });

const stacktrace = record({ frames: lastOf(frame, MAX_FRAMES, MAX_STACK_SIZE) }, ['frames']);
const anyException = record({ type: label, value: string, module: label, mechanism: sanitizeMechanism, stacktrace });
/** Servers reject an exception without both type and value. An empty one is filtered later. */
const exception: Sanitizer = (value, budget) => {
  const sanitized = anyException(value, budget) as { type?: string; value?: string } | undefined;
  if (sanitized && sanitized.type === undefined && sanitized.value === undefined) sanitized.type = 'Error';
  return sanitized;
};

function createTraceSanitizer(attached: Sanitizer): Sanitizer {
  const sanitize = record(
    {
      trace_id: readTraceId,
      span_id: readSpanId,
      parent_span_id: readSpanId,
      op: string,
      status: string,
      origin: string,
      data: attached,
      links: lastOf(link, MAX_ELEMENTS),
    },
    ['trace_id'],
  );
  // Servers require a span id and accept any.
  return withDefaults(sanitize, { span_id: () => createSpanId() });
}
export const sanitizeTraceContext = withOwnBudget(createTraceSanitizer(spreadableObject));

/** Reports a value that is dropped. */
function named(member: string, sanitize: Sanitizer): Sanitizer {
  return (value, budget) => {
    const sanitized = sanitize(value, budget);
    if (sanitized === undefined) isNoObject(member, value);
    return sanitized;
  };
}

const TYPES = new Set<unknown>(['transaction', 'feedback', 'profile', 'replay_event']);
export const sanitizeType = only((type) => TYPES.has(type));

/**
 * Schema of an event: every member has the type that servers expect, or is dropped.
 *
 * @param attached sanitizer for arbitrary data from the application: `extra`, `user`, contexts, `data`
 */
export function createEventSanitizer(attached: Sanitizer): (value: unknown) => unknown {
  const anySpan = record(
    {
      trace_id: readTraceId,
      span_id: readSpanId,
      parent_span_id: readSpanId,
      start_timestamp: seconds,
      timestamp: seconds,
      data: attached,
      op: string,
      description: string,
      status: string,
      origin: string,
      measurements,
      links: lastOf(link, MAX_ELEMENTS),
    },
    ['trace_id', 'span_id', 'start_timestamp'],
  );
  const completeSpan = withDefaults(anySpan, { data: () => ({}), timestamp: (span) => span['start_timestamp'] });
  const span: Sanitizer = (value, budget) => {
    const sanitized = completeSpan(value, budget) as SpanJSON | undefined;
    return sanitized && sanitized.start_timestamp <= sanitized.timestamp! ? sanitized : undefined;
  };

  const breadcrumb = record({
    timestamp: seconds,
    type: string,
    category: string,
    message: string,
    level,
    data: attached,
  });
  const breadcrumbs = lastOf(breadcrumb, MAX_ELEMENTS);

  // What an event is about comes first: what comes last gets what the others leave of the budget.
  const members: { readonly [Member in keyof Required<Event>]: Sanitizer } = {
    exception: record({ values: lastOf(exception, MAX_EXCEPTIONS) }, ['values']),
    spans: listOf(span),
    event_id: readEventId,
    message: string,
    logentry: record({ message: string, params: lastOf(json, MAX_ELEMENTS) }),
    timestamp: seconds,
    start_timestamp: seconds,
    level,
    platform: nonEmptyString,
    logger: string,
    server_name: string,
    release: string,
    dist: string,
    environment: string,
    sdk: record({
      name: nonEmptyString,
      version: nonEmptyString,
      integrations: strings,
      packages: lastOf(record({ name: label, version: label }, ['name', 'version']), MAX_ELEMENTS),
      settings: record(
        { infer_ip: only((value) => value === 'auto' || value === 'never') },
        ['infer_ip'],
        () => undefined,
      ),
    }),
    request: record({
      url: string,
      method: string,
      data: body,
      headers: mediumObject,
      cookies: mediumObject,
      env: mediumObject,
    }),
    transaction: nonEmptyString,
    transaction_info: record({ source: string }),
    modules: mapOf(string),
    fingerprint: (value) => (value === null ? undefined : readFingerprint(value)),
    // Servers also accept `{ values }`.
    breadcrumbs: (value, budget) => breadcrumbs(isArray(value) ? value : readProperty(value, 'values'), budget),
    contexts: named(
      'contexts',
      record({ trace: createTraceSanitizer(attached) }, [], attached, () => 0),
    ),
    tags: named('tags', mapOf(primitive)),
    extra: named('extra', attached),
    user: named('user', attached),
    type: sanitizeType,
    measurements,
    debug_meta: record({ images: lastOf(mediumObject, MAX_ELEMENTS) }),
    // Never sent.
    sdkProcessingMetadata: (value) => copyLimited(value),
  };
  const sanitize = withOwnBudget(record(members));
  return (value) => {
    const event = sanitize(value);
    if (isObject(event) && !Object.hasOwn(event, 'type')) (event as Event).type = ERROR_TYPE;
    return event;
  };
}
