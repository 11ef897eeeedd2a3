import { type Span, type SpanStatus, SpanStatusCode } from '@opentelemetry/api';
import { isSpan } from '../../context/trace/trace.js';

/** By gRPC code; the index is the code. */
const BY_GRPC_CODE: readonly string[] = (
  'ok cancelled unknown_error invalid_argument deadline_exceeded not_found already_exists ' +
  'permission_denied resource_exhausted failed_precondition aborted out_of_range unimplemented ' +
  'internal_error unavailable data_loss unauthenticated'
).split(' ');

const BY_HTTP_CODE = new Map([
  [401, 'unauthenticated'],
  [403, 'permission_denied'],
  [404, 'not_found'],
  [409, 'already_exists'],
  [413, 'failed_precondition'],
  [429, 'resource_exhausted'],
  [499, 'cancelled'],
  [501, 'unimplemented'],
  [503, 'unavailable'],
  [504, 'deadline_exceeded'],
]);

/** The statuses of errors: all but `ok`. */
const ERRORS: ReadonlySet<string> = new Set(BY_GRPC_CODE.slice(1));

/**
 * The status of a finished span as servers know it: the span's own status, else what its HTTP or gRPC code says.
 *
 * @returns one of the canonical strings, for example `ok`, `not_found`, `internal_error`
 */
export function statusOf(span: {
  readonly status: SpanStatus;
  readonly attributes: Readonly<Record<string, unknown>>;
}): string {
  const { code, message } = span.status;
  switch (code) {
    case SpanStatusCode.OK:
      return 'ok';
    case SpanStatusCode.UNSET:
      return statusFromAttributes(span.attributes) ?? 'ok';
    case SpanStatusCode.ERROR:
      return errorStatusOf(message ?? statusFromAttributes(span.attributes));
    default:
      return 'unknown_error';
  }
}

/** An answer may have said that all is well before it broke off. */
function errorStatusOf(status: string | undefined): string {
  return status !== undefined && ERRORS.has(status) ? status : 'internal_error';
}

/**
 * @param code an HTTP status code; outside of 100–599 it counts as an internal error
 * @returns the canonical status; `unknown_error` for NaN
 */
export function statusFromHttpCode(code: number): string {
  if (Number.isNaN(code)) return 'unknown_error';
  if (code >= 100 && code < 400) return 'ok';
  return BY_HTTP_CODE.get(code) ?? (code >= 400 && code < 500 ? 'invalid_argument' : 'internal_error');
}

/** Puts an HTTP status code on a span, and the span status that follows from it: OK below 400, an error from there. */
export function setHttpStatus(span: Span, code: number): void {
  if (!isSpan(span) || typeof code !== 'number') return;
  span.setAttribute('http.response.status_code', code);
  const message = statusFromHttpCode(code);
  if (message === 'ok') span.setStatus({ code: SpanStatusCode.OK });
  else if (message !== 'unknown_error') span.setStatus({ code: SpanStatusCode.ERROR, message });
}

function statusFromAttributes(attributes: Readonly<Record<string, unknown>>): string | undefined {
  const httpCode = toCode(attributes['http.response.status_code'] ?? attributes['http.status_code']);
  if (httpCode !== undefined) return statusFromHttpCode(httpCode);
  const rpcCode = attributes['rpc.response.status_code'] ?? attributes['rpc.grpc.status_code'];
  return rpcCode === undefined ? undefined : statusFromRpcCode(rpcCode);
}

/** @param code the number, its digits, or (stable conventions) its name: `5`, `'5'`, `'NOT_FOUND'` */
function statusFromRpcCode(code: unknown): string {
  const number = toCode(code);
  if (number !== undefined) return BY_GRPC_CODE[number] ?? 'unknown_error';
  const name = typeof code === 'string' ? code.toLowerCase() : '';
  return BY_GRPC_CODE.includes(name) ? name : 'unknown_error';
}

function toCode(value: unknown): number | undefined {
  const code = typeof value === 'string' ? Number.parseInt(value, 10) : value;
  return typeof code === 'number' && !Number.isNaN(code) ? code : undefined;
}
