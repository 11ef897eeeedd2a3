import {
  type Attachment,
  addEventProcessor,
  type Breadcrumb,
  type CaptureContext,
  type Client,
  type Event,
  type EventHint,
  type EventProcessor,
  getClient,
  getCurrentScope,
  getGlobalScope,
  getIsolationScope,
  type PropagationContext,
  type RawAttributes,
  Scope,
  type ScopeContext,
  type ScopeData,
  type Session,
  setContext,
  setContexts,
  setExtra,
  setExtras,
  setTag,
  setTags,
  setUser,
  type User,
  withIsolationScope,
  withScope,
} from 'faultline';
import { expectType } from './expect-type.js';

declare const session: Session;
declare const propagation: PropagationContext;

const scope = new Scope();
// @ts-expect-error a scope begins empty
new Scope({ tags: {} });
// @ts-expect-error it is a class
Scope();

expectType<Scope>(scope.clone());
// @ts-expect-error it takes nothing
scope.clone(true);
// @ts-expect-error a clone is not awaited
scope.clone().then();

expectType<Scope>(scope.setUser({ id: '42', role: 'admin' }).setUser(null));
// @ts-expect-error none is null
scope.setUser(undefined);
// @ts-expect-error none is null
scope.setUser();
// @ts-expect-error a user is an object
scope.setUser('42');

expectType<User | undefined>(scope.getUser());
// @ts-expect-error there may be none
scope.getUser().id;
// @ts-expect-error it takes nothing
scope.getUser('id');

expectType<Scope>(scope.setTag('a', 1).setTag('b', undefined).setTag('c', null));
// @ts-expect-error a tag has a value
scope.setTag('a');
// @ts-expect-error which is a primitive
scope.setTag('a', {});
// @ts-expect-error keys are texts
scope.setTag(1, 'a');

expectType<Scope>(scope.setTags({ a: 'b', c: true }));
// @ts-expect-error a value is a primitive
scope.setTags({ a: ['b'] });
// @ts-expect-error tags are a map
scope.setTags('a');
// @ts-expect-error tags are a map
scope.setTags(null);

expectType<Scope>(scope.setExtra('a', { b: new Date() }));
// @ts-expect-error keys are texts
scope.setExtra({ a: 1 }, 1);
// @ts-expect-error key and value
scope.setExtra('a');

expectType<Scope>(scope.setExtras({ a: { b: 1 } }));
// @ts-expect-error extras are a map
scope.setExtras('a');
// @ts-expect-error key and value are `setExtra`
scope.setExtras('a', 1);

expectType<Scope>(scope.setContext('shop', { name: 'eu' }).setContext('shop', null));
// @ts-expect-error a context is an object
scope.setContext('shop', 'eu');
// @ts-expect-error gone is null
scope.setContext('shop', undefined);
// @ts-expect-error key and context
scope.setContext({ name: 'eu' });

expectType<Scope>(scope.setContexts({ shop: { name: 'eu' } }));
// @ts-expect-error contexts are objects
scope.setContexts({ shop: 'eu' });
// @ts-expect-error by key
scope.setContexts(null);

expectType<Scope>(scope.setAttribute('a', [1]).setAttribute('b', undefined));
// @ts-expect-error an object is no value
scope.setAttribute('a', {});
// @ts-expect-error key and value
scope.setAttribute('a');

expectType<Scope>(scope.setAttributes({ a: 1 }));
// @ts-expect-error null is no value
scope.setAttributes({ a: null });
// @ts-expect-error attributes are a map
scope.setAttributes([1]);

expectType<Scope>(scope.setLevel('fatal').setLevel(undefined));
// @ts-expect-error not one of the levels
scope.setLevel('warn');
// @ts-expect-error a level is given
scope.setLevel();

expectType<Scope>(scope.setFingerprint(['{{ default }}', 'a']));
// @ts-expect-error a fingerprint is a list
scope.setFingerprint('a');
// @ts-expect-error of texts
scope.setFingerprint([1]);

