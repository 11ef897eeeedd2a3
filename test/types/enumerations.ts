import type {
  BreadcrumbHint,
  DataCategory,
  DiscardReason,
  EventType,
  Primitive,
  SessionStatus,
  SeverityLevel,
  SpanStatusCode,
  TraceFlags,
  TransactionSource,
} from 'faultline';
import { expectType } from './expect-type.js';

expectType<SeverityLevel[]>(['fatal', 'error', 'warning', 'info', 'debug', 'log']);
// @ts-expect-error the level is called `warning`
expectType<SeverityLevel>('warn');
// @ts-expect-error a level is a string
expectType<SeverityLevel>(3);
// @ts-expect-error levels are lower case
expectType<SeverityLevel>('ERROR');

expectType<EventType[]>(['transaction', 'profile', 'replay_event', 'feedback', undefined]);
// @ts-expect-error an error event has no type
expectType<EventType>('error');
// @ts-expect-error the type of an error event is undefined, not null
expectType<EventType>(null);

expectType<Primitive[]>(['text', 1, true, null, undefined]);
// @ts-expect-error an object is no primitive
expectType<Primitive>({});
// @ts-expect-error a date is no primitive
expectType<Primitive>(new Date());
// @ts-expect-error a tag's value is no symbol
expectType<Primitive>(Symbol('tag'));

expectType<SpanStatusCode[]>([0, 1, 2]);
// @ts-expect-error there are three codes
expectType<SpanStatusCode>(3);
// @ts-expect-error codes are numbers
expectType<SpanStatusCode>('error');

expectType<TraceFlags[]>([0, 1]);
// @ts-expect-error flags are 0 or 1
expectType<TraceFlags>(2);
// @ts-expect-error flags are 0 or 1
expectType<TraceFlags>(true);

expectType<TransactionSource[]>(['custom', 'url', 'route', 'view', 'component', 'task']);
// @ts-expect-error only servers set 'sanitized'
expectType<TransactionSource>('sanitized');
// @ts-expect-error a source is a string
expectType<TransactionSource>(1);

expectType<SessionStatus[]>(['ok', 'exited', 'crashed', 'abnormal']);
// @ts-expect-error servers derive 'errored' from the number of errors
expectType<SessionStatus>('errored');
// @ts-expect-error a status is a string
expectType<SessionStatus>(0);

expectType<DataCategory[]>(['error', 'transaction', 'span', 'session', 'attachment', 'feedback']);
// @ts-expect-error categories are singular
expectType<DataCategory>('errors');
// @ts-expect-error an event type is no category
expectType<DataCategory>('replay_event');

expectType<DiscardReason[]>(['sample_rate', 'before_send', 'event_processor', 'queue_overflow', 'network_error']);
// @ts-expect-error reasons are spelled as on the wire: 'before_send'
expectType<DiscardReason>('beforeSend');
// @ts-expect-error a reason is a string
expectType<DiscardReason>(undefined);

expectType<BreadcrumbHint>({ request: {}, statusCode: 200 });
// @ts-expect-error a hint is an object
expectType<BreadcrumbHint>('request');
// @ts-expect-error a hint is an object, not undefined
expectType<BreadcrumbHint>(undefined);
