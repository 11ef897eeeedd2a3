import type {
  Attachment,
  Breadcrumb,
  Context,
  Contexts,
  ErrorEvent,
  Event,
  EventHint,
  Extras,
  Measurements,
  RequestEventData,
  SdkInfo,
  SdkProcessingMetadata,
  TraceContext,
  TransactionEvent,
  User,
} from 'faultline';
import { expectType } from './expect-type.js';

expectType<Event>({});
expectType<Event>({
  event_id: '0'.repeat(32),
  message: 'm',
  logentry: { message: 'order %s', params: [7] },
  timestamp: 1.5,
  start_timestamp: 1,
  level: 'fatal',
  platform: 'node',
  logger: 'shop',
  server_name: 'a',
  release: 'shop@1',
  dist: '1',
  environment: 'test',
  sdk: { name: 'faultline.javascript.node', version: '0.1.0' },
  request: { url: 'https://example.com/' },
  transaction: 'GET /',
  transaction_info: { source: 'route' },
  modules: { express: '5.0.0' },
  fingerprint: ['{{ default }}', 'checkout'],
  exception: { values: [{ type: 'Error' }] },
  breadcrumbs: [{ message: 'b' }],
  contexts: { shop: { name: 'eu' } },
  tags: { region: 'eu', shard: 1, primary: true, none: null, absent: undefined },
  extra: { order: { id: 7 } },
  user: { id: '42' },
  type: undefined,
  spans: [],
  measurements: { lcp: { value: 1, unit: 'second' } },
  debug_meta: { images: [] },
  sdkProcessingMetadata: { mine: true },
});
expectType<Event>({ release: undefined, user: undefined, contexts: undefined, spans: undefined });
// @ts-expect-error members have the wire's names: `event_id`
expectType<Event>({ eventId: '0' });
// @ts-expect-error a timestamp is a number of seconds
expectType<Event>({ timestamp: new Date() });
// @ts-expect-error a message is a string
expectType<Event>({ message: new Error('m') });
// @ts-expect-error parameters are a list
expectType<Event>({ logentry: { params: 'x' } });
// @ts-expect-error 'critical' is not one of the levels
expectType<Event>({ level: 'critical' });
// @ts-expect-error a fingerprint is a list
expectType<Event>({ fingerprint: 'checkout' });
// @ts-expect-error the list is in `values`
expectType<Event>({ exception: [{ type: 'Error' }] });
// @ts-expect-error breadcrumbs are a list
expectType<Event>({ breadcrumbs: { values: [] } });
// @ts-expect-error a tag's value is a primitive
expectType<Event>({ tags: { region: { name: 'eu' } } });
// @ts-expect-error a version is a string
expectType<Event>({ modules: { express: 5 } });
// @ts-expect-error 'log' is not one of the types
expectType<Event>({ type: 'log' });
// @ts-expect-error a measurement has a unit
expectType<Event>({ measurements: { lcp: { value: 1 } } });
// @ts-expect-error 'guess' is not one of the sources
expectType<Event>({ transaction_info: { source: 'guess' } });

expectType<ErrorEvent>({ message: 'm' });
expectType<Event>({} as ErrorEvent);
// @ts-expect-error 'transaction' is not the type of an error event
expectType<ErrorEvent>({ type: 'transaction' });
// @ts-expect-error an event may be a transaction or feedback
expectType<ErrorEvent>({} as Event);

expectType<TransactionEvent>({ type: 'transaction', transaction: 'GET /', start_timestamp: 1, timestamp: 2 });
expectType<Event>({} as TransactionEvent);
// @ts-expect-error a transaction has a name
expectType<TransactionEvent>({ type: 'transaction', start_timestamp: 1, timestamp: 2 });
// @ts-expect-error a transaction has a start
expectType<TransactionEvent>({ type: 'transaction', transaction: 'GET /', timestamp: 2 });
// @ts-expect-error a transaction has an end
expectType<TransactionEvent>({ type: 'transaction', transaction: 'GET /', start_timestamp: 1 });
// @ts-expect-error a transaction has the type 'transaction'
expectType<TransactionEvent>({ transaction: 'GET /', start_timestamp: 1, timestamp: 2 });
// @ts-expect-error an error event is no transaction
expectType<TransactionEvent>({} as ErrorEvent);

expectType<EventHint>({});
expectType<EventHint>({
  event_id: '0'.repeat(32),
  captureContext: { tags: { step: 'pay' } },
  mechanism: { handled: false },
  syntheticException: null,
  originalException: 'thrown text',
  attachments: [{ filename: 'a.txt', data: 'a' }],
  data: 7,
  integrations: ['Mine'],
});
expectType<EventHint>({ mechanism: undefined, attachments: undefined, syntheticException: new Error('here') });
// @ts-expect-error attachments are a list
expectType<EventHint>({ attachments: { filename: 'a.txt', data: 'a' } });
// @ts-expect-error a mechanism is an object
expectType<EventHint>({ mechanism: 'generic' });
// @ts-expect-error a synthetic exception is an error
expectType<EventHint>({ syntheticException: 'stack' });
// @ts-expect-error integrations are listed by name
expectType<EventHint>({ integrations: [{ name: 'Mine' }] });
// @ts-expect-error a scope has no member `tagz`
expectType<EventHint>({ captureContext: { tagz: {} } });