expectType<Scope>(scope.setTransactionName('GET /').setTransactionName(undefined));
// @ts-expect-error a name is a text
scope.setTransactionName(1);
// @ts-expect-error none is undefined
scope.setTransactionName(null);

expectType<Scope>(scope.setConversationId('c').setConversationId(null));
// @ts-expect-error an id is a text
scope.setConversationId(1);
// @ts-expect-error and is given
scope.setConversationId();

expectType<Scope>(scope.addBreadcrumb({ message: 'a' }).addBreadcrumb({}, 10));
// @ts-expect-error a breadcrumb is an object
scope.addBreadcrumb('a');
// @ts-expect-error how many are kept is a number
scope.addBreadcrumb({}, { max: 10 });
// @ts-expect-error not one of the levels
scope.addBreadcrumb({ level: 'warn' });

expectType<Breadcrumb | undefined>(scope.getLastBreadcrumb());
// @ts-expect-error there may be none
scope.getLastBreadcrumb().message;
// @ts-expect-error the last one only
scope.getLastBreadcrumb(2);

expectType<Scope>(scope.clearBreadcrumbs());
// @ts-expect-error all of them
scope.clearBreadcrumbs(1);
// @ts-expect-error the scope is returned
expectType<Breadcrumb[]>(scope.clearBreadcrumbs());

expectType<Scope>(scope.addEventProcessor((event) => event).addEventProcessor(async (event, hint) => hint && event));
scope.addEventProcessor(() => null);
// @ts-expect-error an event comes out again, or null
scope.addEventProcessor(() => undefined);
// @ts-expect-error of the shape of one
scope.addEventProcessor(() => ({ level: 'warn' }));
// @ts-expect-error a processor is a function
scope.addEventProcessor({ process: (event: Event) => event });

expectType<Scope>(scope.addAttachment({ filename: 'a.txt', data: 'a' }));
// @ts-expect-error an attachment has content
scope.addAttachment({ filename: 'a.txt' });
// @ts-expect-error one at a time
scope.addAttachment([{ filename: 'a.txt', data: 'a' }] as Attachment[]);

expectType<Scope>(scope.clear());
// @ts-expect-error everything
scope.clear('tags');
// @ts-expect-error at once
scope.clear().then();

expectType<PropagationContext>(scope.getPropagationContext());
expectType<string>(scope.getPropagationContext().traceId);
// @ts-expect-error the upstream span may be absent
expectType<string>(scope.getPropagationContext().parentSpanId);
// @ts-expect-error it takes nothing
scope.getPropagationContext({});

expectType<Scope>(scope.setPropagationContext(propagation));
// @ts-expect-error a trace has an id
scope.setPropagationContext({ sampleRand: 0.5 });
// @ts-expect-error and is given
scope.setPropagationContext(null);

expectType<Scope>(scope.setSDKProcessingMetadata({ mine: 1 }));
// @ts-expect-error metadata are a map
scope.setSDKProcessingMetadata('mine');
// @ts-expect-error members of the sampling context are texts
scope.setSDKProcessingMetadata({ dynamicSamplingContext: { sampled: true } });

expectType<Scope>(scope.setClient(getClient()));
expectType<Client | undefined>(scope.getClient());
// @ts-expect-error a client is made by init
scope.setClient({ dsn: undefined });
// @ts-expect-error none is undefined
scope.setClient(null);
// @ts-expect-error there may be none
void scope.getClient().flush();
// @ts-expect-error it takes nothing
scope.getClient('Client');

expectType<Scope>(scope.setSession(session).setSession());
expectType<Session | undefined>(scope.getSession());
// @ts-expect-error a session has a beginning
scope.setSession({ sid: '0' });
// @ts-expect-error none is undefined
scope.setSession(null);
// @ts-expect-error there may be none
scope.getSession().status;
// @ts-expect-error it takes nothing
scope.getSession('0');

