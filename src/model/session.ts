/** Where a session stands; every state but `ok` is final. */
export type SessionStatus = 'ok' | 'exited' | 'crashed' | 'abnormal';

/** One run of the application or of a user in it, for release health. Times in Unix seconds. */
export interface Session {
  sid: string;
  /** True until the first update of the session has left. */
  init: boolean;
  started: number;
  timestamp: number;
  status: SessionStatus;
  errors: number;
  /** Distinct id of the user, when known. */
  did?: string;
  /** Seconds, set at the end. */
  duration?: number;
  release?: string;
  environment?: string;
  ipAddress?: string;
  userAgent?: string;
}
