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
// @ts-expect-error there may be none
void getClient().flush();
// @ts-expect-error it takes nothing
getClient('main');

expectType<Settings>(client.settings);
expectType<Dsn | undefined>(client.dsn);
expectType<Ledger>(client.ledger);
expectType<CategoryBalance | undefined>(client.ledger.balance().error);
// @ts-expect-error there is one client a destination
client.dsn = undefined;
// @ts-expect-error the DSN may be malformed
client.dsn.host;
// @ts-expect-error settings stay as they are
client.settings.debug = true;
// @ts-expect-error nothing may have been captured
client.ledger.balance().error.captured;
// @ts-expect-error categories are singular
client.ledger.balance().errors;
// @ts-expect-error the SDK counts
client.ledger.capture([['error', 1]]);
// @ts-expect-error reports take what no report has carried
client.ledger.takeUnreported();
// @ts-expect-error a ledger has a balance
expectType<Ledger>({});
// @ts-expect-error a balance is of one category
expectType<ReturnType<Ledger['balance']>>({ captured: 1 });
expectType<Dsn>({ protocol: 'https', publicKey: 'k', host: 'example.com', port: '', path: '', projectId: '1' });
// @ts-expect-error a port is a text
expectType<Dsn>({ protocol: 'https', publicKey: 'k', host: 'example.com', port: 443, path: '', projectId: '1' });
// @ts-expect-error without the colon
expectType<Dsn['protocol']>('https:');
expectType<CategoryBalance>({ captured: 2, delivered: 1, discarded: 1, queued: 0, stored: 0, recovered: 0 });
// @ts-expect-error nothing is left out
expectType<CategoryBalance>({ captured: 2, delivered: 1 });
// @ts-expect-error counts are numbers
expectType<CategoryBalance>({ captured: 2n, delivered: 1n, discarded: 1n, queued: 0n, stored: 0n, recovered: 0n });
expectType<DiscardedEvents>({ reason: 'sample_rate', category: 'error', quantity: 1 });
// @ts-expect-error not one of the reasons
expectType<DiscardedEvents>({ reason: 'sampled', category: 'error', quantity: 1 });
// @ts-expect-error not one of the categories
expectType<DiscardedEvents>({ reason: 'sample_rate', category: 'errors', quantity: 1 });

expectType<string>(client.captureException(new Error('no'), { mechanism: { handled: false } }, new Scope()));
// @ts-expect-error a hint, not a context
client.captureException(new Error('no'), { tags: {} });
// @ts-expect-error a scope is made by its class
client.captureException(new Error('no'), {}, { tags: {} });

expectType<string>(client.captureMessage('m', 'info', {}, new Scope()));
// @ts-expect-error not one of the levels
client.captureMessage('m', 'warn');
// @ts-expect-error a message is a text
client.captureMessage(1);

expectType<string>(client.captureEvent({ message: 'm' }, { event_id: '0' }, new Scope()));
// @ts-expect-error an event is an object
client.captureEvent('m');
// @ts-expect-error a hint, not a context
client.captureEvent({}, { tags: {} });

expectType<void>(client.captureSession(session));
// @ts-expect-error a session has a beginning
client.captureSession({ sid: '0' });
// @ts-expect-error which one
client.captureSession();
// @ts-expect-error for parts of the SDK
client.sendSessionAggregates();
// @ts-expect-error for parts of the SDK
client.captureTransaction({});

expectType<Promise<boolean>>(client.flush());
// @ts-expect-error milliseconds, as a number
void client.flush('2s');
// @ts-expect-error it is waited for
expectType<boolean>(client.flush());
expectType<Promise<boolean>>(client.close(2000));
// @ts-expect-error milliseconds, as a number
void client.close(true);
// @ts-expect-error it is waited for
expectType<boolean>(client.close());

expectType<void>(client.addEventProcessor((event) => event));
// @ts-expect-error an event comes out again, or null
client.addEventProcessor(() => undefined);
// @ts-expect-error processors are added, not assigned
client.eventProcessors = [];
expectType<Integration | undefined>(client.getIntegration('Console'));
expectType<Integration | undefined>(client.getIntegrationByName('Console'));
expectType<void>(client.addIntegration({ name: 'Mine' }));
// @ts-expect-error an integration has a name
client.addIntegration({});
expectType<Settings>(client.getOptions());
expectType<Dsn | undefined>(client.getDsn());
// @ts-expect-error there may be none
void client.getTransport().flush();
// @ts-expect-error it may not be there
client.getIntegration('Console').name;
// @ts-expect-error by its name
client.getIntegration({ name: 'Console' });
expectType<boolean>(client.listens('flush'));
// @ts-expect-error there is no such hook
client.listens('afterFlush');
// @ts-expect-error which hook
client.listens();
expectType<void>(client.emit('flush'));
// @ts-expect-error this hook has arguments
client.emit('beforeSendEvent');
// @ts-expect-error of the right kind
client.emit('beforeSendEvent', 'm', {});

