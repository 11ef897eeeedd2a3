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
// @ts-expect-error the constructor takes no arguments
new Scope({ tags: {} });
// @ts-expect-error Scope is a class: call it with `new`
Scope();

expectType<Scope>(scope.clone());
// @ts-expect-error clone takes no arguments
scope.clone(true);
// @ts-expect-error clone returns a scope, not a promise
scope.clone().then();

expectType<Scope>(scope.setUser({ id: '42', role: 'admin' }).setUser(null));
// @ts-expect-error setUser(null) removes the user; undefined is no user
scope.setUser(undefined);
// @ts-expect-error setUser(null) removes the user; undefined is no user
scope.setUser();
// @ts-expect-error a user is an object
scope.setUser('42');

expectType<User | undefined>(scope.getUser());
// @ts-expect-error getUser returns undefined when no user is set
scope.getUser().id;
// @ts-expect-error getUser takes no arguments
scope.getUser('id');

expectType<Scope>(scope.setTag('a', 1).setTag('b', undefined).setTag('c', null));
// @ts-expect-error the value is missing
scope.setTag('a');
// @ts-expect-error a tag's value is a primitive
scope.setTag('a', {});
// @ts-expect-error a tag's key is a string
scope.setTag(1, 'a');

expectType<Scope>(scope.setTags({ a: 'b', c: true }));
// @ts-expect-error a tag's value is a primitive
scope.setTags({ a: ['b'] });
// @ts-expect-error tags are an object
scope.setTags('a');
// @ts-expect-error tags are an object, not null
scope.setTags(null);

expectType<Scope>(scope.setExtra('a', { b: new Date() }));
// @ts-expect-error the key is a string
scope.setExtra({ a: 1 }, 1);
// @ts-expect-error the value is missing
scope.setExtra('a');

expectType<Scope>(scope.setExtras({ a: { b: 1 } }));
// @ts-expect-error extras are an object
scope.setExtras('a');
// @ts-expect-error setExtras takes one object; setExtra takes key and value
scope.setExtras('a', 1);

expectType<Scope>(scope.setContext('shop', { name: 'eu' }).setContext('shop', null));
// @ts-expect-error a context is an object
scope.setContext('shop', 'eu');
// @ts-expect-error setContext(key, null) removes a context; undefined does not
scope.setContext('shop', undefined);
// @ts-expect-error the key is missing
scope.setContext({ name: 'eu' });

expectType<Scope>(scope.setContexts({ shop: { name: 'eu' } }));
// @ts-expect-error a context is an object
scope.setContexts({ shop: 'eu' });
// @ts-expect-error contexts are an object, not null
scope.setContexts(null);

expectType<Scope>(scope.setAttribute('a', [1]).setAttribute('b', undefined));
// @ts-expect-error an attribute value is no object
scope.setAttribute('a', {});
// @ts-expect-error the value is missing
scope.setAttribute('a');

expectType<Scope>(scope.setAttributes({ a: 1 }));
// @ts-expect-error an attribute value is not null
scope.setAttributes({ a: null });
// @ts-expect-error attributes are an object
scope.setAttributes([1]);

expectType<Scope>(scope.setLevel('fatal').setLevel(undefined));
// @ts-expect-error 'warn' is not one of the levels
scope.setLevel('warn');
// @ts-expect-error the level is missing
scope.setLevel();

expectType<Scope>(scope.setFingerprint(['{{ default }}', 'a']));
// @ts-expect-error a fingerprint is a list
scope.setFingerprint('a');
// @ts-expect-error the parts of a fingerprint are strings
scope.setFingerprint([1]);

expectType<Scope>(scope.setTransactionName('GET /').setTransactionName(undefined));
// @ts-expect-error a name is a string
scope.setTransactionName(1);
// @ts-expect-error setTransactionName(undefined) removes the name; null does not
scope.setTransactionName(null);

expectType<Scope>(scope.setConversationId('c').setConversationId(null));
// @ts-expect-error an id is a string
scope.setConversationId(1);
// @ts-expect-error the id is missing
scope.setConversationId();

expectType<Scope>(scope.addBreadcrumb({ message: 'a' }).addBreadcrumb({}, 10));
// @ts-expect-error a breadcrumb is an object
scope.addBreadcrumb('a');
// @ts-expect-error the maximum is a number
scope.addBreadcrumb({}, { max: 10 });
// @ts-expect-error 'warn' is not one of the levels
scope.addBreadcrumb({ level: 'warn' });

expectType<Breadcrumb | undefined>(scope.getLastBreadcrumb());
// @ts-expect-error getLastBreadcrumb returns undefined when there is none
scope.getLastBreadcrumb().message;
// @ts-expect-error getLastBreadcrumb takes no arguments
scope.getLastBreadcrumb(2);

expectType<Scope>(scope.clearBreadcrumbs());
// @ts-expect-error clearBreadcrumbs takes no arguments
scope.clearBreadcrumbs(1);
// @ts-expect-error clearBreadcrumbs returns the scope
expectType<Breadcrumb[]>(scope.clearBreadcrumbs());

