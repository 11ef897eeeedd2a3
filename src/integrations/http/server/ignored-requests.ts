import { askUserCode } from '../../../context/observed/report-hook.js';
import { matchesAny } from '../../../internal/options/match.js';
import { noteMistake } from '../../../internal/options/mistakes.js';
import { isArray } from '../../../internal/values/read.js';
import { isOwnRequest } from '../../../model/delivery/own-requests.js';
import type { Event } from '../../../model/event/event.js';
import type { Settings, StringMatcher } from '../../../model/options.js';
import type { ReceivedMessage } from './incoming-request.js';

/** Requests without a span: strings and patterns for the path with its query, or a function. */
export type IgnoredRequests = readonly StringMatcher[] | ((request: ReceivedMessage) => boolean);

/** Status codes and ranges of them. */
export type IgnoredStatusCodes = readonly (number | readonly [from: number, to: number])[];

const IGNORE_REQUESTS = { consequence: 'the request is not ignored. It must return true or false' };

/** @returns whether a request gets no span: one that the option names, and envelopes that an SDK posts */
export function createRequestFilter(
  ignored: IgnoredRequests,
  settings: Settings,
): (message: ReceivedMessage) => boolean {
  const isListed =
    typeof ignored === 'function'
      ? (message: ReceivedMessage) =>
          askUserCode('ignoreRequests', () => ignored(message), IGNORE_REQUESTS, settings) === true
      : ({ url = '/' }: ReceivedMessage) => ignored.length > 0 && matchesAny(url, ignored);
  return (message) => isOwnRequest(message.headers['content-type']) || isListed(message);
}

/** Reads the option `ignoreStatusCodes`; what is neither a number nor a range is left out. */
export function readStatusCodes(listed: readonly unknown[]): IgnoredStatusCodes {
  const isNumber = (value: unknown) => typeof value === 'number';
  const read = listed.filter((one) => isNumber(one) || (isArray(one) && one.length === 2 && one.every(isNumber)));
  const problem =
    'ignoreStatusCodes: must be a list of status codes and ranges, such as [404, [300, 399]]; its other elements are ignored';
  if (read.length < listed.length) noteMistake({ owner: 'httpServerIntegration', problem });
  return read as IgnoredStatusCodes;
}

/** Whether an event is the transaction of a request that was answered with one of the status codes. */
export function isAnsweredWith(statusCodes: IgnoredStatusCodes, { type, contexts }: Event): boolean {
  const statusCode = contexts?.['response']?.['status_code'];
  if (type !== 'transaction' || contexts?.trace?.['op'] !== 'http.server' || typeof statusCode !== 'number')
    return false;
  return isIgnoredStatus(statusCodes, statusCode);
}

/** Whether a status code is one of the list or in one of its ranges. */
export function isIgnoredStatus(statusCodes: IgnoredStatusCodes, statusCode: number): boolean {
  return statusCodes.some((one) => {
    const [from, to] = typeof one === 'number' ? [one, one] : one;
    return statusCode >= from && statusCode <= to;
  });
}
