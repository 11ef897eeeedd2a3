import type { Context } from '@opentelemetry/api';
import {
  type CategoryBalance,
  Client,
  type ClientHooks,
  type DiscardedEvents,
  type Dsn,
  getClient,
  type Integration,
  init,
  type Ledger,
  type SamplingData,
  type SamplingVerdict,
  Scope,
  type Session,
  type Settings,
  type Span,
} from 'faultline';
import { expectType } from './expect-type.js';

declare const session: Session;

const client: Client = init();
expectType<Client | undefined>(getClient());
expectType<boolean>(client instanceof Client);
expectType<typeof client>(getClient()!);
// @ts-expect-error clients are made by init
new Client({});
// @ts-expect-error getClient returns undefined before init
void getClient().flush();
// @ts-expect-error getClient takes no arguments
getClient('main');

expectType<Settings>(client.settings);
expectType<Dsn | undefined>(client.dsn);
expectType<Ledger>(client.ledger);
expectType<CategoryBalance | undefined>(client.ledger.balance().error);
// @ts-expect-error the DSN of a client cannot be replaced
client.dsn = undefined;
// @ts-expect-error `dsn` is undefined when the DSN is malformed
client.dsn.host;
// @ts-expect-error settings are read-only
client.settings.debug = true;
// @ts-expect-error a category has no balance until something of it was captured
client.ledger.balance().error.captured;
// @ts-expect-error categories are singular
client.ledger.balance().errors;
// @ts-expect-error only the SDK counts
client.ledger.capture([['error', 1]]);
// @ts-expect-error only the SDK takes discards for its reports
client.ledger.takeUnreported();
// @ts-expect-error a ledger has a method `balance`
expectType<Ledger>({});
// @ts-expect-error `balance` returns one balance per category
expectType<ReturnType<Ledger['balance']>>({ captured: 1 });
expectType<Dsn>({ protocol: 'https', publicKey: 'k', host: 'example.com', port: '', path: '', projectId: '1' });
// @ts-expect-error a port is a string
expectType<Dsn>({ protocol: 'https', publicKey: 'k', host: 'example.com', port: 443, path: '', projectId: '1' });
// @ts-expect-error the protocol has no colon
expectType<Dsn['protocol']>('https:');
expectType<CategoryBalance>({ captured: 2, delivered: 1, discarded: 1, queued: 0, stored: 0, recovered: 0 });
// @ts-expect-error a balance has all six counts
expectType<CategoryBalance>({ captured: 2, delivered: 1 });
// @ts-expect-error counts are numbers, not bigints
expectType<CategoryBalance>({ captured: 2n, delivered: 1n, discarded: 1n, queued: 0n, stored: 0n, recovered: 0n });
expectType<DiscardedEvents>({ reason: 'sample_rate', category: 'error', quantity: 1 });
// @ts-expect-error 'sampled' is not one of the reasons
expectType<DiscardedEvents>({ reason: 'sampled', category: 'error', quantity: 1 });
// @ts-expect-error 'errors' is not one of the categories
expectType<DiscardedEvents>({ reason: 'sample_rate', category: 'errors', quantity: 1 });

expectType<string>(client.captureException(new Error('no'), { mechanism: { handled: false } }, new Scope()));
// @ts-expect-error the second argument is a hint, which has no tags
client.captureException(new Error('no'), { tags: {} });
// @ts-expect-error a scope is an instance of Scope
client.captureException(new Error('no'), {}, { tags: {} });

expectType<string>(client.captureMessage('m', 'info', {}, new Scope()));
// @ts-expect-error 'warn' is not one of the levels
client.captureMessage('m', 'warn');
// @ts-expect-error a message is a string
client.captureMessage(1);

expectType<string>(client.captureEvent({ message: 'm' }, { event_id: '0' }, new Scope()));
// @ts-expect-error an event is an object
client.captureEvent('m');
// @ts-expect-error the second argument is a hint, which has no tags
client.captureEvent({}, { tags: {} });

expectType<void>(client.captureSession(session));
// @ts-expect-error a session has more members, such as `started`
client.captureSession({ sid: '0' });
// @ts-expect-error the session is missing
client.captureSession();
// @ts-expect-error `sendSessionAggregates` is internal
client.sendSessionAggregates();
// @ts-expect-error `captureTransaction` is internal
client.captureTransaction({});

expectType<Promise<boolean>>(client.flush());
// @ts-expect-error the timeout is a number of milliseconds
void client.flush('2s');
// @ts-expect-error flush returns a promise
expectType<boolean>(client.flush());
expectType<Promise<boolean>>(client.close(2000));
// @ts-expect-error the timeout is a number of milliseconds
void client.close(true);
// @ts-expect-error close returns a promise
expectType<boolean>(client.close());

expectType<void>(client.addEventProcessor((event) => event));
// @ts-expect-error a processor returns the event, or null to discard it
client.addEventProcessor(() => undefined);
// @ts-expect-error processors are added with addEventProcessor
client.eventProcessors = [];
expectType<Integration | undefined>(client.getIntegration('Console'));
expectType<Integration | undefined>(client.getIntegrationByName('Console'));
expectType<void>(client.addIntegration({ name: 'Mine' }));
// @ts-expect-error an integration has a name
client.addIntegration({});
expectType<Settings>(client.getOptions());
expectType<Dsn | undefined>(client.getDsn());
// @ts-expect-error getTransport returns undefined when there is no DSN
void client.getTransport().flush();
// @ts-expect-error getIntegration returns undefined for unknown names
client.getIntegration('Console').name;
// @ts-expect-error an integration is found by its name, a string
client.getIntegration({ name: 'Console' });
expectType<boolean>(client.listens('flush'));
// @ts-expect-error there is no hook 'afterFlush'
client.listens('afterFlush');
// @ts-expect-error the name of the hook is missing
client.listens();
expectType<void>(client.emit('flush'));
// @ts-expect-error this hook takes an event and a hint
client.emit('beforeSendEvent');
// @ts-expect-error this hook takes an event, not a string
client.emit('beforeSendEvent', 'm', {});