expectType<Scope>(scope.addEventProcessor((event) => event).addEventProcessor(async (event, hint) => hint && event));
scope.addEventProcessor(() => null);
// @ts-expect-error a processor returns the event, or null to discard it
scope.addEventProcessor(() => undefined);
// @ts-expect-error 'warn' is not one of the levels
scope.addEventProcessor(() => ({ level: 'warn' }));
// @ts-expect-error a processor is a function
scope.addEventProcessor({ process: (event: Event) => event });

expectType<Scope>(scope.addAttachment({ filename: 'a.txt', data: 'a' }));
// @ts-expect-error an attachment has content
scope.addAttachment({ filename: 'a.txt' });
// @ts-expect-error addAttachment takes one attachment
scope.addAttachment([{ filename: 'a.txt', data: 'a' }] as Attachment[]);

expectType<Scope>(scope.clear());
// @ts-expect-error clear takes no arguments
scope.clear('tags');
// @ts-expect-error clear returns the scope, not a promise
scope.clear().then();

expectType<PropagationContext>(scope.getPropagationContext());
expectType<string>(scope.getPropagationContext().traceId);
// @ts-expect-error `parentSpanId` is undefined when nothing continues a trace
expectType<string>(scope.getPropagationContext().parentSpanId);
// @ts-expect-error getPropagationContext takes no arguments
scope.getPropagationContext({});

expectType<Scope>(scope.setPropagationContext(propagation));
// @ts-expect-error a trace has an id
scope.setPropagationContext({ sampleRand: 0.5 });
// @ts-expect-error the context is an object, not null
scope.setPropagationContext(null);

expectType<Scope>(scope.setSDKProcessingMetadata({ mine: 1 }));
// @ts-expect-error metadata are an object
scope.setSDKProcessingMetadata('mine');
// @ts-expect-error members of the sampling context are strings
scope.setSDKProcessingMetadata({ dynamicSamplingContext: { sampled: true } });

expectType<Scope>(scope.setClient(getClient()));
expectType<Client | undefined>(scope.getClient());
// @ts-expect-error a client is made by init
scope.setClient({ dsn: undefined });
// @ts-expect-error setClient(undefined) removes the client; null does not
scope.setClient(null);
// @ts-expect-error getClient returns undefined when no client is set
void scope.getClient().flush();
// @ts-expect-error getClient takes no arguments
scope.getClient('Client');

expectType<Scope>(scope.setSession(session).setSession());
expectType<Session | undefined>(scope.getSession());
// @ts-expect-error a session has more members, such as `started`
scope.setSession({ sid: '0' });
// @ts-expect-error setSession(undefined) removes the session; null does not
scope.setSession(null);
// @ts-expect-error getSession returns undefined when no session is set
scope.getSession().status;
// @ts-expect-error getSession takes no arguments
scope.getSession('0');

expectType<Scope>(scope.setLastEventId('0'));
expectType<string | undefined>(scope.lastEventId());
// @ts-expect-error an id is a string
scope.setLastEventId(1);
// @ts-expect-error setLastEventId(undefined) removes the id; null does not
scope.setLastEventId(null);
// @ts-expect-error lastEventId returns undefined before the first event
expectType<string>(scope.lastEventId());
// @ts-expect-error lastEventId takes no arguments
scope.lastEventId('0');

expectType<Scope>(
  scope
    .update({ tags: { a: 1 } })
    .update(new Scope())
    .update(() => undefined)
    .update(),
);
// @ts-expect-error a scope has no member `tagz`
scope.update({ tagz: {} });
// @ts-expect-error a fingerprint is a list
scope.update({ fingerprint: 'a' });

expectType<ScopeData>(scope.getScopeData());
expectType<string[]>(scope.getScopeData().fingerprint);
// @ts-expect-error `transactionName` may be undefined
expectType<string>(scope.getScopeData().transactionName);
// @ts-expect-error getScopeData takes no arguments
scope.getScopeData('tags');

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
// @ts-expect-error a ScopeContext has all members; a CaptureContext may have a few
expectType<ScopeContext>({ tags: {} });
// @ts-expect-error a tag's value is a primitive
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
// @ts-expect-error the other members are required
expectType<ScopeData>({ user: {}, tags: {}, extra: {} });
// @ts-expect-error `fingerprint` is never undefined
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
// @ts-expect-error `sampleRand` is a number
expectType<PropagationContext>({ traceId: '0', sampleRand: '0.5' });
// @ts-expect-error `sampled` is a boolean
expectType<PropagationContext>({ traceId: '0', sampleRand: 0.5, sampled: '1' });

expectType<RawAttributes>({ a: 'b', c: [1, 2], d: undefined });
// @ts-expect-error an attribute value is no object
expectType<RawAttributes>({ a: { value: 'b' } });
// @ts-expect-error an attribute value is no function
expectType<RawAttributes>({ a: () => 1 });

