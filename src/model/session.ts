import { isSeconds, nowSeconds, toIsoTime } from '../internal/clock.js';
import { guardOwn } from '../internal/guard.js';
import { uuid4 } from '../internal/ids.js';
import { copyDefined } from '../internal/values/copy-own.js';
import { digitsOf } from '../internal/values/placeholders.js';
import { readProperty, readString } from '../internal/values/read.js';
import { limitLength, nonEmptyStringOf } from '../internal/values/strings.js';
import { type Event, exceptionsOf, type User } from './event/event.js';
import { MAX_LABEL_LENGTHS } from './event/labels.js';
import type { Optional } from './optional.js';

/** State of a session; all but `ok` (in progress) are final. */
export type SessionStatus = 'ok' | 'exited' | 'crashed' | 'abnormal';

/**
 * One run of the application, or of one user in it, for release health.
 *
 * Forked scopes share the object, so that all of them see the current state: it is mutated, by the SDK only in
 * the functions of this file.
 *
 * @see https://develop.sentry.dev/sdk/telemetry/sessions/
 */
export interface Session {
  /** 32 hex characters. */
  sid: string;
  /** True until the session's first update was sent. */
  init: boolean;
  /** Unix seconds. */
  started: number;
  /** Time of the last change, Unix seconds. */
  timestamp: number;
  status: SessionStatus;
  /** Whether there was an error, as 0 or 1: only the first one counts. */
  errors: number;
  /** Distinct id of the user: `id`, else `email`, else `username`. */
  did?: string | undefined;
  /** Seconds, set at the end. */
  duration?: number | undefined;
  /** Why the session is `abnormal`. */
  abnormalMechanism?: string | undefined;
  /** @default the client's */
  release?: string | undefined;
  /** @default the client's */
  environment?: string | undefined;
  /** @default the user's */
  ipAddress?: string | undefined;
  userAgent?: string | undefined;
}

/** Data of a session, at its start or later. */
export interface SessionContext extends Optional<Session> {
  /** Supplies `did` and `ipAddress`, unless they are set. */
  user?: User | null | undefined;
}

/** An update of one session, as sent. */
export type SessionJSON = NonNullable<ReturnType<typeof sessionToJSON>>;

/** State shared by all sessions of one client. */
export interface SessionAttributes {
  release: string;
  environment?: string | undefined;
}

/** How many short sessions, one per request, ended in each minute, by outcome; each is in exactly one count. */
export interface SessionAggregates {
  /** Shared by all of them. */
  attrs: SessionAttributes;
  /** `started` is the minute, ISO 8601, UTC; `exited` counts the healthy sessions. */
  aggregates: { started: string; exited: number; errored: number; crashed: number }[];
}

const ID = /^[0-9a-f]{32}$/;
const STATUSES: ReadonlySet<unknown> = new Set<SessionStatus>(['ok', 'exited', 'crashed', 'abnormal']);

/** Whether a value can be used as a session. */
export function isSession(value: unknown): value is Session {
  const sid = readProperty(value, 'sid');
  return typeof sid === 'string' && ID.test(sid) && STATUSES.has(readProperty(value, 'status'));
}

/** A session that begins now, unless the context sets another start. */
export function makeSession(context?: SessionContext): Session {
  const now = nowSeconds();
  const session: Session = { sid: uuid4(), init: true, started: now, timestamp: now, status: 'ok', errors: 0 };
  updateSession(session, context);
  return session;
}

/** Applies the context's members. An ended session does not change; the first user is final. */
export function updateSession(session: Session, context?: SessionContext): void {
  if (session.status === 'ok') guardOwn('updating a session', () => update(session, copyDefined(context)));
}

function update(session: Session, { user, sid, ...changes }: SessionContext): void {
  Object.assign(session, changes);
  if (typeof sid === 'string' && ID.test(sid)) session.sid = sid;
  // The clock may have been set back since the start, and a session that ends before it began is refused.
  session.timestamp = changes.timestamp ?? Math.max(nowSeconds(), session.started);
  session.did ??= stringIn(user, 'id') ?? stringIn(user, 'email') ?? stringIn(user, 'username');
  session.ipAddress ??= stringIn(user, 'ip_address');
  if (session.status !== 'ok') session.duration ??= Math.max(session.timestamp - session.started, 0);
}