const stop: () => void = client.on('flush', () => undefined);
stop();
// @ts-expect-error there is no hook 'beforeFlush'
client.on('beforeFlush', () => undefined);
// @ts-expect-error a handler is a function
client.on('flush', true);

client.on('beforeSampling', ({ spanName, spanAttributes, parentSampled, parentContext }, verdict) => {
  expectType<string>(spanName);
  expectType<boolean | undefined>(parentSampled);
  expectType<Context>(parentContext);
  verdict.decision = spanAttributes['http.route'] === '/pay';
  // @ts-expect-error `decision` is a boolean
  verdict.decision = 0.5;
});
// @ts-expect-error sampling data are read-only
client.on('beforeSampling', (data) => Object.assign(data).spanName.length && delete data.spanName);
// @ts-expect-error the first argument is the data, the second the verdict
client.on('beforeSampling', (verdict: SamplingVerdict) => verdict);
expectType<SamplingData['spanName']>('a');
// @ts-expect-error a name is a string
expectType<SamplingData['spanName']>(1);
// @ts-expect-error an attribute value is no object
expectType<SamplingData['spanAttributes']>({ a: {} });
expectType<SamplingVerdict>({ decision: true });
// @ts-expect-error `decision` is a boolean
expectType<SamplingVerdict>({ decision: 1 });
// @ts-expect-error `decision` is required, though it may be undefined
expectType<SamplingVerdict>({});

client.on('spanStart', (span) => {
  expectType<Span>(span);
});
client.on('spanEnd', (span) => {
  expectType<Span>(span);
});
client.on('createDsc', (dsc, rootSpan) => {
  dsc.release = 'shop@1';
  expectType<string | undefined>(rootSpan?.spanContext().traceId);
  // @ts-expect-error members of the sampling context are strings
  dsc.sample_rate = 0.5;
  // @ts-expect-error `rootSpan` is undefined when the trace has no span yet
  rootSpan.end();
});

client.on('preprocessEvent', (event, hint) => {
  event.tags = { id: hint.event_id };
  // @ts-expect-error 'critical' is not one of the levels
  event.level = 'critical';
});
// @ts-expect-error the hook gets an event, not a string
client.on('preprocessEvent', (event: string) => event);

client.on('beforeAddBreadcrumb', (breadcrumb, hint) => {
  breadcrumb.data = { ...hint };
  // @ts-expect-error a message is a string
  breadcrumb.message = 1;
});
// @ts-expect-error the hook gets a breadcrumb, not a string
client.on('beforeAddBreadcrumb', (breadcrumb: string) => breadcrumb);

client.on('beforeSendEvent', (event, hint) => {
  expectType<string | undefined>(event.event_id ?? hint.event_id);
  // @ts-expect-error the hint has no response: the event was not sent yet
  hint.statusCode;
});
// @ts-expect-error the hook gets two arguments
client.on('beforeSendEvent', (_event, _hint, _response: object) => undefined);

client.on('beforeEnvelope', ([headers, items]) => {
  headers.event_id = items[0]?.[0].type;
  // @ts-expect-error 'log' is not one of the item types
  items[0]![0].type = 'log';
});
// @ts-expect-error an envelope is a pair of headers and items
client.on('beforeEnvelope', ({ headers }) => headers);

client.on('afterSendEvent', (event, { statusCode, headers }) => {
  expectType<string | undefined>(event.event_id);
  expectType<number | undefined>(statusCode);
  // @ts-expect-error `headers` is undefined when there was no answer
  headers['retry-after'];
});
// @ts-expect-error a status is a number
client.on('afterSendEvent', (_event, response: { statusCode: string }) => response);

client.on('close', () => undefined);
// @ts-expect-error the hook gets no arguments
client.on('close', (timeout: number) => timeout);
// @ts-expect-error the hook gets no arguments
client.on('flush', (timeout: number) => timeout);

expectType<ClientHooks['flush']>(() => undefined);
// @ts-expect-error the hook gets no arguments
expectType<ClientHooks['flush']>((timeout: number) => timeout);
// @ts-expect-error there is no hook 'afterFlush'
expectType<ClientHooks['afterFlush']>(() => undefined);

expectType<Integration>({ name: 'Mine' });
expectType<Integration>({
  name: 'Mine',
  setup: (given) => given.on('flush', () => undefined),
  preprocessEvent(event, hint) {
    event.tags = { id: hint.event_id };
  },
  processEvent: (event, hint, given) => (given.settings.debug || hint.data ? event : null),
  enrichEvent: async (event) => {
    event.extra = { read: true };
  },
});
expectType<Integration>({ name: 'Mine', setup: (given: Client) => void given });
// @ts-expect-error an integration has a name
expectType<Integration>({ setup: () => undefined });
// @ts-expect-error setup returns a function that is called at the end, or nothing
expectType<Integration>({ name: 'Mine', setup: () => 'done' });
// @ts-expect-error processEvent returns the event, or null to discard it
expectType<Integration>({ name: 'Mine', processEvent: () => undefined });
// @ts-expect-error an integration has no method `setupOnce`
expectType<Integration>({ name: 'Mine', setupOnce: () => undefined });
// @ts-expect-error a name is a string
expectType<Integration>({ name: Symbol('Mine') });
