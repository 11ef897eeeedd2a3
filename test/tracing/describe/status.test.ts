import { diag, SpanStatusCode } from '@opentelemetry/api';
import { BasicTracerProvider, type ReadableSpan } from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import { setHttpStatus, statusFromHttpCode, statusOf } from '../../../src/tracing/describe/status.js';

const tracer = new BasicTracerProvider().getTracer('test');

describe('status of an HTTP code', () => {
  it.each([
    [100, 'ok'],
    [200, 'ok'],
    [302, 'ok'],
    [399, 'ok'],
    [400, 'invalid_argument'],
    [401, 'unauthenticated'],
    [403, 'permission_denied'],
    [404, 'not_found'],
    [409, 'already_exists'],
    [413, 'failed_precondition'],
    [418, 'invalid_argument'],
    [429, 'resource_exhausted'],
    [499, 'cancelled'],
    [500, 'internal_error'],
    [501, 'unimplemented'],
    [502, 'internal_error'],
    [503, 'unavailable'],
    [504, 'deadline_exceeded'],
    [599, 'internal_error'],
    [600, 'internal_error'],
    [99, 'internal_error'],
    [0, 'internal_error'],
    [-1, 'internal_error'],
    [Number.POSITIVE_INFINITY, 'internal_error'],
    [Number.NaN, 'unknown_error'],
  ])('%d is %s', (code, status) => {
    expect(statusFromHttpCode(code)).toBe(status);
  });
});

const GRPC = [
  'ok',
  'cancelled',
  'unknown_error',
  'invalid_argument',
  'deadline_exceeded',
  'not_found',
  'already_exists',
  'permission_denied',
  'resource_exhausted',
  'failed_precondition',
  'aborted',
  'out_of_range',
  'unimplemented',
  'internal_error',
  'unavailable',
  'data_loss',
  'unauthenticated',
];

describe('status of a span without a status of its own', () => {
  const unset = (attributes: Record<string, unknown>) =>
    statusOf({ status: { code: SpanStatusCode.UNSET }, attributes });

  it.each(GRPC.map((status, code) => [code, status] as const))('gRPC code %d is %s', (code, status) => {
    expect(unset({ 'rpc.grpc.status_code': code })).toBe(status);
    expect(unset({ 'rpc.grpc.status_code': String(code) })).toBe(status);
    expect(unset({ 'rpc.response.status_code': String(code) })).toBe(status);
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['nothing', {}, 'ok'],
    ['the stable HTTP code', { 'http.response.status_code': 404 }, 'not_found'],
    ['the old HTTP code', { 'http.status_code': 404 }, 'not_found'],
    [
      'the stable HTTP code before the old one',
      { 'http.response.status_code': 404, 'http.status_code': 500 },
      'not_found',
    ],
    ['an HTTP code in digits', { 'http.status_code': '503' }, 'unavailable'],
    ['the HTTP code before the gRPC code', { 'http.status_code': 200, 'rpc.grpc.status_code': 5 }, 'ok'],
    [
      'the gRPC code when the HTTP code is no number',
      { 'http.status_code': 'x', 'rpc.grpc.status_code': 5 },
      'not_found',
    ],
    ['an unknown gRPC code', { 'rpc.grpc.status_code': 17 }, 'unknown_error'],
    ['a gRPC code that is no number', { 'rpc.grpc.status_code': 'what' }, 'unknown_error'],
    ['a gRPC status by name', { 'rpc.response.status_code': 'DEADLINE_EXCEEDED' }, 'deadline_exceeded'],
    ['the gRPC status OK by name', { 'rpc.response.status_code': 'OK' }, 'ok'],
    ['the gRPC status UNKNOWN by name', { 'rpc.response.status_code': 'UNKNOWN' }, 'unknown_error'],
    [
      'the stable gRPC code before the old one',
      { 'rpc.response.status_code': '5', 'rpc.grpc.status_code': 13 },
      'not_found',
    ],
  ])('follows %s', (_, attributes, status) => {
    expect(unset(attributes)).toBe(status);
  });
});

describe('status of a span with a status of its own', () => {
  const NOT_FOUND = { 'http.response.status_code': 404 };

  it.each<[string, { code: number; message?: string }, Record<string, unknown>, string]>([
    ['OK is ok', { code: 1 }, {}, 'ok'],
    ['OK is ok whatever the attributes say', { code: 1 }, NOT_FOUND, 'ok'],
    ['OK is ok whatever its message says', { code: 1, message: 'not_found' }, {}, 'ok'],
    ['ERROR without message follows the attributes', { code: 2 }, NOT_FOUND, 'not_found'],
    [
      'ERROR without message is an error although its attributes say ok',
      { code: 2 },
      { 'http.status_code': 200 },
      'internal_error',
    ],
    ['ERROR without message and attributes is an internal error', { code: 2 }, {}, 'internal_error'],
    ['ERROR with other words is an internal error', { code: 2, message: 'boom' }, {}, 'internal_error'],
    ['ERROR with other words ignores the attributes', { code: 2, message: 'boom' }, NOT_FOUND, 'internal_error'],
    ['ERROR with an empty message is an internal error', { code: 2, message: '' }, NOT_FOUND, 'internal_error'],
    ['ERROR with the message ok is no ok', { code: 2, message: 'ok' }, {}, 'internal_error'],
    ['any other code is unknown', { code: 3 }, NOT_FOUND, 'unknown_error'],
  ])('%s', (_, status, attributes, expected) => {
    expect(statusOf({ status, attributes })).toBe(expected);
  });

  it.each(GRPC.slice(1))('ERROR with the message %s keeps it', (message) => {
    expect(statusOf({ status: { code: 2, message }, attributes: NOT_FOUND })).toBe(message);
  });
});

describe('setHttpStatus', () => {
  it.each([undefined, null])('without a span (%s) does nothing, and logs nothing', (span) => {
    const logged: unknown[] = [];
    const log = (...parts: unknown[]) => logged.push(parts);
    diag.setLogger({ error: log, warn: log, info: log, debug: log, verbose: log }, { suppressOverrideMessage: true });
    try {
      setHttpStatus(span as never, 200);
    } finally {
      diag.disable();
    }
    expect(logged).toEqual([]);
  });

  it.each<[number, { code: number; message?: string }, string]>([
    [200, { code: 1 }, 'ok'],
    [404, { code: 2, message: 'not_found' }, 'not_found'],
    [500, { code: 2, message: 'internal_error' }, 'internal_error'],
    [Number.NaN, { code: 0 }, 'ok'],
  ])('of %d sets the status of the span', (code, status, sent) => {
    const span = tracer.startSpan('request');
    setHttpStatus(span, code);

    const { status: set, attributes } = span as unknown as ReadableSpan;
    expect(set).toEqual(status);
    expect(attributes).toEqual({ 'http.response.status_code': code });
    expect(statusOf({ status: set, attributes })).toBe(sent);
  });
});