expectType<RequestEventData>({
  url: 'https://example.com/cart',
  method: 'GET',
  headers: { accept: '*/*' },
  query_string: { page: '2' },
  data: { items: [1] },
  cookies: { theme: 'dark' },
  env: { REMOTE_ADDR: '127.0.0.1' },
});
expectType<RequestEventData>({ query_string: 'page=2', data: 'body', url: undefined });
// @ts-expect-error a URL is a string
expectType<RequestEventData>({ url: new URL('https://example.com/') });
// @ts-expect-error a header with several values is one string
expectType<RequestEventData>({ headers: { accept: ['a', 'b'] } });
// @ts-expect-error cookies are an object
expectType<RequestEventData>({ cookies: 'theme=dark' });
// @ts-expect-error the field is called `query_string`
expectType<RequestEventData>({ query: 'page=2' });

expectType<User>({ id: 42, email: 'a@example.com', username: 'a', ip_address: '{{auto}}', role: 'admin', beta: true });
expectType<User>({ id: undefined, ip_address: null });
// @ts-expect-error an e-mail address is a string
expectType<User>({ email: 1 });
// @ts-expect-error an id is a string or a number
expectType<User>({ id: { value: 1 } });
// @ts-expect-error a user is an object
expectType<User>('42');

expectType<Contexts>({
  trace: { trace_id: '0'.repeat(32) },
  os: { name: 'Linux' },
  mine: { any: [1] },
  none: undefined,
});
// @ts-expect-error a context is an object
expectType<Contexts>({ os: 'Linux' });
// @ts-expect-error a trace id is a string
expectType<Contexts>({ trace: { trace_id: 1 } });
expectType<Context>({ name: 'eu' });
// @ts-expect-error a context is an object
expectType<Context>('eu');
// @ts-expect-error a context is an object, not null
expectType<Context>(null);

expectType<TraceContext>({ trace_id: '0', span_id: '1', op: 'http.server', data: { 'http.route': '/' }, links: [] });
// @ts-expect-error a status is a string
expectType<TraceContext>({ status: 2 });
// @ts-expect-error a link has two ids
expectType<TraceContext>({ links: [{}] });

expectType<Extras>({ anything: [new Map()] });
// @ts-expect-error extra is an object
expectType<Extras>('anything');
// @ts-expect-error extra is an object, not undefined
expectType<Extras>(undefined);

expectType<Measurements>({ memory: { value: 1, unit: 'byte' } });
// @ts-expect-error a value is a number
expectType<Measurements>({ memory: { value: '1', unit: 'byte' } });
// @ts-expect-error a measurement is an object with value and unit
expectType<Measurements>({ memory: 1 });

expectType<SdkInfo>({ name: 'a', version: '1', integrations: ['A'], packages: [{ name: 'npm:a', version: '1' }] });
// @ts-expect-error integrations are a list
expectType<SdkInfo>({ integrations: 'A' });
// @ts-expect-error a package has a version
expectType<SdkInfo>({ packages: [{ name: 'npm:a' }] });
// @ts-expect-error `infer_ip` is 'auto' or 'never'
expectType<SdkInfo>({ settings: { infer_ip: true } });

expectType<SdkProcessingMetadata>({ mine: 1, dynamicSamplingContext: { trace_id: '0' } });
// @ts-expect-error members of the sampling context are strings
expectType<SdkProcessingMetadata>({ dynamicSamplingContext: { sample_rate: 1 } });
// @ts-expect-error `requestSession` is internal
expectType<SdkProcessingMetadata>({ requestSession: { status: 'ok' } });

expectType<Attachment>({ filename: 'a.txt', data: 'text' });
expectType<Attachment>({ filename: 'a.bin', data: new Uint8Array(1), contentType: 'image/png', attachmentType: 'x' });
expectType<Attachment>({ filename: 'a.bin', data: Buffer.from('a'), contentType: undefined });
// @ts-expect-error an attachment has content
expectType<Attachment>({ filename: 'a.txt' });
// @ts-expect-error an attachment has a name
expectType<Attachment>({ data: 'text' });
// @ts-expect-error an attachment's data are a string or bytes
expectType<Attachment>({ filename: 'a.json', data: { a: 1 } });
// @ts-expect-error members have the SDK's names, in camel case
expectType<Attachment>({ filename: 'a.txt', data: 'text', content_type: 'text/plain' });

expectType<Breadcrumb>({});
expectType<Breadcrumb>({ type: 'http', category: 'http', message: 'm', level: 'info', data: { a: 1 }, timestamp: 1 });
expectType<Breadcrumb>({ message: undefined, level: undefined, timestamp: undefined });
// @ts-expect-error a timestamp is a number of seconds
expectType<Breadcrumb>({ timestamp: '2026-01-05' });
// @ts-expect-error 'warn' is not one of the levels
expectType<Breadcrumb>({ level: 'warn' });
// @ts-expect-error data are an object
expectType<Breadcrumb>({ data: 'a' });
// @ts-expect-error a breadcrumb has no member `title`
expectType<Breadcrumb>({ title: 'm' });
