import { readProperty } from './values/read.js';

export const PAYLOAD_TOO_LARGE = 413;
export const TOO_MANY_REQUESTS = 429;

/** The `status` or `statusCode` of an error, where it is a status of HTTP. */
export function readStatus(error: unknown): number | undefined {
  for (const name of ['status', 'statusCode']) {
    const status = Number(readProperty(error, name));
    if (Number.isInteger(status) && status >= 100 && status <= 599) return status;
  }
  return undefined;
}
