import {
  addBreadcrumb,
  captureEvent,
  captureException,
  captureFeedback,
  captureMessage,
  close,
  type FeedbackParams,
  flush,
  isEnabled,
  isInitialized,
  lastEventId,
  parameterize,
  Scope,
  uuid4,
} from 'faultline';
import { expectType } from './expect-type.js';

expectType<string>(captureException(new Error('no')));
captureException('thrown text', { tags: { a: 1 } });
captureException(undefined, new Scope());
captureException(1, (scope) => scope.setLevel('fatal'));
captureException(new Error('no'), { mechanism: { handled: false }, attachments: [] });
captureException(new Error('no'), { captureContext: { level: 'fatal' }, data: 1 });
// @ts-expect-error of what
captureException();
// @ts-expect-error a level is a member of the context
captureException(new Error('no'), 'fatal');
// @ts-expect-error not one of the levels
captureException(new Error('no'), { level: 'critical' });
// @ts-expect-error neither of a hint nor of a scope
captureException(new Error('no'), { tag: 'a' });
// @ts-expect-error the id, at once
captureException(new Error('no')).then();

expectType<string>(captureMessage('m'));
captureMessage('m', 'warning');
captureMessage('m', { tags: { a: 1 } });
captureMessage('m', () => ({ user: null }));
// @ts-expect-error a message is a text
captureMessage(new Error('no'));
// @ts-expect-error not one of the levels
captureMessage('m', 'warn');
// @ts-expect-error a tag is a primitive
captureMessage('m', { tags: { a: {} } });
// @ts-expect-error two arguments
captureMessage('m', 'info', { tags: {} });

expectType<string>(captureEvent({ message: 'm' }, { tags: { a: 1 }, extra: { b: 2 }, attachments: [] }));
captureEvent({ type: 'transaction', transaction: 'a', start_timestamp: 1, timestamp: 2, spans: [] });
captureEvent({}, (scope) => scope.setTag('a', 1));
captureEvent({}, { originalException: new Error('no') });
// @ts-expect-error an event is an object
captureEvent('m');
// @ts-expect-error of the shape of one
captureEvent({ level: 'critical' });
// @ts-expect-error not one of the types
captureEvent({ type: 'error' });
// @ts-expect-error neither of a hint nor of a scope
captureEvent({}, { sampleRate: 1 });

expectType<string>(captureFeedback({ message: 'm', email: undefined }, { attachments: [] }));
// @ts-expect-error feedback says something
captureFeedback({ name: 'a' });
// @ts-expect-error more than a text
captureFeedback('m');
expectType<FeedbackParams>({
  message: 'm',
  name: 'a',
  email: 'a@example.com',
  url: 'https://example.com/',
  source: 'widget',
  associatedEventId: '0',
  tags: { a: 1 },
});
// @ts-expect-error the SDK's names, without underscores
expectType<FeedbackParams>({ message: 'm', contact_email: 'a@example.com' });
// @ts-expect-error a message is a text
expectType<FeedbackParams>({ message: 1 });

expectType<void>(addBreadcrumb({ message: 'm', level: 'info' }, { request: {} }));
// @ts-expect-error a breadcrumb is an object
addBreadcrumb('m');
// @ts-expect-error not one of the levels
addBreadcrumb({ level: 'warn' });
// @ts-expect-error the hint is no number
addBreadcrumb({}, 10);

expectType<string | undefined>(lastEventId());
// @ts-expect-error there may be none
expectType<string>(lastEventId());
// @ts-expect-error it takes nothing
lastEventId('0');

expectType<Promise<boolean>>(flush());
expectType<Promise<boolean>>(flush(2000));
// @ts-expect-error milliseconds, as a number
void flush('2s');
// @ts-expect-error it is waited for
expectType<boolean>(flush());

expectType<Promise<boolean>>(close(2000));
// @ts-expect-error milliseconds, as a number
void close({ timeout: 2000 });
// @ts-expect-error it is waited for
expectType<boolean>(close());

expectType<boolean>(isEnabled());
// @ts-expect-error yes or no
expectType<string>(isEnabled());
// @ts-expect-error it takes nothing
isEnabled(true);
expectType<boolean>(isInitialized());
// @ts-expect-error yes or no
expectType<string>(isInitialized());
// @ts-expect-error it takes nothing
isInitialized(true);

expectType<string>(uuid4());
// @ts-expect-error an id is a text
expectType<number>(uuid4());
// @ts-expect-error it takes nothing
uuid4(16);

expectType<string>(parameterize`order ${1} failed`);
captureMessage(parameterize`order ${1} failed`, 'error');
// @ts-expect-error it is a tag for templates
parameterize('order 1 failed');
// @ts-expect-error and not a function of values
parameterize(1);