expectType<Scope>(scope.setLastEventId('0'));
expectType<string | undefined>(scope.lastEventId());
// @ts-expect-error an id is a text
scope.setLastEventId(1);
// @ts-expect-error none is undefined
scope.setLastEventId(null);
// @ts-expect-error there may be none
expectType<string>(scope.lastEventId());
// @ts-expect-error it takes nothing
scope.lastEventId('0');

expectType<Scope>(
  scope
    .update({ tags: { a: 1 } })
    .update(new Scope())
    .update(() => undefined)
    .update(),
);
// @ts-expect-error not a member of a scope
scope.update({ tagz: {} });
// @ts-expect-error a member of the right shape
scope.update({ fingerprint: 'a' });

expectType<ScopeData>(scope.getScopeData());
expectType<string[]>(scope.getScopeData().fingerprint);
// @ts-expect-error the name may be absent
expectType<string>(scope.getScopeData().transactionName);
// @ts-expect-error it takes nothing
scope.getScopeData('tags');

expectType<Readonly<object>>(scope.snapshot());
// @ts-expect-error for reading only
scope.snapshot().level = 'info';
// @ts-expect-error it takes nothing
scope.snapshot('tags');

expectType<ScopeContext>({
  user: null,
  level: 'info',
  extra: {},
  contexts: {},
  tags: {},
  fingerprint: [],
  propagationContext: propagation,
  attributes: {},
  attachments: [],
  conversationId: 'c',
});
// @ts-expect-error some of its members are a `CaptureContext`
expectType<ScopeContext>({ tags: {} });
// @ts-expect-error all of the right shape
expectType<Partial<ScopeContext>>({ tags: { a: {} } });

expectType<ScopeData>({
  eventProcessors: [(event) => event],
  breadcrumbs: [],
  user: {},
  tags: {},
  extra: {},
  contexts: {},
  attachments: [],
  propagationContext: propagation,
  sdkProcessingMetadata: {},
  fingerprint: [],
  span: undefined,
});
// @ts-expect-error nothing but what is marked is absent
expectType<ScopeData>({ user: {}, tags: {}, extra: {} });
// @ts-expect-error a fingerprint is always there
expectType<ScopeData['fingerprint']>(undefined);

expectType<PropagationContext>({ traceId: '0', sampleRand: 0.5 });
expectType<PropagationContext>({
  traceId: '0',
  sampleRand: 0.5,
  spanId: '1',
  parentSpanId: '2',
  sampled: true,
  dsc: {},
});
expectType<PropagationContext>({ traceId: '0' });
// @ts-expect-error a trace has an id
expectType<PropagationContext>({ sampleRand: 0.5 });
// @ts-expect-error its random number is a number
expectType<PropagationContext>({ traceId: '0', sampleRand: '0.5' });
// @ts-expect-error sampled or not
expectType<PropagationContext>({ traceId: '0', sampleRand: 0.5, sampled: '1' });

expectType<RawAttributes>({ a: 'b', c: [1, 2], d: undefined });
// @ts-expect-error an object is no value
expectType<RawAttributes>({ a: { value: 'b' } });
// @ts-expect-error neither is a function
expectType<RawAttributes>({ a: () => 1 });

expectType<CaptureContext>(new Scope());
expectType<CaptureContext>({ tags: { a: 1 }, extra: {}, attachments: [], user: undefined, level: undefined });
expectType<CaptureContext>((given) => given.setTag('a', 1));
expectType<CaptureContext>((given) => void given.setTag('a', 1));
expectType<CaptureContext>(() => ({ level: 'info' }));
// @ts-expect-error not a member of a scope
expectType<CaptureContext>({ tagz: {} });
// @ts-expect-error not one of the levels
expectType<CaptureContext>({ level: 'warn' });
// @ts-expect-error neither a level alone
expectType<CaptureContext>('info');
// @ts-expect-error a scope comes at once
expectType<CaptureContext>(async (given: Scope) => given);

expectType<EventProcessor>((event: Event, hint: EventHint) => (hint.data ? event : null));
expectType<EventProcessor>(async (event) => ({ ...event, tags: { a: 1 } }));
// @ts-expect-error an event comes out again, or null
expectType<EventProcessor>((event) => void event);
// @ts-expect-error true keeps nothing
expectType<EventProcessor>(() => true);
// @ts-expect-error there is no third argument
expectType<EventProcessor>((event, _hint, _client: Client) => event);

