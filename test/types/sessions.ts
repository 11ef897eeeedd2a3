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
// @ts-expect-error a session has a status
expectType<Session>({ sid: '0', init: true, started: 1, timestamp: 2, errors: 0 });
// @ts-expect-error times are numbers of seconds
expectType<Session>({ sid: '0', init: true, started: new Date(), timestamp: 2, status: 'ok', errors: 0 });
// @ts-expect-error 'errored' is not one of the states
expectType<Session['status']>('errored');

expectType<SessionContext>({ user: { id: 42 }, release: undefined });
// @ts-expect-error 'done' is not one of the states
expectType<SessionContext>({ status: 'done' });
// @ts-expect-error a user is an object
expectType<SessionContext>({ user: '42' });

expectType<Session>(startSession());
expectType<Session>(startSession({ user: null, environment: 'test' }));
// @ts-expect-error the context of a session is an object
startSession('42');
// @ts-expect-error a session has no member `name`
startSession({ name: 'a' });

expectType<void>(endSession());
// @ts-expect-error endSession takes no arguments: it ends the session of the scope
endSession({} as Session);
// @ts-expect-error endSession returns nothing
endSession().status;

expectType<void>(captureSession(true));
captureSession();
// @ts-expect-error the argument is a boolean: whether the session is over
captureSession('exited');
// @ts-expect-error the argument is a boolean: captureSession sends the session of the scope
captureSession({} as Session);

expectType<SessionAttributes>({ release: 'shop@1' });
// @ts-expect-error a release is required
expectType<SessionAttributes>({ environment: 'test' });
// @ts-expect-error a release is a string
expectType<SessionAttributes>({ release: 1 });

expectType<SessionAggregates>({
  attrs: { release: 'shop@1' },
  aggregates: [{ started: '2026-01-05T09:30:00.000Z', exited: 1, errored: 0, crashed: 0 }],
});
// @ts-expect-error counts are numbers
expectType<SessionAggregates>({ attrs: { release: 'a' }, aggregates: [{ started: '', exited: '1' }] });
// @ts-expect-error a release is required
expectType<SessionAggregates>({ attrs: {}, aggregates: [] });

declare const requestSession: RequestSession;
expectType<void>(requestSession.note(true));
// @ts-expect-error note takes a boolean: whether the error was handled
requestSession.note('error');
// @ts-expect-error end takes no status
requestSession.end('exited');
// @ts-expect-error an object with the same methods is no RequestSession
expectType<RequestSession>({ note: () => undefined, end: () => undefined });
// @ts-expect-error only the SDK makes a RequestSession
new RequestSession(() => undefined);

expectType<RequestStatus[]>(['exited', 'errored', 'crashed']);
// @ts-expect-error 'ok' is not a status of a request that has ended
expectType<RequestStatus>('ok');
// @ts-expect-error a status is a string
expectType<RequestStatus>(200);
