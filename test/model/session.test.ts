import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Event, User } from '../../src/model/event/event.js';
import { Scope } from '../../src/model/scope/scope.js';
import {
  closeSession,
  makeSession,
  noteEvent,
  type Session,
  type SessionStatus,
  sessionToJSON,
  updateSession,
} from '../../src/model/session.js';

const START_MILLIS = Date.UTC(2026, 0, 5, 9, 30);
const START_SECONDS = START_MILLIS / 1000;

beforeEach(() => {
  vi.useFakeTimers({ now: START_MILLIS });
});
afterEach(() => {
  vi.useRealTimers();
});

const HANDLED: Event = { exception: { values: [{ type: 'Error', mechanism: { type: 'a', handled: true } }] } };
const UNHANDLED: Event = {
  exception: { values: [{ type: 'Cause' }, { type: 'Error', mechanism: { type: 'a', handled: false } }] },
};
const LEFT_SPAN: Event = {
  exception: { values: [{ type: 'Error', mechanism: { type: 'auto.function.start_span', handled: false } }] },
};
const MESSAGE: Event = { message: 'a', level: 'error' };
const FATAL_MESSAGE: Event = { message: 'a', level: 'fatal' };

describe('a new session', () => {
  it('begins now, is well, and has an id of its own', () => {
    const session = makeSession();
    expect(session).toEqual({
      sid: expect.stringMatching(/^[0-9a-f]{32}$/),
      init: true,
      started: START_SECONDS,
      timestamp: START_SECONDS,
      status: 'ok',
      errors: 0,
    });
    expect(makeSession().sid).not.toBe(session.sid);
  });

  it('takes what it is given, but for an id that is none', () => {
    const sid = '9c5e0d0e4b0f4a5c8a3f6d1b2c3d4e5f';
    expect(makeSession({ sid, release: 'a@1', started: 5, errors: undefined })).toMatchObject({
      sid,
      release: 'a@1',
      started: 5,
      errors: 0,
    });
    expect(makeSession({ sid: 'mine' }).sid).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each<[User | null, string | undefined, string | undefined]>([
    [{ id: 42, email: 'e', username: 'u', ip_address: '10.0.0.1' }, '42', '10.0.0.1'],
    [{ email: 'e', username: 'u' }, 'e', undefined],
    [{ id: '', username: 'u', ip_address: null }, 'u', undefined],
    [{ role: 'admin' }, undefined, undefined],
    [null, undefined, undefined],
  ])('of the user %j has the did %s', (user, did, ipAddress) => {
    const session = makeSession({ user });
    expect([session.did, session.ipAddress]).toEqual([did, ipAddress]);
  });
});

describe('the first user of a session', () => {
  it('is none while it cannot be read', () => {
    const session = makeSession({ user: hostile() as User });
    expect(session.did).toBeUndefined();
  });

  it('is the one that it keeps', () => {
    const session = makeSession();
    updateSession(session, { user: { id: 1 } });
    updateSession(session, { user: { id: 2, ip_address: '10.0.0.2' } });
    expect(session).toMatchObject({ did: '1', ipAddress: '10.0.0.2' });
  });

  it('comes from `setUser` of the scope, and not of a fork of it', () => {
    const session = makeSession();
    const scope = new Scope().setSession(session);
    scope.clone().setUser({ id: 7 });
    scope.setUser(null).setUser({ id: 8 });
    expect(session.did).toBe('8');
  });
});

describe('after an event', () => {
  it.each<[what: string, events: Event[], SessionStatus, errors: number, changes: boolean[]]>([
    ['with an exception, a session is one with errors', [HANDLED], 'ok', 1, [true]],
    ['more, it does not change', [HANDLED, HANDLED], 'ok', 1, [true, false]],
    ['that nobody handled, it has crashed', [UNHANDLED], 'crashed', 1, [true]],
    ['with errors before that, it has crashed', [HANDLED, UNHANDLED], 'crashed', 1, [true, true]],
    ['after that, it stays crashed', [UNHANDLED, HANDLED, UNHANDLED], 'crashed', 1, [true, false, false]],
    ['without an exception, it is as before', [MESSAGE, {}], 'ok', 0, [false, false]],
    ['without an exception that is fatal, it has crashed', [FATAL_MESSAGE], 'crashed', 1, [true]],
    ['whose exception is fatal, but handled, it goes on', [{ ...HANDLED, level: 'fatal' }], 'ok', 1, [true]],
    ['of a span that nobody handled there, it goes on', [LEFT_SPAN], 'ok', 1, [true]],
  ])('%s', (_, events, status, errors, changes) => {
    const session = makeSession();
    expect(events.map((event) => noteEvent(session, event))).toEqual(changes);
    expect(session).toMatchObject({ status, errors });
  });
});

function hostile(): object {
  const fail = () => {
    throw new Error('hostile');
  };
  return new Proxy({}, { get: fail, has: fail, ownKeys: fail });
}

describe('the end of a session', () => {
  it('is not before its start when the clock was set back meanwhile', () => {
    const session = makeSession();
    vi.setSystemTime(START_MILLIS - 5000);
    closeSession(session);
    expect(session).toMatchObject({ timestamp: START_SECONDS, duration: 0 });
    expect(sessionToJSON(session, { release: 'a@1' })).toMatchObject({ status: 'exited', duration: 0 });
  });

  it.each<SessionStatus>(['exited', 'crashed', 'abnormal'])('as %s is final, and says how long it lasted', (status) => {
    const session = makeSession();
    vi.advanceTimersByTime(1500);
    updateSession(session, { status });
    expect(session).toMatchObject({ status, duration: 1.5, timestamp: START_SECONDS + 1.5 });
    const before = { ...session };
    vi.advanceTimersByTime(1000);
    updateSession(session, { status: 'ok', user: { id: 1 }, errors: 5 });
    closeSession(session);
    updateSession(session, { status: 'abnormal' });
    expect(session).toEqual(before);
    // The event was captured before, and held up by a hook.
    const isCounted = status === 'exited';
    expect([noteEvent(session, UNHANDLED), noteEvent(session, UNHANDLED)]).toEqual([isCounted, false]);
    expect(session).toEqual({ ...before, errors: Number(isCounted) });
  });

  it('of `closeSession` is `exited`, and never before its start', () => {
    const session = makeSession({ started: START_SECONDS + 60 });
    closeSession(session);
    expect(session).toMatchObject({ status: 'exited', duration: 0 });
  });
});

describe('on the wire, a session', () => {
  const defaults = { release: 'shop@1.2.0', environment: 'staging' };
  const wire = (session: Session) => JSON.parse(JSON.stringify(sessionToJSON(session, defaults) ?? null));

  it('has ISO times, and what is the same for all of a client under `attrs`', () => {
    const session = makeSession();
    vi.advanceTimersByTime(12_000);
    noteEvent(session, HANDLED);
    expect(wire(session)).toEqual({
      sid: session.sid,
      init: true,
      started: '2026-01-05T09:30:00.000Z',
      timestamp: '2026-01-05T09:30:12.000Z',
      status: 'ok',
      errors: 1,
      attrs: { release: 'shop@1.2.0', environment: 'staging' },
    });
  });

  it('has all that is known of it', () => {
    const session = makeSession({
      user: { id: 1, ip_address: '10.0.0.1' },
      release: 'own@1',
      environment: 'own',
      userAgent: 'curl',
      status: 'abnormal',
      abnormalMechanism: 'stuck',
      duration: 3,
    });
    expect(wire(session)).toMatchObject({
      status: 'abnormal',
      abnormal_mechanism: 'stuck',
      duration: 3,
      did: '1',
      attrs: { release: 'own@1', environment: 'own', ip_address: '10.0.0.1', user_agent: 'curl' },
    });
  });

  it('is nothing without a release', () => {
    expect(sessionToJSON(makeSession(), { environment: 'staging' })).toBeUndefined();
  });
});
