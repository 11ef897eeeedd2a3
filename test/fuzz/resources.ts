import { ROOT_CONTEXT } from '@opentelemetry/api';
import { type ClientHooks, getActiveSpan, Scope, type SeverityLevel, startInactiveSpan } from '../../src/index.js';
import fc from '../support/fast-check.js';
import { hostile, list, type Maker, maker, mostly, object, plain } from './hostile.js';

/** What the functions of the SDK take, as nobody should write it. */

export const text = plain(
  fc.oneof(fc.string({ maxLength: 12 }), fc.constantFrom('name', 'GET /', '', 'x'.repeat(300))),
);
export const key = plain(
  fc.constantFrom('a', 'b', 'trace', 'flags', '__proto__', 'constructor', 'toJSON', 'svc.op', ''),
);
export const level = plain<SeverityLevel>(fc.constantFrom('fatal', 'error', 'warning', 'info', 'debug', 'log'));
const flag = plain(fc.boolean());
/** Not `fc.webUrl`, for which fast-check keeps a map of all characters: 80 MB in each process. */
const url = plain(
  fc
    .tuple(fc.constantFrom('http:', 'https:'), fc.domain(), fc.string(), fc.string())
    .map(([protocol, host, path, query]) => `${protocol}//${host}/${path}?${query}`),
);
const hex = (length: number) =>
  fc.string({ unit: fc.constantFrom(...'0123456789abcdef'), minLength: length, maxLength: length });
const eventId = plain(fc.oneof(hex(32), hex(31), fc.uuid(), fc.constant('0'.repeat(32))));
const traceId = plain(fc.oneof(hex(32), fc.constant('0'.repeat(32))));
const spanId = plain(fc.oneof(hex(16), fc.constant('0'.repeat(16))));
export const moment = plain<unknown>(
  fc.oneof(
    fc.constantFrom<unknown>(0, 1, 1.7e9, 1.7e12, -1, 1e300, [1.7e9, 5], [1, 2, 3], []),
    fc.date({ noInvalidDate: false }),
    fc.double(),
  ),
);
const map = object({ a: hostile, b: hostile, __proto__: hostile, toJSON: hostile });

export const attributes = object({
  'svc.op': text,
  'svc.origin': text,
  'svc.source': text,
  'svc.sample_rate': plain(fc.double()),
  'svc.custom_span_name': text,
  'http.method': text,
  'http.url': url,
  'http.target': text,
  'http.route': text,
  'http.status_code': plain(fc.integer()),
  'db.system': text,
  'db.statement': text,
  'rpc.service': text,
  'messaging.system': text,
  'svc.graphql.operation': list(text),
  list: list(text),
});

export const user = object({ id: text, email: text, username: text, ip_address: text, role: hostile });
export const breadcrumb = object({ type: text, category: text, message: text, level, data: map, timestamp: moment });
export const attachment = object({
  filename: text,
  data: mostly(plain<unknown>(fc.oneof(fc.string(), fc.uint8Array({ maxLength: 10 })))),
  contentType: text,
  attachmentType: text,
});
const mechanism = object({
  type: text,
  handled: flag,
  data: map,
  synthetic: flag,
  exception_id: plain(fc.integer()),
  source: text,
});
const frame = object({
  filename: text,
  function: text,
  module: text,
  lineno: plain<number>(fc.oneof(fc.integer(), fc.double())),
  colno: plain<number>(fc.oneof(fc.integer(), fc.double())),
  in_app: flag,
  vars: map,
  context_line: text,
  pre_context: list(text),
});
export const exception = object({
  type: text,
  value: text,
  module: text,
  thread_id: plain(fc.integer()),
  mechanism,
  stacktrace: object({ frames: list(frame) }),
});
const propagationContext = object({
  traceId,
  sampleRand: plain(fc.double()),
  parentSpanId: spanId,
  propagationSpanId: spanId,
  sampled: flag,
  dsc: object({ trace_id: traceId, public_key: text, sample_rate: text, sample_rand: text, sampled: text }),
});
const traceContext = object({
  trace_id: traceId,
  span_id: spanId,
  parent_span_id: spanId,
  op: text,
  status: text,
  data: attributes,
});
const contexts = object({ trace: traceContext, flags: object({ values: list(map) }), os: map, custom: map });
const spanJSON = object({
  trace_id: traceId,
  span_id: spanId,
  parent_span_id: spanId,
  start_timestamp: moment,
  timestamp: moment,
  data: attributes,
  op: text,
  description: text,
  status: text,
  links: list(map),
  measurements: map,
});

/** Scopes of the fields of an event that scopes have, too. */
const scopeFields = { user, level, extra: map, contexts, tags: map, fingerprint: list(text) };

const scope = maker(
  () => new Scope().setTag('a', 'scope').setUser({ id: 1 }),
  () => 'new Scope()',
);
export const scopes = mostly(fc.constant(scope));

export const captureContext = fc.oneof(
  object({ ...scopeFields, propagationContext, attributes, attachments: list(attachment), conversationId: text }),
  scopes,
  callback(object(scopeFields)),
);

