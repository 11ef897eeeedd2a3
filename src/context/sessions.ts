import { copyGiven } from '../internal/guard.js';
import { closeSession, makeSession, type Session, type SessionContext } from '../model/session.js';
import { getClient, getScopes } from './current-scopes.js';
import { processWide } from './process-wide.js';

/**
 * Starts a session on the isolation scope; error events then say how it goes. Ends the one that was started there
 * before. Nothing is sent until something happens, or `captureSession` is called.
 *
 * @param context what is known; the user is that of the scopes otherwise
 */
export function startSession(context?: SessionContext): Session {
  const { current, isolation } = getScopes();
  const session = makeSession({ user: current.getUser() ?? isolation.getUser(), ...copyGiven(context) });
  const previous = isolation.getSession();
  const { sessionScopes } = processWide();
  if (previous && (sessionScopes.get(previous) ?? isolation) === isolation) end(previous);
  sessionScopes.set(session, isolation);
  isolation.setSession(session);
  return session;
}

/** Ends the session of the isolation scope, sends how it ended, and takes it off the scope. */
export function endSession(): void {
  const { isolation } = getScopes();
  const session = sessionInUse();
  if (session) end(session);
  isolation.setSession();
}

/**
 * Sends where the session of the isolation scope stands, if there is one and a release is known.
 *
 * @param isOver ends the session, too
 */
export function captureSession(isOver = false): void {
  if (isOver) {
    endSession();
    return;
  }
  const session = sessionInUse();
  if (session) getClient()?.captureSession(session);
}

function sessionInUse(): Session | undefined {
  const { current, isolation } = getScopes();
  return current.getSession() ?? isolation.getSession();
}

/** One that an error has ended was sent then. */
function end(session: Session): void {
  const isSaid = session.status !== 'ok' && !session.init;
  closeSession(session);
  if (!isSaid) getClient()?.captureSession(session);
}
