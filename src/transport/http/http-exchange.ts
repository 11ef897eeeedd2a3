import type { ClientRequest, IncomingMessage } from 'node:http';
import { entriesOf } from '../../internal/patching/originals.js';
import { toPrintable } from '../../internal/values/printable.js';
import { readString } from '../../internal/values/read.js';
import type { TransportResponse } from '../../model/delivery/transport.js';

/** This much of a response's body is read, so that the connection can be kept. */
const MAX_DRAINED_BYTES = 64 * 1024;
/** This much of a body is kept: of a refusal, because it may say why, and of what may be a web page. Others are not used. */
const MAX_READ_BYTES = 4 * 1024;
const MAX_REASON_LENGTH = 200;
/** A slow uplink takes this much in a few seconds. */
const PIECE_BYTES = 64 * 1024;
/** Members of a JSON body that say why, as servers name them. */
const REASON_MEMBERS = ['detail', 'error', 'message'] as const;

const MAY_BE_WEB_PAGE = /^\s*(text\/html|application\/xhtml)/i;
/** Servers may call an empty answer, or a plain `ok`, HTML. */
const WEB_PAGE = /^\s*<[!?a-z]/i;

interface Answer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  /** The beginning of its body, as far as it is kept. */
  readonly body: readonly Buffer[];
}

/**
 * Sends the body, and waits for the answer.
 *
 * @param onProgress called when the system has taken a part of a large body
 * @returns the answer, when the exchange has ended; rejects when there is none
 */
export function exchange(
  request: ClientRequest,
  body: string | Uint8Array,
  onProgress: () => void,
): Promise<TransportResponse> {
  return new Promise((resolve, reject) => {
    let answer: Answer | undefined;
    let failure: unknown;
    const finish = (): void => (answer ? resolve(toResponse(answer)) : reject(failure));
    request.on('response', (response) => {
      const { statusCode = 0 } = response;
      const headers = headersOf(response);
      const isRead = statusCode >= 300 || MAY_BE_WEB_PAGE.test(headers['content-type'] ?? 'text/html');
      answer = { statusCode, headers, body: drain(request, response, isRead ? MAX_READ_BYTES : 0, finish) };
    });
    request.on('error', (error) => {
      failure = error;
    });
    // Always the last event. An answer that was cut off after its headers still counts as an answer.
    request.on('close', finish);
    write(request, body, onProgress);
  });
}

/** One piece after the other: Node says of a whole body only when all of it has left. */
function write(request: ClientRequest, body: string | Uint8Array, onProgress: () => void): void {
  if (typeof body === 'string' || body.byteLength <= PIECE_BYTES) {
    request.end(body);
    return;
  }
  request.write(body.subarray(0, PIECE_BYTES), (error) => {
    if (error) return;
    onProgress();
    write(request, body.subarray(PIECE_BYTES), onProgress);
  });
}

function toResponse({ statusCode, headers, body }: Answer): TransportResponse {
  const text = Buffer.concat(body).toString();
  if (statusCode < 300) return WEB_PAGE.test(text) ? { statusCode, headers, isWebPage: true } : { statusCode, headers };
  const reason = readReason(headers, text);
  return reason ? { statusCode, headers, reason } : { statusCode, headers };
}

/**
 * Reads why a server refused a request: its `x-sentry-error` header, a member of its JSON body, or a body in plain
 * text. Cut, and without control characters: it is printed.
 */
export function readReason(headers: Record<string, string>, body: string): string | undefined {
  const type = headers['content-type'] ?? '';
  const found = headers['x-sentry-error'] ?? readMember(body) ?? (type.startsWith('text/plain') ? body : undefined);
  return (found && toPrintable(found, MAX_REASON_LENGTH)) || undefined;
}

function readMember(body: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return REASON_MEMBERS.map((name) => readString(parsed, name)).find(Boolean);
  } catch {
    return undefined;
  }
}

/** @returns the beginning of the body: complete, or up to `maxKeptBytes`, when `finish` is called */
function drain(
  request: ClientRequest,
  response: IncomingMessage,
  maxKeptBytes: number,
  finish: () => void,
): readonly Buffer[] {
  const kept: Buffer[] = [];
  let drainedBytes = 0;
  response.on('data', (chunk: Buffer) => {
    if (drainedBytes < maxKeptBytes) kept.push(chunk.subarray(0, maxKeptBytes - drainedBytes));
    drainedBytes += chunk.byteLength;
    if (drainedBytes > MAX_DRAINED_BYTES) request.destroy();
  });
  response.on('error', () => undefined);
  response.on('end', () => {
    // When the server refused the body before all of it was written, the unwritten rest would block the connection.
    if (!request.writableFinished) request.destroy();
    finish();
  });
  return kept;
}

/** Whether the server closed an idle connection just when it was reused. Nothing was lost; another connection will do. */
export function wasStale(request: ClientRequest | undefined, error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException | undefined)?.code;
  return request?.reusedSocket === true && (code === 'ECONNRESET' || code === 'EPIPE');
}

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const result: Record<string, string> = {};
  for (const [name, value] of entriesOf(headers)) {
    if (value !== undefined) result[name] = String(value);
  }
  return result;
}
