import { isObject } from './read-json.js';
import type { Json, ReceivedEnvelope, ReceivedItem } from './received.js';

/** Of events, traces and sessions. */
const ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const ISO_UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;
const LEVELS = new Set(['fatal', 'error', 'warning', 'info', 'debug', 'log']);
const EVENTS = new Set(['event', 'transaction', 'feedback']);
const NEEDS_EVENT_ID = new Set([...EVENTS, 'attachment']);
const STATUSES = new Set(['ok', 'exited', 'crashed', 'abnormal']);
const MAX_FEEDBACK_LENGTH = 4096;

/** Notes a violation unless the condition holds. */
type Expect = (holds: unknown, message: string) => void;

/**
 * Violations that a strict server would find in a parsed envelope.
 *
 * @returns one sentence per violation; empty when all is well
 */
export function checkEnvelope({ headers, items }: ReceivedEnvelope): string[] {
  const violations: string[] = [];
  const expect: Expect = (holds, message) => {
    if (!holds) violations.push(message);
  };
  try {
    checkHeaders(headers, items, expect);
    checkOrder(items, expect);
    for (const item of items) checkItem(item, headers, expect);
  } catch (error) {
    violations.push(`a member has a type that no check expects: ${error}`);
  }
  return violations;
}

function checkHeaders(headers: Json, items: readonly ReceivedItem[], expect: Expect): void {
  const { event_id, sent_at, sdk, trace } = headers;
  if (event_id !== undefined || items.some(({ headers: { type } }) => NEEDS_EVENT_ID.has(type))) {
    expect(ID.test(event_id), `envelope event_id ${event_id} is not 32 hex characters`);
  }
  if (sent_at !== undefined) expect(ISO_UTC.test(sent_at), `sent_at ${sent_at} is not a UTC time`);
  if (sdk !== undefined) expect(sdk.name && sdk.version, 'the envelope sdk lacks its name or version');
  if (trace !== undefined) {
    expect(trace.trace_id && trace.public_key, 'the envelope trace lacks trace_id or public_key');
    expect(
      Object.values(trace).every((value) => typeof value === 'string'),
      'a member of the envelope trace is not a string',
    );
  }
}

function checkOrder(items: readonly ReceivedItem[], expect: Expect): void {
  const types = items.map(({ headers }) => headers.type);
  const events = types.filter((type) => EVENTS.has(type)).length;
  expect(items.length > 0, 'the envelope is empty');
  expect(events <= 1, `the envelope holds ${events} events`);
  if (events > 0) expect(EVENTS.has(types[0]!), 'the event is not the first item');
}

function checkItem({ headers, payload, json }: ReceivedItem, envelopeHeaders: Json, expect: Expect): void {
  const { type } = headers;
  expect(headers.length === payload.length, `the ${type} item carries no length`);
  if (type === 'attachment') {
    expect(typeof headers.filename === 'string' && headers.filename !== '', 'an attachment has no filename');
    return;
  }
  expect(isObject(json), `the payload of the ${type} item is not a JSON object`);
  expect(!payload.includes('\n'), `the payload of the ${type} item has more than one line`);
  if (!isObject(json)) return;
  if (EVENTS.has(type)) {
    expect(json.event_id === envelopeHeaders.event_id, `payload event_id ${json.event_id} is not the envelope's`);
    checkEvent(json, expect);
  }
  if (type === 'event') checkError(json, expect);
  if (type === 'transaction') checkTransaction(json, expect);
  if (type === 'feedback') checkFeedback(json, expect);
  if (type === 'session') checkSession(json, expect);
  if (type === 'sessions') checkAggregates(json, expect);
  if (type === 'client_report') checkClientReport(json, expect);
}

function checkEvent(event: Json, expect: Expect): void {
  const { timestamp, platform, level, contexts, tags = {}, sdk } = event;
  expect(typeof timestamp === 'number', `timestamp ${timestamp} is not a number of seconds`);
  expect(typeof platform === 'string', 'the event has no platform');
  expect(level === undefined || LEVELS.has(level), `level ${level} is unknown`);
  expect(sdk?.name && sdk?.version, 'the event has no sdk name and version');
  expect(!('sdkProcessingMetadata' in event), 'sdkProcessingMetadata was sent');
  checkIds('contexts.trace', contexts?.trace ?? {}, expect);
  for (const [key, value] of Object.entries(tags)) {
    expect(!isObject(value) && !Array.isArray(value), `tag ${key} is not a primitive`);
  }
}

