import { STATUS_CODES } from 'node:http';
import { readStatus } from '../../internal/http-status.js';
import { isArray, readProperty, readString } from '../../internal/values/read.js';
import { createErrorReporter, type ErrorHandlerOptions, isExpectedStatus } from './capture-framework-error.js';

/**
 * Makes the function that reports errors of GraphQL with their place in the answer. It also gets what the plugin knows of the
 * operation, where the error belongs to one.
 *
 * @param isExpected whether an error is no event by default
 */
export function createGraphQLReporter(
  caller: string,
  mechanismType: string,
  options: ErrorHandlerOptions<readonly [unit: object | undefined]> | undefined,
  isExpected: (error: unknown) => boolean,
): (error: unknown, unit?: object) => void {
  const report = createErrorReporter(caller, mechanismType, options);
  return (error, unit) => {
    const path = readProperty(error, 'path');
    const operation = readProperty(unit, 'operationName') ?? undefined;
    const data = { path: isArray(path) ? path.join('.') : undefined, operation };
    report({ error: unwrapGraphQLError(error), args: [unit], isExpected: isExpected(error), unit, data });
  };
}

/** What a resolver threw, inside the error that GraphQL made of it; a value that is not an error is within a second one. */
export function unwrapGraphQLError(error: unknown): unknown {
  const original = readProperty(error, 'originalError');
  if (isGraphQLError(error) && original) return unwrapGraphQLError(original);
  return readString(error, 'name') === 'NonErrorThrown' ? (readProperty(error, 'thrownValue') ?? error) : error;
}

/** GraphQL may be loaded twice, so that the class does not tell. */
export function isGraphQLError(error: unknown): boolean {
  return readString(error, 'name') === 'GraphQLError' || readProperty(error, 'extensions') !== undefined;
}

/** Codes of Apollo, and the names of the statuses 4xx: `NOT_FOUND`, `FORBIDDEN`, … */
const CLIENT_CODES: ReadonlySet<unknown> = new Set([
  'GRAPHQL_PARSE_FAILED',
  'GRAPHQL_VALIDATION_FAILED',
  'PERSISTED_QUERY_NOT_FOUND',
  'PERSISTED_QUERY_NOT_SUPPORTED',
  'OPERATION_RESOLUTION_FAILURE',
  'BAD_USER_INPUT',
  'UNAUTHENTICATED',
  ...Object.entries(STATUS_CODES)
    .filter(([status]) => status.startsWith('4'))
    .map(([, name = '']) => name.toUpperCase().replaceAll(/\W+/g, '_')),
]);

/** Whether a `GraphQLError` names, by its extensions, a mistake of the client; or what was thrown, as `HttpException` of Nest. */
export function isClientError(error: unknown): boolean {
  const thrown = unwrapGraphQLError(error);
  if (typeof readProperty(thrown, 'getStatus') === 'function' && isExpectedStatus(readStatus(thrown))) return true;
  const extensions = readProperty(error, 'extensions');
  const status = readStatus(readProperty(extensions, 'http'));
  return status === undefined ? CLIENT_CODES.has(readProperty(extensions, 'code')) : status < 500;
}
