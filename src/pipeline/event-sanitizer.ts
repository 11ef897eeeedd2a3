import { createSpanId, readEventId } from '../internal/ids.js';
import { isArray, readProperty } from '../internal/read.js';
import type { Event } from '../model/event.js';
import type { SpanJSON } from '../model/span-json.js';
import { normalize } from './normalize-value.js';
import {
  anyObject,
  anything,
  boolean,
  completed,
  listOf,
  mapOf,
  matching,
  number,
  object,
  oneOf,
  record,
  type Sanitizer,
  text,
} from './sanitizers.js';

const id = matching(/^(?!0{32})[0-9a-f]{32}$/);
const spanId = matching(/^(?!0{16})[0-9a-f]{16}$/);
const level = oneOf(['fatal', 'error', 'warning', 'info', 'debug', 'log']);
const position: Sanitizer = (value) => (Number.isSafeInteger(value) && (value as number) > 0 ? value : undefined);
const someText: Sanitizer = (value) => text(value) || undefined;
/** Of an object, a word about what it was. */
const primitive: Sanitizer = (value) =>
  typeof value === 'object' && value !== null ? text(normalize(value, 0, 0)) : anything(value);
const strings = listOf(text);
const link = record({ trace_id: id, span_id: spanId, attributes: object }, ['trace_id', 'span_id']);
const measurements = mapOf(completed(record({ value: number, unit: text }, ['value']), { unit: () => '' }));

const frame = record({
  filename: text,
  abs_path: text,
  function: text,
  module: text,
  lineno: position,
  colno: position,
  in_app: boolean,
  pre_context: strings,
  context_line: text,
  post_context: strings,
  vars: object,
  platform: text,
});

const anyMechanism = record({
  type: someText,
  handled: boolean,
  synthetic: boolean,
  data: object,
  meta: object,
  description: text,
  help_link: text,
  source: text,
  exception_id: number,
  parent_id: number,
  is_exception_group: boolean,
});
export const sanitizeMechanism = completed(anyMechanism, { type: () => 'generic' });

const stacktrace = record({ frames: listOf(frame) }, ['frames']);
const anyException = record({ type: text, value: text, module: text, mechanism: sanitizeMechanism, stacktrace });
const exception: Sanitizer = (value) => {
  const mended = anyException(value) as { type?: string; value?: string } | undefined;
  return mended?.type === undefined && mended?.value === undefined ? undefined : mended;
};

const anyTraceContext = record(
  {
    trace_id: id,
    span_id: spanId,
    parent_span_id: spanId,
    op: text,
    status: text,
    origin: text,
    data: anyObject,
    links: listOf(link),
  },
  ['trace_id'],
);
/** Of a trace alone, some span of it. */
export const sanitizeTraceContext = completed(anyTraceContext, { span_id: () => createSpanId() });

/**
 * What an event and all that is in it is to be, so that every server takes it.
 *
 * @param attached what the objects are to be in which the host attaches whatever it likes
 */
export function createEventSanitizer(attached: Sanitizer): Sanitizer {
  const anySpan = record(
    {
      trace_id: id,
      span_id: spanId,
      parent_span_id: spanId,
      start_timestamp: number,
      timestamp: number,
      data: attached,
      op: text,
      description: text,
      status: text,
      origin: text,
      measurements,
      links: listOf(link),
    },
    ['trace_id', 'span_id', 'start_timestamp'],
  );
  const completeSpan = completed(anySpan, { data: () => ({}), timestamp: (span) => span['start_timestamp'] });
  const span: Sanitizer = (value) => {
    const mended = completeSpan(value) as SpanJSON | undefined;
    return mended && mended.start_timestamp <= mended.timestamp! ? mended : undefined;
  };

  const breadcrumbs = listOf(
    record({ timestamp: number, type: text, category: text, message: text, level, data: attached }),
  );

  const members: { readonly [Member in keyof Required<Event>]: Sanitizer } = {
    event_id: readEventId,
    message: text,
    logentry: record({ message: text, params: listOf(anything) }),
    timestamp: number,
    start_timestamp: number,
    level,
    platform: someText,
    logger: text,
    server_name: text,
    release: text,
    dist: text,
    environment: text,
    sdk: record({
      name: someText,
      version: someText,
      integrations: strings,
      packages: listOf(record({ name: text, version: text }, ['name', 'version'])),
      settings: object,
    }),
    request: record({ url: text, method: text, headers: object, cookies: object, env: object }),
    transaction: someText,
    transaction_info: record({ source: text }),
    modules: mapOf(text),
    fingerprint: (value) => strings(typeof value === 'string' ? [value] : value),
    exception: record({ values: listOf(exception) }, ['values']),
    // Servers take them as `{ values }`, too.
    breadcrumbs: (value) => breadcrumbs(isArray(value) ? value : readProperty(value, 'values')),
    contexts: record({ trace: sanitizeTraceContext }, [], attached),
    tags: mapOf(primitive),
    extra: attached,
    user: attached,
    type: oneOf(['transaction', 'feedback', 'profile', 'replay_event']),
    spans: listOf(span),
    measurements,
    debug_meta: record({ images: listOf(object) }),
    // Never sent.
    sdkProcessingMetadata: (value) => (typeof value === 'object' && value !== null ? value : undefined),
  };
  return record(members);
}
