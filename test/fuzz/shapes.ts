import type { ReceivedEnvelope, ReceivedItem } from '../support/receiver.js';

/**
 * The shapes of PROTOCOL section 5 that hold for every event that leaves, whatever the application put into it: beside what the
 * receiver checks of every envelope (grammar, ids, order of the items), each field is of its type or absent.
 */

type Json = Record<string, unknown>;
/** What is wrong with a value, as `path: what it is`; nothing when it is right. */
type Shape = (value: unknown, path: string) => string[];

const LEVELS = new Set(['fatal', 'error', 'warning', 'info', 'debug']);
const ID = /^[0-9a-f]{32}$/;
const SPAN_ID = /^[0-9a-f]{16}$/;
const ALL_ZERO = /^0+$/;

const is =
  (holds: (value: unknown) => boolean): Shape =>
  (value, path) =>
    holds(value) ? [] : [`${path}: ${JSON.stringify(value)?.slice(0, 200)}`];

const text = is((value) => typeof value === 'string');
const nonEmptyString = is((value) => typeof value === 'string' && value !== '');
const number = is((value) => typeof value === 'number' && Number.isFinite(value));
const boolean = is((value) => typeof value === 'boolean');
const position = is((value) => Number.isInteger(value) && (value as number) >= 1);
const primitive = is((value) => value === null || typeof value !== 'object');
const id = is((value) => typeof value === 'string' && ID.test(value) && !ALL_ZERO.test(value));
const spanId = is((value) => typeof value === 'string' && SPAN_ID.test(value) && !ALL_ZERO.test(value));
const object = is(isObject);
const level = is((value) => LEVELS.has(value as string));

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function listOf(shape: Shape): Shape {
  return (value, path) =>
    Array.isArray(value) ? value.flatMap((one, index) => shape(one, `${path}[${index}]`)) : object(value, path);
}

function mapOf(shape: Shape): Shape {
  return (value, path) =>
    isObject(value) ? Object.entries(value).flatMap(([key, one]) => shape(one, `${path}.${key}`)) : object(value, path);
}

/** @param required names of the fields that must be there */
function record(fields: Record<string, Shape>, required: readonly string[] = []): Shape {
  return (value, path) => {
    if (!isObject(value)) return object(value, path);
    const missing = required.filter((name) => value[name] === undefined).map((name) => `${path}.${name}: missing`);
    const present = Object.entries(fields).filter(([name]) => value[name] !== undefined);
    return [...missing, ...present.flatMap(([name, shape]) => shape(value[name], `${path}.${name}`))];
  };
}

const strings = listOf(text);
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
const mechanism = record({ type: nonEmptyString, handled: boolean, synthetic: boolean, data: object, meta: object }, [
  'type',
]);
const exception: Shape = (value, path) => [
  ...record({
    type: text,
    value: text,
    module: text,
    mechanism,
    stacktrace: record({ frames: listOf(frame) }, ['frames']),
  })(value, path),
  ...(isObject(value) && value['type'] === undefined && value['value'] === undefined ? [`${path}: says nothing`] : []),
];
const breadcrumb = record({
  timestamp: number,
  type: text,
  category: text,
  message: text,
  // The console's is `log`; servers read it as `info`.
  level,
  data: object,
});
const measurements = mapOf(record({ value: number, unit: text }, ['value', 'unit']));
const trace = record({ trace_id: id, span_id: spanId, parent_span_id: spanId, op: text, status: text, data: object }, [
  'trace_id',
  'span_id',
]);
const span = record(
  {
    trace_id: id,
    span_id: spanId,
    parent_span_id: spanId,
    start_timestamp: number,
    timestamp: number,
    data: object,
    op: text,
    description: text,
    status: text,
    origin: text,
    measurements,
    links: listOf(record({ trace_id: text, span_id: text }, ['trace_id', 'span_id'])),
  },
  ['trace_id', 'span_id', 'start_timestamp', 'timestamp', 'data'],
);

const EVENT_FIELDS: Record<string, Shape> = {
  event_id: id,
  timestamp: number,
  start_timestamp: number,
  level,
  platform: nonEmptyString,
  logger: text,
  transaction: text,
  server_name: text,
  release: text,
  dist: text,
  environment: text,
  message: text,
  logentry: record({ message: text, params: listOf(() => []) }),
  modules: mapOf(text),
  fingerprint: strings,
  tags: mapOf(primitive),
  extra: object,
  user: object,
  request: record({ url: text, method: text, headers: object, cookies: object, env: object }),
  contexts: (value, path) => [...mapOf(object)(value, path), ...record({ trace }, ['trace'])(value, path)],
  breadcrumbs: listOf(breadcrumb),
  exception: record({ values: listOf(exception) }, ['values']),
  debug_meta: record({ images: listOf(object) }),
  sdk: record(
    {
      name: nonEmptyString,
      version: nonEmptyString,
      integrations: strings,
      packages: listOf(record({ name: text, version: text }, ['name', 'version'])),
      settings: object,
    },
    ['name', 'version'],
  ),
  transaction_info: record({ source: text }),
  spans: listOf(span),
  measurements,
};

const EVENT = record(EVENT_FIELDS, ['event_id', 'timestamp', 'platform', 'sdk', 'contexts']);
const TRANSACTION = record({}, ['transaction', 'start_timestamp', 'timestamp']);
const EVENTS = new Set(['event', 'transaction', 'feedback', 'profile', 'replay_event']);

/** @returns what is wrong with the events of an envelope, one entry each; empty when all is well */
export function checkShapes({ items }: ReceivedEnvelope): string[] {
  return items.flatMap(checkItem);
}

function checkItem({ headers: { type, content_type, attachment_type, filename }, json }: ReceivedItem): string[] {
  if (type === 'attachment') {
    return Object.entries({ content_type, attachment_type, filename }).flatMap(([name, value]) =>
      value === undefined ? [] : text(value, `attachment ${name}`),
    );
  }
  if (!EVENTS.has(type))
    return ['session', 'sessions', 'client_report'].includes(type) ? [] : [`an item of type ${type}`];
  return [...EVENT(json, type), ...(type === 'transaction' ? TRANSACTION(json, type) : [])];
}
