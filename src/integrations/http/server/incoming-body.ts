import type { Readable } from 'node:stream';
import type { ReceivedMessage } from './incoming-request.js';

const METHODS_WITHOUT_BODY: ReadonlySet<string | undefined> = new Set(['GET', 'HEAD', 'OPTIONS']);
/** Ending of a cut body; included in the limit. */
const CUT = '...';
/** Media types that are text. */
const TEXT = /^text\/|json|xml|urlencoded|graphql|javascript|yaml/i;

/**
 * Keeps the beginning of a request's body while the application reads it. Reads nothing itself: it wraps `push`, which
 * Node's parser calls for each chunk.
 *
 * @param request from HTTP/1, or from HTTP/2's compatibility API; an HTTP/2 stream has no `push` to wrap
 * @param maxBytes bytes to keep
 * @returns a function that returns the body received so far, ending in `...` if it was cut; `undefined` for a request
 *   whose body is not kept
 */
export function keepBody(
  request: ReceivedMessage & Partial<Pick<Readable, 'push'>>,
  maxBytes: number,
): (() => string | undefined) | undefined {
  const { push } = request;
  if (!push || maxBytes <= 0 || METHODS_WITHOUT_BODY.has(request.method) || !hasTextBody(request)) return undefined;
  const chunks: Buffer[] = [];
  let keptBytes = 0;
  let isCut = false;

  const keep = (chunk: Uint8Array) => {
    const kept = chunk.subarray(0, maxBytes - keptBytes);
    isCut ||= kept.length < chunk.length;
    keptBytes += kept.length;
    // Copied, because the chunk would keep a larger buffer alive.
    if (kept.length > 0) chunks.push(Buffer.from(kept));
  };
  const watchedPush = function (this: Readable, chunk: unknown, encoding?: BufferEncoding): boolean {
    if (chunk instanceof Uint8Array) keep(chunk);
    return push.call(this, chunk, encoding);
  };
  Object.defineProperty(request, 'push', { value: watchedPush, configurable: true, writable: true });

  return () => {
    if (keptBytes === 0) return undefined;
    const bytes = Buffer.concat(chunks);
    if (!isCut) return bytes.toString('utf8');
    // `stream` omits an incomplete character at the end.
    const kept = bytes.subarray(0, Math.max(maxBytes - CUT.length, 0));
    return new TextDecoder().decode(kept, { stream: true }) + CUT;
  };
}

function hasTextBody({ headers }: ReceivedMessage): boolean {
  if (headers['content-length'] === '0') return false;
  if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) return false;
  const type = headers['content-type'];
  return (type === undefined || TEXT.test(type)) && headers['content-encoding'] === undefined;
}
