import {
  captureSession,
  endSession,
  type RequestSession,
  type RequestStatus,
  type Session,
  type SessionAggregates,
  type SessionAttributes,
  type SessionContext,
  startSession,
} from 'faultline';
import { expectType } from './expect-type.js';

expectType<Session>({ sid: '0', init: true, started: 1, timestamp: 2, status: 'ok', errors: 0 });
expectType<Session>({
  sid: '0',
  init: false,
  started: 1,
  timestamp: 2,
  status: 'abnormal',
  errors: 1,
  did: '42',
  duration: 1,
  abnormalMechanism: 'oom',
  release: 'shop@1',
  environment: 'test',
  ipAddress: '127.0.0.1',
  userAgent: 'a',
});
// @ts-expect-error a session has a state
expectType<Session>({ sid: '0', init: true, started: 1, timestamp: 2, errors: 0 });
// @ts-expect-error times are numbers of seconds
expectType<Session>({ sid: '0', init: true, started: new Date(), timestamp: 2, status: 'ok', errors: 0 });
// @ts-expect-error not one of the states
expectType<Session['status']>('errored');

expectType<SessionContext>({ user: { id: 42 }, release: undefined });
// @ts-expect-error not one of the states
expectType<SessionContext>({ status: 'done' });
// @ts-expect-error a user is an object
expectType<SessionContext>({ user: '42' });

expectType<Session>(startSession());
expectType<Session>(startSession({ user: null, environment: 'test' }));
// @ts-expect-error what is known is an object
startSession('42');
// @ts-expect-error no member of a session
startSession({ name: 'a' });

expectType<void>(endSession());
// @ts-expect-error that of the scope
endSession({} as Session);
// @ts-expect-error it returns nothing
endSession().status;

expectType<void>(captureSession(true));
captureSession();
// @ts-expect-error over or not
captureSession('exited');
// @ts-expect-error that of the scope
captureSession({} as Session);

expectType<SessionAttributes>({ release: 'shop@1' });
// @ts-expect-error sessions are of a release
expectType<SessionAttributes>({ environment: 'test' });
// @ts-expect-error which is a text
expectType<SessionAttributes>({ release: 1 });

expectType<SessionAggregates>({
  attrs: { release: 'shop@1' },
  aggregates: [{ started: '2026-01-05T09:30:00.000Z', exited: 1, errored: 0, crashed: 0 }],
});
// @ts-expect-error counts are numbers
expectType<SessionAggregates>({ attrs: { release: 'a' }, aggregates: [{ started: '', exited: '1' }] });
// @ts-expect-error of a release
expectType<SessionAggregates>({ attrs: {}, aggregates: [] });

declare const requestSession: RequestSession;
expectType<void>(requestSession.note(true));
// @ts-expect-error handled or not
requestSession.note('error');
// @ts-expect-error an end has no result
requestSession.end('exited');
// @ts-expect-error requests that a server receives have one
expectType<RequestSession>({ note: () => undefined, end: () => undefined });
// @ts-expect-error it is made by its server
new RequestSession(() => undefined);

expectType<RequestStatus[]>(['exited', 'errored', 'crashed']);
// @ts-expect-error a request is over
expectType<RequestStatus>('ok');
// @ts-expect-error a status is a word
expectType<RequestStatus>(200);
