import { expect, it } from 'vitest';
import { failureToRetry } from '../../../src/transport/stages/retry.js';

const NOW = Date.UTC(2026, 0, 5, 9, 30, 0);

it.each<[retryAfter: string | undefined, seconds: number | undefined]>([
  [undefined, undefined],
  ['17', 17],
  ['Mon, 05 Jan 2026 09:32:00 GMT', 120],
  ['Mon, 05 Jan 2026 09:00:00 GMT', 0],
  ['Thu, 01 Jan 2099 00:00:00 GMT', 3600],
  ['31536000', 3600],
])('a 503 with a Retry-After of %s is tried again after %s seconds at the earliest', (retryAfter, seconds) => {
  const response = { statusCode: 503, headers: { 'retry-after': retryAfter ?? null } };
  const failure = failureToRetry({ kind: 'answered', response }, NOW);
  expect(failure?.retryAfterMillis).toBe(seconds === undefined ? undefined : seconds * 1000);
});

it('a web page with status 200 is tried again', () => {
  const response = { statusCode: 200, headers: {}, isWebPage: true };
  expect(failureToRetry({ kind: 'answered', response }, NOW)).toBeDefined();
});

it.each([200, 400, 413, 429, 500, 501])('a %s is final', (statusCode) => {
  expect(failureToRetry({ kind: 'answered', response: { statusCode, headers: {} } }, NOW)).toBeUndefined();
});
