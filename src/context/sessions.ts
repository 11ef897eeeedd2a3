import { copyDefined } from '../internal/values/copy-own.js';
import { closeSession, makeSession, type Session, type SessionContext } from '../model/session.js';
import { getClient, getGlobalScope, getScopes } from './current-scopes.js';
import { processWide } from './process-wide.js';

/**
 * Starts a session on the isolation scope and ends its previous one; error events then update it. Nothing is sent until
 * the session changes or `captureSession` is called.
 *
 * @param context initial data; the user defaults to the scopes' user
 */
export function startSession(context?: SessionContext): Session {
  const { current, isolation } = getScopes();
  const user = current.getUser() ?? isolation.getUser() ?? getGlobalScope().getUser();
  const session = makeSession({ user, ...copyDefined(context) });
  const previous = isolation.getSession();
  // A fork inherits the session and leaves it to the scope on which it was set.
  if (previous && (processWide().sessionScopes.get(previous) ?? isolation) === isolation) end(previous);
  isolation.setSession(session);
  return session;
}

/** Ends the session of the isolation scope, sends its final state, and removes it from the scope. */
export function endSession(): void {
  const { isolation } = getScopes();
  const session = sessionInUse();
  if (session) end(session);
  isolation.setSession();
}

/**
 * Sends the state of the session in use, the current scope's, else the isolation scope's, if the release is known.
 *
 * @param isOver also ends the session
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

/** A session that an error ended has been sent already. */
function end(session: Session): void {
  const isSent = session.status !== 'ok' && !session.init;
  closeSession(session);
  if (!isSent) getClient()?.captureSession(session);
}