export const event = object({
  event_id: eventId,
  message: text,
  logentry: object({ message: text, params: list(hostile) }),
  timestamp: moment,
  start_timestamp: moment,
  platform: text,
  logger: text,
  server_name: text,
  release: text,
  dist: text,
  environment: text,
  sdk: object({ name: text, version: text, integrations: list(text), packages: list(map), settings: map }),
  request: object({ url: text, method: text, headers: map, query_string: text, data: hostile, cookies: map, env: map }),
  transaction: text,
  transaction_info: object({ source: text }),
  modules: map,
  exception: object({ values: list(exception) }),
  breadcrumbs: list(breadcrumb),
  type: plain(fc.constantFrom(undefined, 'transaction', 'feedback', 'profile', 'replay_event', 'attachment', 'odd', 7)),
  spans: list(spanJSON),
  measurements: object({ a: object({ value: plain(fc.double()), unit: text }), b: hostile }),
  debug_meta: object({ images: list(map) }),
  sdkProcessingMetadata: object({
    capturedSpanScope: scopes,
    capturedSpanIsolationScope: scopes,
    dynamicSamplingContext: object({ trace_id: traceId, public_key: text, sampled: hostile }),
    requestSession: hostile,
  }),
  ...scopeFields,
});

export const hint = object({
  event_id: eventId,
  captureContext,
  mechanism,
  syntheticException: hostile,
  originalException: hostile,
  attachments: list(attachment),
  data: object({ mechanism }),
  integrations: list(text),
});

export const hintOrContext = fc.oneof(hint, captureContext);
export const feedback = object({
  message: text,
  name: text,
  email: text,
  url: text,
  source: text,
  associatedEventId: eventId,
  tags: map,
});
export const session = object({
  sid: eventId,
  init: flag,
  started: moment,
  timestamp: moment,
  status: plain(fc.constantFrom('ok', 'exited', 'crashed', 'abnormal', 'odd')),
  errors: plain(fc.double()),
  did: text,
  duration: plain(fc.double()),
  release: text,
  environment: text,
  user,
});
export const scopeValues = { map, contexts, propagationContext };

/** A span that there is, or something else. */
export const span = mostly<unknown>(
  fc.constantFrom(
    maker<unknown>(
      () => startInactiveSpan({ name: 'another' }),
      () => 'another span',
    ),
    maker<unknown>(getActiveSpan, () => 'the active span'),
    maker<unknown>(
      () => null,
      () => 'null',
    ),
  ),
);

export const spanOptions = object({
  name: text,
  op: text,
  attributes,
  kind: plain(fc.integer({ min: -1, max: 6 })),
  startTime: moment,
  scope: scopes,
  parentSpan: span,
  onlyIfParent: flag,
  forceTransaction: flag,
});

const traceHeader = plain(
  fc.oneof(
    fc.tuple(hex(32), hex(16), fc.constantFrom('', '-0', '-1', '-2')).map(([trace, id, end]) => `${trace}-${id}${end}`),
    fc.string(),
  ),
);
const baggage = plain(
  fc.oneof(
    fc.string(),
    hex(32).map(
      (id) => `other=1,sentry-trace_id=${id},sentry-public_key=k;p=1,sentry-sample_rand=0.5,sentry-sampled=%`,
    ),
  ),
);
export const headers = object({
  sentryTrace: fc.oneof(traceHeader, list(traceHeader)),
  baggage: fc.oneof(baggage, list(baggage)),
  traceparent: plain(
    fc.oneof(
      fc.string(),
      fc.tuple(hex(32), hex(16)).map(([trace, id]) => `00-${trace}-${id}-01`),
    ),
  ),
});
export const carrier = object({
  'sentry-trace': traceHeader,
  baggage: fc.oneof(baggage, list(baggage)),
  traceparent: text,
});
export const otelContext = mostly(
  fc.constant(
    maker(
      () => ROOT_CONTEXT,
      () => 'ROOT_CONTEXT',
    ),
  ),
);

/** A function that returns what is drawn, its first argument, or a promise of either; or throws. */
export function callback(results: fc.Arbitrary<Maker> = hostile): fc.Arbitrary<Maker> {
  const answers: Record<string, (result: Maker, argument: unknown) => unknown> = {
    'returns its argument': (_, argument) => argument,
    returns: (result) => result(),
    'resolves to': async (result) => result(),
    'rejects with': async (result) => Promise.reject(result()),
    throws: (result) => {
      throw result();
    },
  };
  return fc.tuple(fc.constantFrom(...Object.entries(answers)), results).map(([[name, answer], result]) =>
    maker(
      () => (argument: unknown) => answer(result, argument),
      () => `a function that ${name} ${result[fc.toStringMethod]()}`,
    ),
  );
}

export const integration = object({
  name: text,
  setup: callback(),
  preprocessEvent: callback(),
  processEvent: callback(event),
  enrichEvent: callback(),
});

const ALL_HOOKS: Record<keyof ClientHooks, true> = {
  beforeSampling: true,
  spanStart: true,
  spanEnd: true,
  createDsc: true,
  preprocessEvent: true,
  beforeAddBreadcrumb: true,
  beforeSendEvent: true,
  beforeEnvelope: true,
  afterSendEvent: true,
  flush: true,
  close: true,
};
export const HOOKS = Object.keys(ALL_HOOKS) as (keyof ClientHooks)[];

/** What setters of scopes are called with, as methods and as functions of the package. */
export const setterArguments = {
  setUser: [user],
  setTag: [mostly(key), hostile],
  setTags: [map],
  setExtra: [mostly(key), hostile],
  setExtras: [map],
  setContext: [mostly(key), map],
  setContexts: [contexts],
  addEventProcessor: [mostly(callback())],
} satisfies Partial<Record<keyof Scope, fc.Arbitrary<Maker>[]>>;
