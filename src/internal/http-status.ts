import { readProperty } from './values/read.js';

/** The `status` or `statusCode` of an error, where it is a status of HTTP. */
export function readStatus(error: unknown): number | undefined {
  for (const name of ['status', 'statusCode']) {
    const value = readProperty(error, name);
    // Anything else may throw when it is made a number.
    const status = typeof value === 'string' ? Number(value) : value;
    if (isStatus(status)) return status;
  }
  return undefined;
}

function isStatus(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 100 && (value as number) <= 599;
}