function checkError(event: Json, expect: Expect): void {
  expect(event.type === undefined, `an event item has the type ${event.type}`);
  for (const { type, value, mechanism, stacktrace } of event.exception?.values ?? []) {
    expect(type !== undefined || value !== undefined, 'an exception has neither type nor value');
    if (mechanism !== undefined) expect(typeof mechanism.type === 'string', 'a mechanism has no type');
    for (const { lineno, colno } of stacktrace?.frames ?? []) {
      expect(isPosition(lineno) && isPosition(colno), `a frame is at ${lineno}:${colno}`);
    }
  }
}

function checkTransaction(event: Json, expect: Expect): void {
  const { type, transaction, start_timestamp, timestamp, contexts, spans } = event;
  expect(type === 'transaction', `a transaction item has the type ${type}`);
  expect(typeof transaction === 'string' && transaction !== '', 'the transaction has no name');
  expect(start_timestamp <= timestamp, 'the transaction ends before it starts');
  expect(isObject(contexts?.trace), 'the transaction has no trace context');
  expect(spans === undefined || Array.isArray(spans), 'the spans of the transaction are not a list');
  for (const span of spans ?? []) {
    checkIds('a span', span, expect);
    expect(span.trace_id === contexts?.trace?.trace_id, 'a span belongs to another trace than its transaction');
    expect(span.start_timestamp <= span.timestamp, `span ${span.description} ends before it starts`);
  }
}

function checkFeedback({ type, contexts }: Json, expect: Expect): void {
  expect(type === 'feedback', `a feedback item has the type ${type}`);
  const { message = '' } = contexts?.feedback ?? {};
  expect(typeof message === 'string', 'the message of the feedback is not a string');
  expect(message.length <= MAX_FEEDBACK_LENGTH, `the message of the feedback has ${message.length} characters`);
}

/** An update of one session. */
function checkSession(session: Json, expect: Expect): void {
  const { sid, init, started, timestamp, status, errors, duration, attrs } = session;
  expect(ID.test(sid), `sid ${sid} is not 32 hex characters`);
  expect(typeof init === 'boolean', `init ${init} is not a boolean`);
  expect(ISO_UTC.test(started) && ISO_UTC.test(timestamp), `the session is from ${started} to ${timestamp}`);
  expect(!(started > timestamp), 'the session ends before it starts');
  expect(STATUSES.has(status), `the status ${status} of the session is unknown`);
  expect(isCount(errors), `the session has ${errors} errors`);
  expect(duration === undefined || duration >= 0, `the session lasted ${duration} seconds`);
  expect(attrs?.release, 'the session has no release');
}

/** Counts of sessions. */
function checkAggregates({ attrs, aggregates }: Json, expect: Expect): void {
  expect(attrs?.release, 'the sessions have no release');
  expect(Array.isArray(aggregates) && aggregates.length > 0, 'the aggregates are empty');
  for (const { started, exited = 0, errored = 0, crashed = 0 } of aggregates ?? []) {
    expect(ISO_UTC.test(started), `the sessions started at ${started}`);
    expect([exited, errored, crashed].every(isCount), `counts are ${exited}, ${errored} and ${crashed}`);
    expect(exited + errored + crashed > 0, 'a minute without sessions was sent');
  }
}

function checkClientReport({ timestamp, discarded_events: discards }: Json, expect: Expect): void {
  expect(typeof timestamp === 'number', 'the client report has no timestamp');
  expect(Array.isArray(discards) && discards.length > 0, 'the client report is empty');
  for (const { reason, category, quantity } of discards ?? []) {
    expect(typeof reason === 'string' && typeof category === 'string', 'a discard has no reason or category');
    expect(Number.isInteger(quantity) && quantity > 0, `the quantity of a discard is ${quantity}`);
  }
}

function checkIds(what: string, { trace_id, span_id, parent_span_id }: Json, expect: Expect): void {
  if (trace_id !== undefined) expect(ID.test(trace_id), `${what} has the trace_id ${trace_id}`);
  if (span_id !== undefined) expect(SPAN_ID.test(span_id), `${what} has the span_id ${span_id}`);
  if (parent_span_id !== undefined) {
    expect(SPAN_ID.test(parent_span_id), `${what} has the parent_span_id ${parent_span_id}`);
  }
  expect((trace_id === undefined) === (span_id === undefined), `${what} has only one of trace_id and span_id`);
}

const isCount = (value: unknown) => Number.isInteger(value) && Number(value) >= 0;

const isPosition = (count: unknown) => count === undefined || (Number.isInteger(count) && Number(count) >= 1);
