import type { TransportResponse } from '../model/delivery/transport.js';

/** What an answer says of the envelope. */
type AnswerKind =
  /** The destination has it. */
  | 'accepted'
  /** The destination does not want any of its categories now. */
  | 'limited'
  /** A smaller one might be accepted. */
  | 'too_large'
  /** A proxy or a web site answered in place of the destination, which may accept the envelope later. */
  | 'transient'
  | 'refused'
  /** A custom transport names no status. */
  | 'unknown';

const KIND_OF_STATUS: ReadonlyMap<number, AnswerKind> = new Map([
  [408, 'transient'],
  [413, 'too_large'],
  [429, 'limited'],
  [502, 'transient'],
  [503, 'transient'],
  [504, 'transient'],
]);

export function kindOfAnswer({
  statusCode,
  isWebPage,
}: Pick<TransportResponse, 'statusCode' | 'isWebPage'>): AnswerKind {
  if (statusCode === undefined) return 'unknown';
  if (statusCode >= 200 && statusCode < 300) return isWebPage ? 'transient' : 'accepted';
  return KIND_OF_STATUS.get(statusCode) ?? 'refused';
}