const stop: () => void = client.on('flush', () => undefined);
stop();
// @ts-expect-error there is no such hook
client.on('beforeFlush', () => undefined);
// @ts-expect-error a handler is a function
client.on('flush', true);

client.on('beforeSampling', ({ spanName, spanAttributes, parentSampled, parentContext }, verdict) => {
  expectType<string>(spanName);
  expectType<boolean | undefined>(parentSampled);
  expectType<Context>(parentContext);
  verdict.decision = spanAttributes['http.route'] === '/pay';
  // @ts-expect-error yes or no
  verdict.decision = 0.5;
});
// @ts-expect-error the data are not changed
client.on('beforeSampling', (data) => Object.assign(data).spanName.length && delete data.spanName);
// @ts-expect-error data first
client.on('beforeSampling', (verdict: SamplingVerdict) => verdict);
expectType<SamplingData['spanName']>('a');
// @ts-expect-error a name is a text
expectType<SamplingData['spanName']>(1);
// @ts-expect-error attributes have values
expectType<SamplingData['spanAttributes']>({ a: {} });
expectType<SamplingVerdict>({ decision: true });
// @ts-expect-error yes or no
expectType<SamplingVerdict>({ decision: 1 });
// @ts-expect-error not absent
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
  // @ts-expect-error members are texts
  dsc.sample_rate = 0.5;
  // @ts-expect-error there may be no span yet
  rootSpan.end();
});

client.on('preprocessEvent', (event, hint) => {
  event.tags = { id: hint.event_id };
  // @ts-expect-error not one of the levels
  event.level = 'critical';
});
// @ts-expect-error an event, not its name
client.on('preprocessEvent', (event: string) => event);

client.on('beforeAddBreadcrumb', (breadcrumb, hint) => {
  breadcrumb.data = { ...hint };
  // @ts-expect-error a message is a text
  breadcrumb.message = 1;
});
// @ts-expect-error a breadcrumb, not its text
client.on('beforeAddBreadcrumb', (breadcrumb: string) => breadcrumb);

client.on('beforeSendEvent', (event, hint) => {
  expectType<string | undefined>(event.event_id ?? hint.event_id);
  // @ts-expect-error there is no response yet
  hint.statusCode;
});
// @ts-expect-error two arguments
client.on('beforeSendEvent', (_event, _hint, _response: object) => undefined);

client.on('beforeEnvelope', ([headers, items]) => {
  headers.event_id = items[0]?.[0].type;
  // @ts-expect-error not one of the kinds
  items[0]![0].type = 'log';
});
// @ts-expect-error headers and items
client.on('beforeEnvelope', ({ headers }) => headers);

client.on('afterSendEvent', (event, { statusCode, headers }) => {
  expectType<string | undefined>(event.event_id);
  expectType<number | undefined>(statusCode);
  // @ts-expect-error there may be no answer
  headers['retry-after'];
});
// @ts-expect-error a status is a number
client.on('afterSendEvent', (_event, response: { statusCode: string }) => response);

client.on('close', () => undefined);
// @ts-expect-error it gets nothing
client.on('close', (timeout: number) => timeout);
// @ts-expect-error neither does this
client.on('flush', (timeout: number) => timeout);

expectType<ClientHooks['flush']>(() => undefined);
// @ts-expect-error it gets nothing
expectType<ClientHooks['flush']>((timeout: number) => timeout);
// @ts-expect-error there is no such hook
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
// @ts-expect-error what setup returns is called at the end
expectType<Integration>({ name: 'Mine', setup: () => 'done' });
// @ts-expect-error an event comes out again, or null
expectType<Integration>({ name: 'Mine', processEvent: () => undefined });
// @ts-expect-error there is no such method
expectType<Integration>({ name: 'Mine', setupOnce: () => undefined });
// @ts-expect-error a name is a text
expectType<Integration>({ name: Symbol('Mine') });
