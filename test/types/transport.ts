import {
  type ClosableTransport,
  createTransport,
  type Envelope,
  type EnvelopeHeaders,
  type EnvelopeItem,
  type EnvelopeItemHeaders,
  type EnvelopeItemType,
  type MakeRequest,
  type Transport,
  type TransportFactory,
  type TransportOptions,
  type TransportResponse,
} from 'faultline';
import { expectType } from './expect-type.js';

declare const options: TransportOptions;
declare const envelope: Envelope;

expectType<ClosableTransport>(createTransport(options, async ({ body }) => ({ statusCode: body.length })));
expectType<Transport>(createTransport({ recordDroppedEvent: () => undefined }, async () => ({})));
// @ts-expect-error `recordDroppedEvent` is required
createTransport({}, async () => ({}));
// @ts-expect-error the function that makes the requests is missing
createTransport(options);
// @ts-expect-error the function returns a promise
createTransport(options, () => ({ statusCode: 200 }));
// @ts-expect-error a status is a number
createTransport(options, async () => ({ statusCode: '200' }));

expectType<MakeRequest>(async ({ body }) => ({ statusCode: typeof body === 'string' ? 200 : 201 }));
// @ts-expect-error the answer is an object
expectType<MakeRequest>(async () => 200);
// @ts-expect-error the function gets the body only
expectType<MakeRequest>(async ({ url }) => url);

expectType<TransportFactory>(({ url, headers, bufferSize, timeoutMillis }) => ({
  send: async ([envelopeHeaders, items]) => {
    expectType<[string, Record<string, string>, number, number]>([url, headers, bufferSize, timeoutMillis]);
    return { statusCode: envelopeHeaders.event_id && items.length > 0 ? 200 : 400, headers: { 'retry-after': null } };
  },
  flush: async (millis) => millis !== 0,
}));
// @ts-expect-error a transport has a method `send`
expectType<TransportFactory>(() => ({ flush: async () => true }));
// @ts-expect-error the factory returns a transport, not a promise
expectType<TransportFactory>(async () => ({ send: async () => ({}), flush: async () => true }));

expectType<Transport>({ send: async () => ({}), flush: async () => true });
// @ts-expect-error flush resolves to a boolean
expectType<Transport>({ send: async () => ({}), flush: async () => undefined });
// @ts-expect-error send gets an envelope, not a string
expectType<Transport>({ send: async (body: string) => ({ body }), flush: async () => true });

expectType<void>(({} as ClosableTransport).close());
// @ts-expect-error not every transport can be closed
({}) as Transport satisfies ClosableTransport;
// @ts-expect-error close returns nothing
(({}) as ClosableTransport).close().then();

expectType<Partial<TransportOptions>>({ url: 'https://example.com/', bufferSize: 10, timeoutMillis: 1000 });
// @ts-expect-error values of headers are strings
expectType<Partial<TransportOptions>>({ headers: { a: 1 } });
// @ts-expect-error the timeout is a number of milliseconds
expectType<Partial<TransportOptions>>({ timeoutMillis: '1s' });
// @ts-expect-error 'before_send' is not one of the reasons
options.recordDroppedEvent('before_send', envelope[1][0]!);

expectType<TransportResponse>({ statusCode: 200, headers: { 'retry-after': '60', 'x-sentry-rate-limits': null } });
expectType<TransportResponse>({ statusCode: undefined });
// @ts-expect-error a status is a number
expectType<TransportResponse>({ statusCode: '200' });
// @ts-expect-error values of headers are strings
expectType<TransportResponse>({ headers: { 'retry-after': 60 } });

expectType<Envelope>([{ event_id: '0' }, [[{ type: 'event' }, { message: 'm' }]]]);
// @ts-expect-error the headers come before the items
expectType<Envelope>([[[{ type: 'event' }, {}]], {}]);
// @ts-expect-error the items are a list
expectType<Envelope>([{}, [{ type: 'event' }, {}]]);

expectType<EnvelopeHeaders>({
  event_id: '0',
  sent_at: '',
  sdk: { name: 'a', version: '1' },
  trace: {},
  dsn: undefined,
});
// @ts-expect-error `sent_at` is a string
expectType<EnvelopeHeaders>({ sent_at: new Date() });
// @ts-expect-error the version is required
expectType<EnvelopeHeaders>({ sdk: { name: 'a' } });

expectType<EnvelopeItem[]>([
  [{ type: 'attachment', filename: 'a' }, new Uint8Array(1)],
  [{ type: 'event' }, {}],
]);
// @ts-expect-error an item has a payload
expectType<EnvelopeItem>([{ type: 'event' }]);
// @ts-expect-error a payload is no number
expectType<EnvelopeItem>([{ type: 'event' }, 1]);

expectType<EnvelopeItemHeaders>({
  type: 'attachment',
  length: 1,
  filename: 'a',
  content_type: 'b',
  attachment_type: 'c',
});
// @ts-expect-error an item has a type
expectType<EnvelopeItemHeaders>({ length: 1 });
// @ts-expect-error a length is a number of bytes
expectType<EnvelopeItemHeaders>({ type: 'event', length: '1' });

expectType<EnvelopeItemType[]>([
  'event',
  'transaction',
  'attachment',
  'session',
  'sessions',
  'client_report',
  'feedback',
]);
createTransport({ recordDroppedEvent() {}, url: 'https://errors.example.com' } as never, async ({ body }) => {
  const { status } = await fetch('https://errors.example.com', { method: 'POST', body });
  return { statusCode: status };
});
// @ts-expect-error 'error' is not one of the item types: an error is sent as an event
expectType<EnvelopeItemType>('error');
// @ts-expect-error 'log' is not one of the item types
expectType<EnvelopeItemType>('log');