/** Notes that an update of a session is sent. The application may have frozen it. */
export function noteUpdate(session: Session): void {
  guardOwn('a session', () => {
    session.init = false;
  });
}

/** Ends a session, unless it has ended. */
export function closeSession(session: Session): void {
  updateSession(session, { status: 'exited' });
}

/**
 * Counts an error event that is sent: the first one with an exception marks the session as having errors; an unhandled
 * error or a fatal message ends it as crashed.
 *
 * @returns whether this changed the session
 */
export function noteEvent(session: Session, event: Pick<Event, 'exception' | 'level'>): boolean {
  const exceptions = exceptionsOf(event);
  if (exceptions.length > 0) return noteError(session, exceptions.some(isCrash));
  return event.level === 'fatal' && noteError(session, true);
}

/** Counts an error, even if its event is not sent. @returns whether this changed the session */
export function noteError(session: Session, isCrash: boolean): boolean {
  // Applications may set their own session, whose members can be anything.
  return guardOwn('a session', () => countError(session, isCrash), false);
}

function countError(session: Session, isCrash: boolean): boolean {
  const { status, errors } = session;
  if (status === 'ok' && (isCrash || errors === 0)) {
    updateSession(session, { errors: 1, status: isCrash ? 'crashed' : 'ok' });
    return true;
  }
  if (status !== 'exited' || errors > 0) return false;
  // It has ended while the event was on its way through hooks.
  session.errors = 1;
  return true;
}

/** Mechanisms that see an error while it propagates, when it may still be caught. */
const BEFORE_HANDLERS = /^auto\.(?:function|otel|child_process|core\.capture_console)\b/;

/**
 * Whether an exception or a hint is about an unhandled error: it reached the process's handlers or a framework's error
 * handler, or the application marked it. A span reports `handled: false` for each error that leaves its callback;
 * whether that is a crash is decided further up.
 */
export function isCrash(holder: unknown): boolean {
  const mechanism = readProperty(holder, 'mechanism');
  return readProperty(mechanism, 'handled') === false && !BEFORE_HANDLERS.test(readString(mechanism, 'type') ?? '');
}

/**
 * The wire format of a session.
 *
 * @param defaults for members that the session does not set
 * @returns `undefined` without a release, or for an invalid session, because servers reject it
 */
export function sessionToJSON(session: Session, defaults: Partial<SessionAttributes>) {
  const { sid, init, started, timestamp, status, errors, did, duration, abnormalMechanism, ipAddress, userAgent } =
    session;
  const release = nonEmptyStringOf(session.release) ?? defaults.release;
  const environment = nonEmptyStringOf(session.environment) ?? defaults.environment;
  const isValid = isSession(session) && typeof init === 'boolean' && Number.isSafeInteger(errors) && errors >= 0;
  if (!release || !isValid || !isSeconds(started) || !isSeconds(timestamp) || started > timestamp) return undefined;
  return {
    sid,
    init,
    started: toISO(started),
    timestamp: toISO(timestamp),
    status,
    errors,
    did: nonEmptyStringOf(did),
    duration: isSeconds(duration) ? duration : undefined,
    abnormal_mechanism: nonEmptyStringOf(abnormalMechanism),
    attrs: {
      release: limitLength(release, MAX_LABEL_LENGTHS.release),
      environment: environment && limitLength(environment, MAX_LABEL_LENGTHS.environment),
      ip_address: nonEmptyStringOf(ipAddress),
      user_agent: nonEmptyStringOf(userAgent),
    },
  };
}

function toISO(seconds: number): string {
  return toIsoTime(seconds * 1000);
}

function stringIn(user: unknown, key: keyof User): string | undefined {
  const value = readProperty(user, key);
  if (typeof value === 'bigint') return digitsOf(value);
  return typeof value === 'number' ? String(value) : nonEmptyStringOf(value);
}
