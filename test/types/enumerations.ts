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
// @ts-expect-error levels are words
expectType<SeverityLevel>(3);
// @ts-expect-error levels are lower case
expectType<SeverityLevel>('ERROR');

expectType<EventType[]>(['transaction', 'profile', 'replay_event', 'feedback', undefined]);
// @ts-expect-error an error event has no type
expectType<EventType>('error');
// @ts-expect-error absent is undefined
expectType<EventType>(null);

expectType<Primitive[]>(['text', 1, true, null, undefined]);
// @ts-expect-error an object is no primitive
expectType<Primitive>({});
// @ts-expect-error neither is a date
expectType<Primitive>(new Date());
// @ts-expect-error nor a symbol
expectType<Primitive>(Symbol('tag'));

expectType<SpanStatusCode[]>([0, 1, 2]);
// @ts-expect-error there are three codes
expectType<SpanStatusCode>(3);
// @ts-expect-error codes are numbers
expectType<SpanStatusCode>('error');

expectType<TraceFlags[]>([0, 1]);
// @ts-expect-error sampled or not
expectType<TraceFlags>(2);
// @ts-expect-error flags are numbers
expectType<TraceFlags>(true);

expectType<TransactionSource[]>(['custom', 'url', 'route', 'view', 'component', 'task']);
// @ts-expect-error what servers find out themselves
expectType<TransactionSource>('sanitized');
// @ts-expect-error a source is a word
expectType<TransactionSource>(1);

expectType<SessionStatus[]>(['ok', 'exited', 'crashed', 'abnormal']);
// @ts-expect-error servers derive it from the number of errors
expectType<SessionStatus>('errored');
// @ts-expect-error a status is a word
expectType<SessionStatus>(0);

expectType<DataCategory[]>(['error', 'transaction', 'span', 'session', 'attachment', 'feedback']);
// @ts-expect-error categories are singular
expectType<DataCategory>('errors');
// @ts-expect-error an event type is no category
expectType<DataCategory>('replay_event');

expectType<DiscardReason[]>(['sample_rate', 'before_send', 'event_processor', 'queue_overflow', 'network_error']);
// @ts-expect-error reasons are written as on the wire
expectType<DiscardReason>('beforeSend');
// @ts-expect-error a reason is a word
expectType<DiscardReason>(undefined);

expectType<BreadcrumbHint>({ request: {}, statusCode: 200 });
// @ts-expect-error a hint is an object
expectType<BreadcrumbHint>('request');
// @ts-expect-error with names
expectType<BreadcrumbHint>(undefined);
