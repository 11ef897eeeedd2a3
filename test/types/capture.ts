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
// @ts-expect-error the exception is missing
captureException();
// @ts-expect-error the second argument is an object: { level: 'fatal' }
captureException(new Error('no'), 'fatal');
// @ts-expect-error 'critical' is not one of the levels
captureException(new Error('no'), { level: 'critical' });
// @ts-expect-error neither a hint nor a scope has a member `tag`
captureException(new Error('no'), { tag: 'a' });
// @ts-expect-error captureException returns the id, not a promise
captureException(new Error('no')).then();

expectType<string>(captureMessage('m'));
captureMessage('m', 'warning');
captureMessage('m', { tags: { a: 1 } });
captureMessage('m', () => ({ user: null }));
// @ts-expect-error a message is a string
captureMessage(new Error('no'));
// @ts-expect-error 'warn' is not one of the levels
captureMessage('m', 'warn');
// @ts-expect-error a tag's value is a primitive
captureMessage('m', { tags: { a: {} } });
// @ts-expect-error captureMessage takes two arguments
captureMessage('m', 'info', { tags: {} });

expectType<string>(captureEvent({ message: 'm' }, { tags: { a: 1 }, extra: { b: 2 }, attachments: [] }));
captureEvent({ type: 'transaction', transaction: 'a', start_timestamp: 1, timestamp: 2, spans: [] });
captureEvent({}, (scope) => scope.setTag('a', 1));
captureEvent({}, { originalException: new Error('no') });
// @ts-expect-error an event is an object
captureEvent('m');
// @ts-expect-error 'critical' is not one of the levels
captureEvent({ level: 'critical' });
// @ts-expect-error 'error' is not one of the types: an error event has none
captureEvent({ type: 'error' });
// @ts-expect-error neither a hint nor a scope has a member `sampleRate`
captureEvent({}, { sampleRate: 1 });

expectType<string>(captureFeedback({ message: 'm', email: undefined }, { attachments: [] }));
// @ts-expect-error feedback needs a message
captureFeedback({ name: 'a' });
// @ts-expect-error feedback is an object with a message
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
// @ts-expect-error members have the SDK's names, in camel case
expectType<FeedbackParams>({ message: 'm', contact_email: 'a@example.com' });
// @ts-expect-error a message is a string
expectType<FeedbackParams>({ message: 1 });

expectType<void>(addBreadcrumb({ message: 'm', level: 'info' }, { request: {} }));
// @ts-expect-error a breadcrumb is an object
addBreadcrumb('m');
// @ts-expect-error 'warn' is not one of the levels
addBreadcrumb({ level: 'warn' });
// @ts-expect-error a hint is an object
addBreadcrumb({}, 10);

expectType<string | undefined>(lastEventId());
// @ts-expect-error lastEventId returns undefined before the first event
expectType<string>(lastEventId());
// @ts-expect-error lastEventId takes no arguments
lastEventId('0');

expectType<Promise<boolean>>(flush());
expectType<Promise<boolean>>(flush(2000));
// @ts-expect-error the timeout is a number of milliseconds
void flush('2s');
// @ts-expect-error flush returns a promise
expectType<boolean>(flush());

expectType<Promise<boolean>>(close(2000));
// @ts-expect-error the timeout is a number of milliseconds
void close({ timeout: 2000 });
// @ts-expect-error close returns a promise
expectType<boolean>(close());

expectType<boolean>(isEnabled());
// @ts-expect-error isEnabled returns a boolean
expectType<string>(isEnabled());
// @ts-expect-error isEnabled takes no arguments
isEnabled(true);
expectType<boolean>(isInitialized());
// @ts-expect-error isInitialized returns a boolean
expectType<string>(isInitialized());
// @ts-expect-error isInitialized takes no arguments
isInitialized(true);

expectType<string>(uuid4());
// @ts-expect-error an id is a string
expectType<number>(uuid4());
// @ts-expect-error uuid4 takes no arguments
uuid4(16);

expectType<string>(parameterize`order ${1} failed`);
captureMessage(parameterize`order ${1} failed`, 'error');
// @ts-expect-error parameterize is a tag for template literals
parameterize('order 1 failed');
// @ts-expect-error parameterize is a tag for template literals
parameterize(1);