expectType<CaptureContext>(new Scope());
expectType<CaptureContext>({ tags: { a: 1 }, extra: {}, attachments: [], user: undefined, level: undefined });
expectType<CaptureContext>((given) => given.setTag('a', 1));
expectType<CaptureContext>((given) => void given.setTag('a', 1));
expectType<CaptureContext>(() => ({ level: 'info' }));
// @ts-expect-error a scope has no member `tagz`
expectType<CaptureContext>({ tagz: {} });
// @ts-expect-error 'warn' is not one of the levels
expectType<CaptureContext>({ level: 'warn' });
// @ts-expect-error a capture context is no string
expectType<CaptureContext>('info');
// @ts-expect-error the function returns a scope, not a promise
expectType<CaptureContext>(async (given: Scope) => given);

expectType<EventProcessor>((event: Event, hint: EventHint) => (hint.data ? event : null));
expectType<EventProcessor>(async (event) => ({ ...event, tags: { a: 1 } }));
// @ts-expect-error a processor returns the event, or null to discard it
expectType<EventProcessor>((event) => void event);
// @ts-expect-error a processor returns the event, or null to discard it
expectType<EventProcessor>(() => true);
// @ts-expect-error a processor gets two arguments
expectType<EventProcessor>((event, _hint, _client: Client) => event);

expectType<Scope[]>([getCurrentScope(), getIsolationScope(), getGlobalScope()]);
// @ts-expect-error getCurrentScope takes no arguments
getCurrentScope('a');
// @ts-expect-error getCurrentScope always returns a scope
expectType<undefined>(getCurrentScope());
// @ts-expect-error getIsolationScope takes no arguments
getIsolationScope(1);
// @ts-expect-error getIsolationScope always returns a scope
expectType<undefined>(getIsolationScope());
// @ts-expect-error getGlobalScope takes no arguments
getGlobalScope({});
// @ts-expect-error getGlobalScope always returns a scope
expectType<undefined>(getGlobalScope());

expectType<number>(withScope((given) => given.setTag('a', 1) && 1));
expectType<Promise<number>>(withScope(new Scope(), async () => 1));
expectType<string>(withScope(undefined, () => 'a'));
// @ts-expect-error the callback is missing
withScope(new Scope());
// @ts-expect-error the callback gets a scope
withScope((given: Client) => given);
// @ts-expect-error withScope returns what the callback returns
expectType<string>(withScope(() => 1));

expectType<number>(withIsolationScope((given) => given.setTag('a', 1) && 1));
expectType<string>(withIsolationScope(new Scope(), () => 'a'));
// @ts-expect-error a scope is an instance of Scope
withIsolationScope({ tags: {} }, () => 1);
// @ts-expect-error the callback is missing
withIsolationScope();

expectType<void>(setUser({ id: 42 }));
setUser(null);
// @ts-expect-error setUser(null) removes the user; undefined is no user
setUser(undefined);
// @ts-expect-error a user is an object
setUser('42');

expectType<void>(setTag('a', 1));
// @ts-expect-error a tag's value is a primitive
setTag('a', []);
// @ts-expect-error the value is missing
setTag('a');

expectType<void>(setTags({ a: 1 }));
// @ts-expect-error a tag's value is a primitive
setTags({ a: {} });
// @ts-expect-error tags are an object
setTags('a', 1);

expectType<void>(setExtra('a', { b: 1 }));
// @ts-expect-error the key is a string
setExtra(1, 'a');
// @ts-expect-error the value is missing
setExtra('a');

expectType<void>(setExtras({ a: { b: 1 } }));
// @ts-expect-error extras are an object
setExtras(1);
// @ts-expect-error extras are an object, not null
setExtras(null);

expectType<void>(setContext('shop', { name: 'eu' }));
setContext('shop', null);
// @ts-expect-error a context is an object
setContext('shop', 'eu');
// @ts-expect-error setContext(key, null) removes a context; undefined does not
setContext('shop');

expectType<void>(setContexts({ shop: { name: 'eu' } }));
// @ts-expect-error a context is an object
setContexts({ shop: 1 });
// @ts-expect-error contexts are an object
setContexts('shop', {});

expectType<void>(addEventProcessor((event) => event));
// @ts-expect-error a processor returns the event, or null to discard it
addEventProcessor(() => undefined);
// @ts-expect-error a processor is a function
addEventProcessor(null);

{
  const scope = new Scope();
  expectType<Scope>(scope.removeAttribute('a'));
  // @ts-expect-error an attribute's name is a string
  scope.removeAttribute(1);
  // @ts-expect-error the name is missing
  scope.removeAttribute();

  expectType<string>(scope.captureException(new Error('no'), { mechanism: { handled: false } }));
  // @ts-expect-error the exception is missing
  scope.captureException();
  // @ts-expect-error a hint is an object
  scope.captureException(new Error('no'), 1);

  expectType<string>(scope.captureMessage('hello', 'warning', { data: 1 }));
  // @ts-expect-error a message is a string
  scope.captureMessage(1);
  // @ts-expect-error 'critical' is not one of the levels
  scope.captureMessage('hello', 'critical');

  expectType<string>(scope.captureEvent({ message: 'hello' }, { data: 1 }));
  // @ts-expect-error an event is an object
  scope.captureEvent('hello');
  // @ts-expect-error a hint is an object
  scope.captureEvent({}, 1);
}