expectType<Scope[]>([getCurrentScope(), getIsolationScope(), getGlobalScope()]);
// @ts-expect-error it takes nothing
getCurrentScope('a');
// @ts-expect-error there always is one
expectType<undefined>(getCurrentScope());
// @ts-expect-error it takes nothing
getIsolationScope(1);
// @ts-expect-error there always is one
expectType<undefined>(getIsolationScope());
// @ts-expect-error it takes nothing
getGlobalScope({});
// @ts-expect-error there always is one
expectType<undefined>(getGlobalScope());

expectType<number>(withScope((given) => given.setTag('a', 1) && 1));
expectType<Promise<number>>(withScope(new Scope(), async () => 1));
expectType<string>(withScope(undefined, () => 'a'));
// @ts-expect-error work is done in a callback
withScope(new Scope());
// @ts-expect-error the callback gets a scope
withScope((given: Client) => given);
// @ts-expect-error the callback's result
expectType<string>(withScope(() => 1));

expectType<number>(withIsolationScope((given) => given.setTag('a', 1) && 1));
expectType<string>(withIsolationScope(new Scope(), () => 'a'));
// @ts-expect-error a scope is made by its class
withIsolationScope({ tags: {} }, () => 1);
// @ts-expect-error work is done in a callback
withIsolationScope();

expectType<void>(setUser({ id: 42 }));
setUser(null);
// @ts-expect-error none is null
setUser(undefined);
// @ts-expect-error a user is an object
setUser('42');

expectType<void>(setTag('a', 1));
// @ts-expect-error a tag is a primitive
setTag('a', []);
// @ts-expect-error and has a value
setTag('a');

expectType<void>(setTags({ a: 1 }));
// @ts-expect-error a tag is a primitive
setTags({ a: {} });
// @ts-expect-error tags are a map
setTags('a', 1);

expectType<void>(setExtra('a', { b: 1 }));
// @ts-expect-error keys are texts
setExtra(1, 'a');
// @ts-expect-error key and value
setExtra('a');

expectType<void>(setExtras({ a: { b: 1 } }));
// @ts-expect-error extras are a map
setExtras(1);
// @ts-expect-error and not absent
setExtras(null);

expectType<void>(setContext('shop', { name: 'eu' }));
setContext('shop', null);
// @ts-expect-error a context is an object
setContext('shop', 'eu');
// @ts-expect-error gone is null
setContext('shop');

expectType<void>(setContexts({ shop: { name: 'eu' } }));
// @ts-expect-error contexts are objects
setContexts({ shop: 1 });
// @ts-expect-error by key
setContexts('shop', {});

expectType<void>(addEventProcessor((event) => event));
// @ts-expect-error an event comes out again, or null
addEventProcessor(() => undefined);
// @ts-expect-error a processor is a function
addEventProcessor(null);

{
  const scope = new Scope();
  expectType<Scope>(scope.removeAttribute('a'));
  // @ts-expect-error attributes have names
  scope.removeAttribute(1);
  // @ts-expect-error which attribute?
  scope.removeAttribute();

  expectType<string>(scope.captureException(new Error('no'), { mechanism: { handled: false } }));
  // @ts-expect-error an exception is needed
  scope.captureException();
  // @ts-expect-error a hint is an object
  scope.captureException(new Error('no'), 1);

  expectType<string>(scope.captureMessage('hello', 'warning', { data: 1 }));
  // @ts-expect-error a message is a string
  scope.captureMessage(1);
  // @ts-expect-error there is no such level
  scope.captureMessage('hello', 'critical');

  expectType<string>(scope.captureEvent({ message: 'hello' }, { data: 1 }));
  // @ts-expect-error an event is an object
  scope.captureEvent('hello');
  // @ts-expect-error a hint is an object
  scope.captureEvent({}, 1);
}
